/** Who may open a WebSocket connection. Owns no socket: it looks at one Authorization header. */

/** undefined: let in. Otherwise the words for the 401 reply. */
export type Authorizer = (authorization: string | undefined) => string | undefined;

/** The token of a Bearer header, or why there is none. Spaces inside a token belong to it. */
export function bearerToken(authorization: string | undefined): { token: string } | { problem: string } {
  if (authorization === undefined) return { problem: "missing websocket bearer token" };
  const token = /^bearer (.*)$/i.exec(authorization)?.[1]?.trim();
  return token ? { token } : { problem: "invalid authorization header" };
}
