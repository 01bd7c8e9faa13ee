/** Who may open a WebSocket connection. Owns no socket: it looks at one Authorization header. */

/** undefined: let in. Otherwise the words for the 401 reply. */
export type Authorizer = (authorization: string | undefined) => string | undefined;

/** The token of a Bearer header, or why there is none. */
export function bearerToken(authorization: string | undefined): { token: string } | { problem: string } {
  if (authorization === undefined) return { problem: "missing websocket bearer token" };
  const match = /^bearer +(\S+)\s*$/i.exec(authorization);
  return match?.[1] ? { token: match[1] } : { problem: "invalid authorization header" };
}
