/**
 * JSON Web Tokens signed with one shared secret (HS256): expiry is required, issuer and audience when configured.
 * As strict as the reference: a member of the wrong type refuses the whole token.
 */
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

interface Claims {
  readonly exp: number;
  readonly nbf?: number | null;
  readonly iss?: string | null;
  readonly aud?: string | readonly string[] | null;
}

type Members = Readonly<Record<string, unknown>>;

export function signedTokenAuthorizer(options: SignedTokenOptions): Authorizer {
  return (authorization) => {
    const bearer = bearerToken(authorization);
    if ("problem" in bearer) return bearer.problem;
    const claims = verified(bearer.token, options.secret);
    return isClaims(claims) ? claimProblem(claims, options) : "invalid websocket jwt";
  };
}

/** What a token with a good signature says; null for everything else, other algorithms included. */
function verified(token: string, secret: Buffer): Members | null {
  const [head, body, signature, ...rest] = token.split(".");
  if (!head || !body || !signature || rest.length > 0) return null;
  if (!isHeader(decode(head))) return null;
  const expected = createHmac("sha256", secret).update(`${head}.${body}`).digest();
  const given = fromBase64Url(signature);
  if (given?.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  return decode(body);
}

const headerTexts = ["typ", "cty", "jku", "kid", "x5u", "x5t", "x5t#S256"];

function isHeader(header: Members | null): boolean {
  return header?.alg === "HS256" && headerTexts.every((name) => isTextOrNothing(header[name]));
}

function isClaims(claims: Members | null): claims is Members & Claims {
  if (claims === null || !isInteger(claims.exp)) return false;
  if (claims.nbf != null && !isInteger(claims.nbf)) return false;
  if (!isTextOrNothing(claims.iss)) return false;
  const { aud } = claims;
  return isTextOrNothing(aud) || (Array.isArray(aud) && aud.every((each) => typeof each === "string"));
}

const isTextOrNothing = (value: unknown) => value == null || typeof value === "string";

/** A signed integer of 64 bits. */
const isInteger = (value: unknown) => Number.isInteger(value) && Math.abs(value as number) < 2 ** 63;

function decode(part: string): Members | null {
  try {
    const value: unknown = JSON.parse(fromBase64Url(part)?.toString("utf8") ?? "");
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : null;
  } catch {
    return null;
  }
}

/** Exactly one text stands for some bytes: no padding, no other alphabet, no bits left over. */
function fromBase64Url(text: string): Buffer | null {
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes : null;
}

function claimProblem(claims: Claims, options: SignedTokenOptions): string | undefined {
  const now = options.nowSeconds();
  const skew = options.maxClockSkewSeconds;
  if (now > claims.exp + skew) return "expired websocket jwt";
  if (claims.nbf != null && now < claims.nbf - skew) return "websocket jwt is not valid yet";
  if (options.issuer !== undefined && claims.iss !== options.issuer) return "websocket jwt issuer mismatch";
  if (options.audience === undefined) return undefined;
  const audiences = Array.isArray(claims.aud) ? claims.aud : [claims.aud];
  return audiences.includes(options.audience) ? undefined : "websocket jwt audience mismatch";
}
