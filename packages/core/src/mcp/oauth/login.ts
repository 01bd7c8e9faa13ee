/** A person signs in to one MCP server: the page to open, the wait for what comes back, the tokens put away. */
import { auth } from "@modelcontextprotocol/sdk/client/auth.js";
import type { McpServerConfig } from "../../config/mcp-config.js";
import { McpError } from "../errors.js";
import { bringsToken, configuredHeaders } from "../http-headers.js";
import { CallbackListener, type CallbackPage } from "./callback-listener.js";
import { CredentialsFile } from "./credentials-file.js";
import { LoginProvider } from "./login-provider.js";
import { oauthErrorText } from "./oauth-error.js";
import { fetchFor, findSignIn, type GuardedServer } from "./sign-in-place.js";
import { scopesOf } from "./stored-sign-in.js";

const TIMEOUT_MS = 300_000;
const LONGEST_MS = 2 ** 31 - 1;

export interface McpLoginOptions {
  readonly name: string;
  readonly server: McpServerConfig;
  /** Where the tokens are kept. */
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** undefined: those of the configuration, else what the server asks for. */
  readonly scopes: readonly string[] | undefined;
  readonly callback: { readonly port: number | undefined; readonly url: string | undefined };
  /** How long the browser's answer is waited for; default: 5 minutes. */
  readonly timeoutMs: number | undefined;
}

export interface McpLogin extends AsyncDisposable {
  /** To be opened in a browser. */
  readonly authorizationUrl: string;
  /** Resolves when the tokens are stored. Rejects with an {@link McpError}. */
  readonly completed: Promise<void>;
}

/** @throws {McpError} nobody can sign in to this server, or the login cannot begin */
export async function startMcpLogin(options: McpLoginOptions): Promise<McpLogin> {
  const { name, callback } = options;
  const { transport } = options.server;
  if (transport.type !== "http") throw new McpError("OAuth login is only supported for streamable HTTP servers.");
  if (bringsToken(transport))
    throw new McpError(`The configuration gives ${name} a token of its own; there is nothing to sign in to.`);
  const guarded: GuardedServer = {
    url: transport.url,
    headers: configuredHeaders(name, transport, options.environment),
  };
  const place = await findSignIn(guarded).catch((error: unknown) => {
    throw new McpError(`cannot reach the server: ${oauthErrorText(error)}`, false, { cause: error });
  });
  if (!place) throw new McpError(`The ${name} MCP server does not offer OAuth.`);
  const listener = await CallbackListener.open({ serverUrl: transport.url, ...callback });
  const provider = new LoginProvider({
    place,
    redirectUrl: listener.redirectUrl,
    clientId: transport.oauthClientId,
    resource: transport.oauthResource,
  });
  const scopes = options.scopes ?? transport.scopes;
  const scope = scopes && scopes.length > 0 ? scopes.join(" ") : place.scope;
  const login = new RunningLogin(options, guarded, listener, provider, scope);
  try {
    await login.begin();
  } catch (error) {
    await listener.close();
    throw error;
  }
  return login;
}

class RunningLogin implements McpLogin {
  readonly completed: Promise<void>;
  #end!: (error?: McpError) => void;

  constructor(
    private readonly options: McpLoginOptions,
    private readonly guarded: GuardedServer,
    private readonly listener: CallbackListener,
    private readonly provider: LoginProvider,
    private readonly scope: string | undefined,
  ) {
    this.completed = new Promise<void>((resolve, reject) => {
      this.#end = (error) => (error ? reject(error) : resolve());
    });
    // Whoever does not wait for it need not be told.
    this.completed.catch(() => {});
  }

  get authorizationUrl(): string {
    return this.provider.authorizationUrl ?? "";
  }

  async begin(): Promise<void> {
    await this.#auth({}).catch((error: unknown) => {
      throw new McpError(`the login cannot begin: ${oauthErrorText(error)}`, false, { cause: error });
    });
    const limit = Math.min(this.options.timeoutMs ?? TIMEOUT_MS, LONGEST_MS);
    const timer = setTimeout(() => this.#finish(new McpError("timed out waiting for OAuth callback")), limit);
    const stop = () => clearTimeout(timer);
    this.completed.then(stop, stop);
    this.listener.expect(this.provider.sentState, (query) => this.#answered(query));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#finish(new McpError("the login was given up"));
    await this.listener.close();
  }

  async #answered(query: URLSearchParams): Promise<CallbackPage> {
    try {
      await this.#exchange(query);
    } catch (error) {
      const known = error instanceof McpError ? error : new McpError(oauthErrorText(error), false, { cause: error });
      this.#finish(known);
      return { ok: false, text: `The login to ${this.options.name} failed: ${known.message}` };
    }
    this.#finish();
    return { ok: true, text: `You are logged in to ${this.options.name}. You can close this window.` };
  }

  /** Replies that are being sent still go out. */
  #finish(error?: McpError): void {
    this.#end(error);
    void this.listener.close();
  }

  async #exchange(query: URLSearchParams): Promise<void> {
    const refusal = query.get("error");
    if (refusal !== null) {
      const why = query.get("error_description");
      throw new McpError(`OAuth provider returned \`${refusal}\`${why ? `: ${why}` : ""}`);
    }
    await this.#auth({ authorizationCode: query.get("code") ?? "" }).catch((error: unknown) => {
      throw new McpError(`OAuth token exchange failed: ${oauthErrorText(error)}`, false, { cause: error });
    });
    const { gained: tokens, client } = this.provider;
    if (!tokens || !client) throw new McpError("OAuth token exchange failed: no token came back");
    const { client_secret: secret } = client as { readonly client_secret?: string };
    await new CredentialsFile(this.options.home).put({
      server_name: this.options.name,
      server_url: this.guarded.url,
      ...(tokens.issuer !== undefined && { issuer: tokens.issuer }),
      client_id: client.client_id,
      ...(secret !== undefined && { client_secret: secret }),
      access_token: tokens.access_token,
      ...(tokens.expires_in !== undefined && { expires_at: Date.now() + Math.round(tokens.expires_in * 1000) }),
      ...(tokens.refresh_token !== undefined && { refresh_token: tokens.refresh_token }),
      scopes: scopesOf(tokens.scope ?? this.scope ?? ""),
    });
  }

  #auth(more: { readonly authorizationCode?: string }): Promise<unknown> {
    return auth(this.provider, {
      serverUrl: this.guarded.url,
      ...(this.scope !== undefined && { scope: this.scope }),
      fetchFn: fetchFor(this.guarded),
      ...more,
    });
  }
}
