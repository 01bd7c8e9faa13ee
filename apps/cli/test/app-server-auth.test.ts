/** Who may connect to a real app-server: every option of its authentication, judged as the reference judges. */
import { createHash, createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { Home, PROCESS_TIMEOUT } from "./support/cli.js";
import { RawWebSocket } from "./support/raw-websocket.js";
import { serveApp } from "./support/served-app.js";

const SECRET = "0123456789abcdef0123456789abcdef";
const now = Math.floor(Date.now() / 1000);
const encode = (value: unknown) =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
const hashes: Record<string, string> = { HS256: "sha256", HS384: "sha384", HS512: "sha512" };

/** A signed token; `header` adds members to its head. */
function token(claims: unknown, header: Record<string, unknown> = {}, key = SECRET): string {
  const head: Record<string, unknown> = { alg: "HS256", typ: "JWT", ...header };
  const content = `${encode(head)}.${encode(claims)}`;
  const hash = hashes[String(head.alg)];
  return `${content}.${hash ? createHmac(hash, key).update(content).digest("base64url") : ""}`;
}

const bearer = (value: string) => ({ authorization: `Bearer ${value}` });
type Headers = Readonly<Record<string, string>>;
type Row = readonly [name: string, headers: Headers, verdict: string];

/** `101`, or the status and the words of the refusal. */
async function verdict(address: string, headers: Headers): Promise<string> {
  try {
    const client = await RawWebSocket.open(address, { headers });
    const served = (await client.hello())?.result !== undefined;
    client.cut("destroy", {});
    return served ? "101" : "not served";
  } catch (error) {
    const [head, body] = (error as Error).message.split("\r\n\r\n");
    return `${/ (\d{3}) /.exec(head ?? "")?.[1]} ${body}`.trim();
  }
}

const jwt = "401 invalid websocket jwt";
const good = { exp: now + 600 };
const tables: { name: string; args: (home: Home) => string[]; rows: Row[] }[] = [
  {
    name: "a token in a file",
    args: (home) => ["--ws-auth", "capability-token", "--ws-token-file", home.write("token", " open-sesame \n")],
    rows: [
      ["right", bearer("open-sesame"), "101"],
      ["another case of the scheme", { authorization: "bEARER  open-sesame " }, "101"],
      ["wrong", bearer("nope"), "401 invalid websocket bearer token"],
      ["a part of it", bearer("open-sesam"), "401 invalid websocket bearer token"],
      ["two words", bearer("open sesame"), "401 invalid websocket bearer token"],
      ["missing", {}, "401 missing websocket bearer token"],
      ["another scheme", { authorization: "Basic open-sesame" }, "401 invalid authorization header"],
      ["no token", { authorization: "Bearer" }, "401 invalid authorization header"],
      ["a tab", { authorization: "Bearer\topen-sesame" }, "401 invalid authorization header"],
      ["right, from a web page", { ...bearer("open-sesame"), origin: "https://evil.example" }, "403"],
      ["wrong, from a web page", { ...bearer("nope"), origin: "https://evil.example" }, "403"],
    ],
  },
  {
    name: "a token's digest, and one origin that is allowed",
    args: () => [
      ...["--ws-auth", "capability-token", "--allow-origin", "https://good.example"],
      ...["--ws-token-sha256", createHash("sha256").update("hello").digest("hex").toUpperCase()],
    ],
    rows: [
      ["right", bearer("hello"), "101"],
      [
        "the digest itself",
        bearer(createHash("sha256").update("hello").digest("hex")),
        "401 invalid websocket bearer token",
      ],
      ["right, from the listed page", { ...bearer("hello"), origin: "https://good.example" }, "101"],
      ["missing, from the listed page", { origin: "https://good.example" }, "401 missing websocket bearer token"],
      ["right, from no page", { ...bearer("hello"), origin: "null" }, "403"],
    ],
  },
  {
    name: "signed tokens",
    args: (home) => [
      "--ws-auth",
      "signed-bearer-token",
      "--ws-shared-secret-file",
      home.write("secret", `${SECRET}\n`),
    ],
    rows: [
      ["right", bearer(token(good)), "101"],
      ["no expiry", bearer(token({})), jwt],
      ["an expiry in words", bearer(token({ exp: "soon" })), jwt],
      ["an expiry with a fraction", bearer(token({ exp: now + 600.5 })), jwt],
      ["an expiry beyond 64 bits", bearer(token({ exp: 1e30 })), jwt],
      ["expired within the skew", bearer(token({ exp: now - 5 })), "101"],
      ["expired", bearer(token({ exp: now - 60 })), "401 expired websocket jwt"],
      ["valid soon, within the skew", bearer(token({ ...good, nbf: now + 20 })), "101"],
      ["not yet valid", bearer(token({ ...good, nbf: now + 120 })), "401 websocket jwt is not valid yet"],
      ["no beginning", bearer(token({ ...good, nbf: null })), "101"],
      ["another key", bearer(token(good, {}, "x".repeat(32))), jwt],
      ["no algorithm", bearer(token(good, { alg: "none" })), jwt],
      ["no algorithm, signed", bearer(token(good).replace(/^[^.]+/, encode({ alg: "none" }))), jwt],
      ["HS384", bearer(token(good, { alg: "HS384" })), jwt],
      ["HS512", bearer(token(good, { alg: "HS512" })), jwt],
      ["an algorithm in another case", bearer(token(good, { alg: "hs256" })), jwt],
      ["another type", bearer(token(good, { typ: "at+jwt" })), "101"],
      ["a key id that is no text", bearer(token(good, { kid: 5 })), jwt],
      ["padding", bearer(`${token(good)}=`), jwt],
      ["four parts", bearer(`${token(good)}.x`), jwt],
      ["no token at all", bearer("a.b.c"), jwt],
      ["claims in a list", bearer(token([good])), jwt],
      ["an issuer nobody asked for", bearer(token({ ...good, iss: "me", aud: "you" })), "101"],
      ["an audience that is no text", bearer(token({ ...good, aud: 5 })), jwt],
      ["missing", {}, "401 missing websocket bearer token"],
    ],
  },
  {
    name: "signed tokens for one audience, from one issuer, without skew",
    args: (home) => [
      ...["--ws-auth", "signed-bearer-token", "--ws-shared-secret-file", home.write("secret", SECRET)],
      ...["--ws-issuer", " me ", "--ws-audience", "you", "--ws-max-clock-skew-seconds", "0"],
    ],
    rows: [
      ["right", bearer(token({ ...good, iss: "me", aud: "you" })), "101"],
      ["among others", bearer(token({ ...good, iss: "me", aud: ["them", "you"] })), "101"],
      ["wrong issuer", bearer(token({ ...good, iss: "them", aud: "you" })), "401 websocket jwt issuer mismatch"],
      ["no issuer", bearer(token({ ...good, aud: "you" })), "401 websocket jwt issuer mismatch"],
      ["issuers in a list", bearer(token({ ...good, iss: ["me"], aud: "you" })), jwt],
      ["wrong audience", bearer(token({ ...good, iss: "me", aud: ["them"] })), "401 websocket jwt audience mismatch"],
      ["no audience", bearer(token({ ...good, iss: "me" })), "401 websocket jwt audience mismatch"],
      ["an audience that is no text", bearer(token({ ...good, iss: "me", aud: ["you", 5] })), jwt],
      ["just expired", bearer(token({ exp: now - 5, iss: "me", aud: "you" })), "401 expired websocket jwt"],
      ["valid soon", bearer(token({ ...good, nbf: now + 300 })), "401 websocket jwt is not valid yet"],
    ],
  },
];

it.each(tables)("$name", { timeout: PROCESS_TIMEOUT }, async ({ args, rows }) => {
  await using home = new Home();
  await using server = await serveApp(home, args(home));
  const verdicts = await Promise.all(
    rows.map(async ([name, headers]) => [name, await verdict(server.address, headers)]),
  );
  expect(verdicts).toEqual(rows.map(([name, , expected]) => [name, expected]));
  // Whether the server lives is no secret.
  const http = server.address.replace("ws:", "http:");
  for (const probe of ["/readyz", "/healthz"]) expect((await fetch(http + probe)).status).toBe(200);
  expect((await fetch(`${http}/readyz`, { headers: { origin: "https://evil.example" } })).status).toBe(403);
});

it("beyond loopback nothing starts without authentication", { timeout: PROCESS_TIMEOUT }, async () => {
  await using home = new Home();
  const refused = await home.run(["app-server", "--listen", "ws://0.0.0.0:0"]);
  expect(refused).toEqual({
    code: 1,
    stdout: "",
    stderr:
      "Error: refusing to start non-loopback websocket listener 0.0.0.0:0 without auth; configure `--ws-auth capability-token` or `--ws-auth signed-bearer-token`\n",
  });
  await using server = await serveApp(
    home,
    ["--ws-auth", "capability-token", "--ws-token-file", home.write("token", "open")],
    "ws://0.0.0.0:0",
  );
  const address = server.address.replace("0.0.0.0", "127.0.0.1");
  expect(await verdict(address, {})).toBe("401 missing websocket bearer token");
  expect(await verdict(address, bearer("open"))).toBe("101");
});
