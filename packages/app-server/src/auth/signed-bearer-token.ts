/** JSON Web Tokens signed with one shared secret (HS256): expiry is required, issuer and audience when configured. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { type Authorizer, bearerToken } from "./authorizer.js";

export interface SignedTokenOptions {
  /** At least 32 bytes. */
  readonly secret: Buffer;
  readonly issuer: string | undefined;
  readonly audience: string | undefined;
  readonly maxClockSkewSeconds: number;
  readonly nowSeconds: () => number;
}

type Claims = Readonly<Record<string, unknown>>;

export function signedTokenAuthorizer(options: SignedTokenOptions): Authorizer {
  return (authorization) => {
    const bearer = bearerToken(authorization);
    if ("problem" in bearer) return bearer.problem;
    const claims = verified(bearer.token, options.secret);
    return claims === null ? "invalid websocket jwt" : claimProblem(claims, options);
  };
}

/** The claims of a token with a good signature; null for everything else, other algorithms included. */
function verified(token: string, secret: Buffer): Claims | null {
  const [head, body, signature, ...rest] = token.split(".");
  if (!head || !body || !signature || rest.length > 0) return null;
  const header = decode(head);
  if (header?.alg !== "HS256") return null;
  const expected = createHmac("sha256", secret).update(`${head}.${body}`).digest();
  const given = Buffer.from(signature, "base64url");
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  return decode(body);
}

function decode(part: string): Claims | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Claims) : null;
  } catch {
    return null;
  }
}

function claimProblem(claims: Claims, options: SignedTokenOptions): string | undefined {
  const now = options.nowSeconds();
  const skew = options.maxClockSkewSeconds;
  if (typeof claims.exp !== "number") return "invalid websocket jwt";
  if (now > claims.exp + skew) return "expired websocket jwt";
  if (claims.nbf !== undefined && typeof claims.nbf !== "number") return "invalid websocket jwt";
  if (typeof claims.nbf === "number" && now < claims.nbf - skew) return "websocket jwt is not valid yet";
  if (options.issuer !== undefined && claims.iss !== options.issuer) return "websocket jwt issuer mismatch";
  if (options.audience === undefined) return undefined;
  const audiences = Array.isArray(claims.aud) ? claims.aud : [claims.aud];
  return audiences.includes(options.audience) ? undefined : "websocket jwt audience mismatch";
}
