/**
 * A server's stored sign-in as its connection uses it: the token goes with every request and is renewed when it has
 * expired or is refused. Never opens a browser; where that is needed it says so.
 */
import { type OAuthServerInfo, refreshAuthorization } from "@modelcontextprotocol/sdk/client/auth.js";
import {
  InvalidClientError,
  InvalidGrantError,
  UnauthorizedClientError,
} from "@modelcontextprotocol/sdk/server/auth/errors.js";
import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { McpCredentialsEntry } from "@turnkit/protocol";
import { McpError, McpLoginError } from "../errors.js";
import { CredentialsFile, isExpired } from "./credentials-file.js";
import { oauthErrorText } from "./oauth-error.js";
import { oneAtATime } from "./one-at-a-time.js";
import { fetchFor, findSignIn, type GuardedServer, resourceOf } from "./sign-in-place.js";

export interface StoredSignInOptions extends GuardedServer {
  readonly name: string;
  readonly home: string;
  readonly resource: string | undefined;
}

/** For the transport of one connection. What it throws is said in {@link McpLoginError} and {@link McpError}. */
export function signedInFetch(options: StoredSignInOptions): FetchLike {
  const signIn = new StoredSignIn(options);
  return async (input, init) => {
    const used = await signIn.token();
    const answer = await fetch(input, withToken(init, used));
    if (answer.status !== 401) return answer;
    await answer.body?.cancel();
    const other = await signIn.tokenInsteadOf(used, answer);
    if (other === undefined) return answer;
    const second = await fetch(input, withToken(init, other));
    if (second.status !== 401) return second;
    await second.body?.cancel();
    throw new McpLoginError(options.name, true);
  };
}

function withToken(init: RequestInit | undefined, token: string | undefined): RequestInit {
  const headers = new Headers(init?.headers);
  if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
  return { ...init, headers };
}

class StoredSignIn {
  readonly #file: CredentialsFile;
  #entry: McpCredentialsEntry | undefined;

  constructor(private readonly options: StoredSignInOptions) {
    this.#file = new CredentialsFile(options.home);
  }

  /** undefined: nobody has signed in. */
  async token(): Promise<string | undefined> {
    this.#entry ??= await this.#stored();
    if (this.#entry && isExpired(this.#entry)) this.#entry = await this.#renewed(this.#entry.access_token);
    return this.#entry?.access_token;
  }

  /** After the server has refused `used`. undefined: nobody can sign in there. */
  async tokenInsteadOf(used: string | undefined, refusal: Response): Promise<string | undefined> {
    if (used !== undefined) {
      this.#entry = await this.#renewed(used);
      return this.#entry.access_token;
    }
    // Somebody may have signed in since.
    this.#entry = await this.#stored();
    if (this.#entry) return this.#entry.access_token;
    const place = await findSignIn(this.options, refusal).catch(() => undefined);
    if (place) throw new McpLoginError(this.options.name, false);
    return undefined;
  }

  #stored(): Promise<McpCredentialsEntry | undefined> {
    return this.#file.find(this.options.name, this.options.url);
  }

  /** One renewal at a time: servers take a refresh token only once. */
  #renewed(used: string): Promise<McpCredentialsEntry> {
    const { name, url } = this.options;
    return oneAtATime(`${this.#file.file} ${name} ${url}`, async () => {
      const entry = await this.#stored();
      if (!entry) throw new McpLoginError(name, false);
      if (entry.access_token !== used && !isExpired(entry)) return entry;
      if (entry.refresh_token == null) throw new McpLoginError(name, true);
      try {
        return await this.#renew(entry, entry.refresh_token);
      } catch (error) {
        if (error instanceof McpError) throw error;
        if (!isRefusal(error))
          throw new McpError(`the sign-in could not be renewed: ${oauthErrorText(error)}`, false, { cause: error });
        // Another process may have renewed it in the meantime.
        const now = await this.#stored();
        if (now && now.refresh_token !== entry.refresh_token) return now;
        await this.#file.remove(name, url);
        throw new McpLoginError(name, true, { cause: error });
      }
    });
  }

  async #renew(entry: McpCredentialsEntry, refreshToken: string): Promise<McpCredentialsEntry> {
    const { url, resource: configured, name } = this.options;
    const place = await findSignIn(this.options);
    if (!place) throw new McpLoginError(name, true);
    const { info } = place;
    // The token is shown to nobody but the server that gave it.
    if (entry.issuer != null && !sameIssuer(entry.issuer, info)) throw new McpLoginError(name, true);
    const resource = await resourceOf(url, info, configured);
    const tokens = await refreshAuthorization(info.authorizationServerUrl, {
      metadata: info.authorizationServerMetadata!,
      clientInformation: {
        client_id: entry.client_id,
        ...(entry.client_secret != null && { client_secret: entry.client_secret }),
      },
      refreshToken,
      ...(resource !== undefined && { resource }),
      fetchFn: fetchFor(this.options),
    });
    const { expires_at: _, ...kept } = entry;
    const renewed: McpCredentialsEntry = {
      ...kept,
      access_token: tokens.access_token,
      ...(tokens.expires_in !== undefined && { expires_at: Date.now() + Math.round(tokens.expires_in * 1000) }),
      refresh_token: tokens.refresh_token ?? refreshToken,
      ...(tokens.scope !== undefined && { scopes: scopesOf(tokens.scope) }),
    };
    await this.#file.put(renewed);
    return renewed;
  }
}

export function scopesOf(scope: string): string[] {
  return scope.split(" ").filter((word) => word !== "");
}

function sameIssuer(issuer: string, info: OAuthServerInfo): boolean {
  const bare = (text: string) => text.replace(/\/$/, "");
  const known = [info.authorizationServerUrl, info.authorizationServerMetadata?.issuer ?? ""];
  return known.some((one) => bare(one) === bare(issuer));
}

function isRefusal(error: unknown): boolean {
  return [InvalidGrantError, InvalidClientError, UnauthorizedClientError].some((kind) => error instanceof kind);
}
