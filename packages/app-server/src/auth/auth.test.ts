import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { capabilityTokenAuthorizer, sha256 } from "./capability-token.js";
import { signedTokenAuthorizer } from "./signed-bearer-token.js";

describe("capability token", () => {
  const authorize = capabilityTokenAuthorizer(sha256("open sesame".replace(" ", "-")));

  it.each([
    ["Bearer open-sesame", undefined],
    ["bEARER open-sesame", undefined],
    [undefined, "missing websocket bearer token"],
    ["Basic open-sesame", "invalid authorization header"],
    ["Bearer  open-sesame ", undefined],
    ["Bearer\topen-sesame", "invalid authorization header"],
    ["Bearer", "invalid authorization header"],
    ["Bearer  ", "invalid authorization header"],
    ["Bearer open sesame", "invalid websocket bearer token"],
    ["Bearer wrong", "invalid websocket bearer token"],
  ])("%s → %s", (header, problem) => {
    expect(authorize(header)).toBe(problem);
  });
});

describe("signed bearer token", () => {
  const secret = Buffer.alloc(32, 7);
  const now = 1_000_000;
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const sign = (claims: unknown, { alg = "HS256", key = secret } = {}) => {
    const content = `${encode({ alg, typ: "JWT" })}.${encode(claims)}`;
    return `Bearer ${content}.${createHmac("sha256", key).update(content).digest("base64url")}`;
  };
  const authorize = (issuer?: string, audience?: string) =>
    signedTokenAuthorizer({ secret, issuer, audience, maxClockSkewSeconds: 30, nowSeconds: () => now });

  it.each([
    [sign({ exp: now + 1 }), undefined],
    [sign({ exp: now - 30 }), undefined],
    [sign({ exp: now - 31 }), "expired websocket jwt"],
    [sign({ exp: now + 1, nbf: now + 30 }), undefined],
    [sign({ exp: now + 1, nbf: now + 31 }), "websocket jwt is not valid yet"],
    [sign({}), "invalid websocket jwt"],
    [sign({ exp: "soon" }), "invalid websocket jwt"],
    [sign({ exp: now + 1 }, { alg: "none" }), "invalid websocket jwt"],
    [sign({ exp: now + 1 }, { key: Buffer.alloc(32, 8) }), "invalid websocket jwt"],
    ["Bearer a.b", "invalid websocket jwt"],
    ["Bearer a.b.c", "invalid websocket jwt"],
    [undefined, "missing websocket bearer token"],
  ])("%# gives %s", (header, problem) => {
    expect(authorize()(header)).toBe(problem);
  });

  it.each([
    [{ iss: "me", aud: "you" }, undefined],
    [{ iss: "me", aud: ["them", "you"] }, undefined],
    [{ iss: "other", aud: "you" }, "websocket jwt issuer mismatch"],
    [{ aud: "you" }, "websocket jwt issuer mismatch"],
    [{ iss: "me", aud: ["them"] }, "websocket jwt audience mismatch"],
    [{ iss: "me" }, "websocket jwt audience mismatch"],
  ])("checks issuer and audience of %j", (claims, problem) => {
    expect(authorize("me", "you")(sign({ exp: now + 1, ...claims }))).toBe(problem);
  });
});
