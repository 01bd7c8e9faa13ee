/** Where one signs in to a server, as the server itself says. Reads only documents that are open to everybody. */
import {
  discoverOAuthServerInfo,
  extractWWWAuthenticateParams,
  type OAuthServerInfo,
  selectResourceURL,
} from "@modelcontextprotocol/sdk/client/auth.js";
import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js";

const LIMIT_MS = 10_000;

export interface SignInPlace {
  readonly info: OAuthServerInfo;
  readonly resourceMetadataUrl: URL | undefined;
  /** What the server asks for. */
  readonly scope: string | undefined;
}

export interface GuardedServer {
  readonly url: string;
  /** As configured; other servers never see them. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Every request has a limit; the server's own headers go to the server's own origin. */
export function fetchFor({ url, headers }: GuardedServer): FetchLike {
  const { origin } = new URL(url);
  return (input, init) => {
    const all = new Headers(new URL(input).origin === origin ? headers : {});
    for (const [name, value] of new Headers(init?.headers)) all.set(name, value);
    const limit = AbortSignal.timeout(LIMIT_MS);
    const signal = init?.signal ? AbortSignal.any([init.signal, limit]) : limit;
    return fetch(input, { ...init, headers: all, signal });
  };
}

/**
 * undefined: nobody can sign in there. `refusal`: the answer with status 401 that the server gave, when it gave one.
 * @throws {Error} the server cannot be reached
 */
export async function findSignIn(server: GuardedServer, refusal?: Response): Promise<SignInPlace | undefined> {
  const fetchFn = fetchFor(server);
  const answer = refusal ?? (await ask(server.url, fetchFn));
  const { resourceMetadataUrl, scope } = answer.status === 401 ? extractWWWAuthenticateParams(answer) : {};
  const info = await discoverOAuthServerInfo(server.url, {
    fetchFn,
    ...(resourceMetadataUrl && { resourceMetadataUrl }),
  });
  return info.authorizationServerMetadata ? { info, resourceMetadataUrl, scope } : undefined;
}

async function ask(url: string, fetchFn: FetchLike): Promise<Response> {
  const answer = await fetchFn(url, { headers: { accept: "text/event-stream" } });
  await answer.body?.cancel();
  return answer;
}

/** What tokens are asked for; `configured` comes first. */
export async function resourceOf(
  url: string,
  info: OAuthServerInfo,
  configured: string | undefined,
): Promise<string | undefined> {
  if (configured !== undefined) return configured;
  if (!info.resourceMetadata) return undefined;
  // Throws where the document is about another server.
  await selectResourceURL(url, {} as Parameters<typeof selectResourceURL>[1], info.resourceMetadata);
  return info.resourceMetadata.resource;
}
