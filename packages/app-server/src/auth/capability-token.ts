/** One shared secret: whoever knows the token may connect. Only its digest is kept in memory. */
import { createHash, timingSafeEqual } from "node:crypto";
import { type Authorizer, bearerToken } from "./authorizer.js";

export function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** `digest`: SHA-256 of the token, 32 bytes. Compared in constant time. */
export function capabilityTokenAuthorizer(digest: Buffer): Authorizer {
  return (authorization) => {
    const bearer = bearerToken(authorization);
    if ("problem" in bearer) return bearer.problem;
    return timingSafeEqual(sha256(bearer.token), digest) ? undefined : "invalid websocket bearer token";
  };
}
