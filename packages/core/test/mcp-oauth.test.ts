/** Signing in to MCP servers: logins, stored tokens in sessions, renewal, against a real authorization server. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import type { McpCredentialsEntry } from "@turnkit/protocol";
import { expect, test } from "vitest";
import type { McpServerConfig } from "../src/config/index.js";
import { forgetMcpLogin, type McpLoginOptions, mcpAuthStatus, startMcpLogin } from "../src/mcp/oauth/index.js";
import { calls, scratch, server, startWithMcp } from "./mcp-rig.js";
import { OAuthServer } from "./oauth-server.js";

type Http = Extract<McpServerConfig["transport"], { type: "http" }>;

function guarded(url: string, changes: Partial<Http> = {}): McpServerConfig {
  return server([], {
    transport: {
      type: "http",
      url,
      bearerTokenVariable: undefined,
      headers: {},
      variableHeaders: {},
      scopes: undefined,
      oauthResource: undefined,
      oauthClientId: undefined,
      ...changes,
    },
  });
}

async function place() {
  const [oauth, at] = [await OAuthServer.start(), await scratch()];
  const home = at.folder;
  const file = path.join(home, ".credentials.json");
  const config = guarded(oauth.mcpUrl);
  const login = (changes: Partial<McpLoginOptions> = {}) =>
    startMcpLogin({
      name: "guarded",
      server: config,
      home,
      environment: {},
      scopes: undefined,
      callback: { port: undefined, url: undefined },
      timeoutMs: undefined,
      ...changes,
    });
  return {
    oauth,
    home,
    file,
    config,
    login,
    entry: () => Object.values(JSON.parse(readFileSync(file, "utf8")))[0] as McpCredentialsEntry,
    change: (members: Partial<McpCredentialsEntry>) => {
      const entries = JSON.parse(readFileSync(file, "utf8"));
      for (const entry of Object.values(entries)) Object.assign(entry as object, members);
      writeFileSync(file, JSON.stringify(entries));
    },
    signIn: async () => {
      await using running = await login();
      await oauth.visit(running.authorizationUrl);
      await running.completed;
    },
    status: (changed = config) => mcpAuthStatus("guarded", changed, { home, environment: {} }),
    session: () =>
      startWithMcp(calls(["mcp__guarded__peek", {}, "c1"]), { servers: { guarded: config }, mcp: { home } }),
    async [Symbol.asyncDispose]() {
      await oauth[Symbol.asyncDispose]();
      await at[Symbol.asyncDispose]();
    },
  };
}

test.concurrent("a login registers, asks with PKCE and keeps the tokens for their owner only", async () => {
  await using at = await place();
  expect(await at.status()).toBe("notLoggedIn");
  await using login = await at.login({ scopes: ["a", "b"] });
  expect(at.oauth.tokenRequests).toEqual([]);
  expect(await at.oauth.visit(login.authorizationUrl)).toEqual({
    status: 200,
    text: "You are logged in to guarded. You can close this window.\n",
  });
  await login.completed;
  const [asked] = at.oauth.authorizations;
  expect(asked).toMatchObject({
    response_type: "code",
    client_id: "client-1",
    code_challenge_method: "S256",
    scope: "a b",
    resource: at.oauth.mcpUrl,
    redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback\/[\w-]{12}$/),
  });
  expect(at.oauth.registrations).toMatchObject([
    { client_name: "Turnkit", redirect_uris: [asked?.redirect_uri], token_endpoint_auth_method: "none", scope: "a b" },
  ]);
  expect(statSync(at.file).mode & 0o777).toBe(0o600);
  expect(at.entry()).toEqual({
    server_name: "guarded",
    server_url: at.oauth.mcpUrl,
    issuer: expect.stringMatching(at.oauth.origin),
    client_id: "client-1",
    access_token: [...at.oauth.accessTokens][0],
    refresh_token: expect.stringMatching(/^refresh-/),
    expires_at: expect.any(Number),
    scopes: ["a", "b"],
  });
  expect(at.entry().expires_at).toBeGreaterThan(Date.now() + 3_500_000);
  expect(await at.status()).toBe("oAuth");
  // Nobody listens any longer.
  await expect(fetch(asked?.redirect_uri ?? "")).rejects.toThrow("fetch failed");
});

test("the layout is the one that other programs read", async () => {
  await using at = await place();
  const { CredentialsFile } = await import("../src/mcp/oauth/credentials-file.js");
  const url = "http://127.0.0.1:45871/mcp";
  await new CredentialsFile(at.home).put({ ...ENTRY, server_name: "guarded", server_url: url });
  // As the reference named its own entry for this server.
  expect(Object.keys(JSON.parse(readFileSync(at.file, "utf8")))).toEqual(["guarded|e6c0a2b9aa1f6e5c"]);
  expect(readdirSync(at.home)).toEqual([".credentials.json"]);
});

test.concurrent("an answer with another state is turned away and the login waits for its own", async () => {
  await using at = await place();
  await using login = await at.login();
  at.oauth.behaviour.state = "somebody-else";
  expect(await at.oauth.visit(login.authorizationUrl)).toMatchObject({
    status: 400,
    text: expect.stringContaining("belongs to another login"),
  });
  const redirect = new URL(at.oauth.authorizations[0]?.redirect_uri ?? "");
  for (const [other, status] of [
    [new URL("/callback/other?code=x", redirect), 404],
    [redirect, 400],
  ] as const)
    expect((await fetch(other)).status).toBe(status);
  expect(at.oauth.tokenRequests).toEqual([]);
  at.oauth.behaviour.state = undefined;
  expect((await at.oauth.visit(login.authorizationUrl)).status).toBe(200);
  await login.completed;
  expect(await at.status()).toBe("oAuth");
});

test.concurrent.each([
  ["the person says no", "OAuth provider returned `access_denied`: the person said no"],
  ["the code is not good", "OAuth token exchange failed: invalid_grant: this code is not good"],
] as const)("%s: the login fails with the server's reason, and nothing is kept", async (what, message) => {
  await using at = await place();
  if (what === "the person says no") at.oauth.behaviour.deny = true;
  else at.oauth.behaviour.refuseCodes = true;
  await using login = await at.login();
  const page = await at.oauth.visit(login.authorizationUrl);
  expect(page).toEqual({ status: 400, text: `The login to guarded failed: ${message}\n` });
  await expect(login.completed).rejects.toThrow(message);
  expect(existsSync(at.file)).toBe(false);
  expect(await at.status()).toBe("notLoggedIn");
});

test.concurrent("a login that nobody answers ends; one that is given up frees its port", async () => {
  await using at = await place();
  await using login = await at.login({ timeoutMs: 20 });
  await expect(login.completed).rejects.toThrow("timed out waiting for OAuth callback");
  const free = createServer();
  await new Promise<void>((resolve) => free.listen(0, "127.0.0.1", resolve));
  const { port } = free.address() as { port: number };
  const taken = at.login({ callback: { port, url: undefined } });
  await expect(taken).rejects.toThrow(`cannot listen on port ${port} for the answer of the browser: EADDRINUSE`);
  await new Promise((resolve) => free.close(resolve));
  const url = `http://localhost:${port}/back?x=1`;
  const configured = await at.login({ callback: { port, url } });
  expect(new URL(configured.authorizationUrl).searchParams.get("redirect_uri")).toMatch(
    /^http:\/\/localhost:\d+\/back\/[\w-]{12}\?x=1$/,
  );
  await configured[Symbol.asyncDispose]();
  await expect(configured.completed).rejects.toThrow("the login was given up");
  await (await at.login({ callback: { port, url: undefined } }))[Symbol.asyncDispose]();
});

test.concurrent("a configured client is not registered; configured scopes and resource are asked for", async () => {
  await using at = await place();
  const changes = { oauthClientId: "mine", scopes: ["q"], oauthResource: "https://example.com/all" };
  await using login = await at.login({ server: guarded(at.oauth.mcpUrl, changes) });
  const asked = new URL(login.authorizationUrl).searchParams;
  expect(Object.fromEntries(asked)).toMatchObject({
    client_id: "mine",
    scope: "q",
    resource: "https://example.com/all",
  });
  expect(at.oauth.registrations).toEqual([]);
});

test.concurrent("servers to which nobody can sign in", async () => {
  await using at = await place();
  at.oauth.behaviour.discoverable = false;
  await expect(at.login()).rejects.toThrow("The guarded MCP server does not offer OAuth.");
  expect(await at.status()).toBe("unsupported");
  const command = server(["x"]);
  await expect(at.login({ server: command })).rejects.toThrow(
    "OAuth login is only supported for streamable HTTP servers.",
  );
  expect(await at.status(command)).toBe("unsupported");
  const own = guarded(at.oauth.mcpUrl, { headers: { authorization: "Basic x" } });
  await expect(at.login({ server: own })).rejects.toThrow("there is nothing to sign in to");
  expect(await at.status(own)).toBe("bearerToken");
  const away = guarded("http://127.0.0.1:1/mcp");
  await expect(at.login({ server: away })).rejects.toThrow("cannot reach the server: fetch failed");
  expect(await at.status(away)).toBe("unknown");
});

test.concurrent("a session uses the tokens, and no secret is in its events, its log or its history", async () => {
  await using at = await place();
  await at.signIn();
  await using rig = await at.session();
  expect(await rig.started("guarded")).toEqual({ state: "ready" });
  await rig.say("go");
  await rig.next("task_complete");
  expect(JSON.stringify(rig.outputOf("c1"))).toContain("seen");
  expect((await rig.session.mcpServers()).map(({ auth }) => auth)).toEqual(["oAuth"]);
  expect(at.oauth.secrets.length).toBeGreaterThan(2);
  const told = JSON.stringify([rig.events, rig.told, rig.warnings, rig.model.requests]);
  for (const secret of at.oauth.secrets) expect(told).not.toContain(secret);
});

test.concurrent.each([
  ["expired", { expires_at: 1 }],
  ["refused by the server", {}],
] as const)("a token that is %s is renewed, once for all who need it", async (what, members) => {
  await using at = await place();
  await at.signIn();
  const before = at.entry();
  at.change(members);
  if (what !== "expired") at.oauth.accessTokens.clear();
  await using one = await at.session();
  await using two = await at.session();
  for (const rig of [one, two]) expect(await rig.started("guarded")).toEqual({ state: "ready" });
  const renewals = at.oauth.tokenRequests.filter(({ grant_type: kind }) => kind === "refresh_token");
  expect(renewals).toEqual([
    {
      grant_type: "refresh_token",
      refresh_token: before.refresh_token,
      client_id: before.client_id,
      resource: at.oauth.mcpUrl,
    },
  ]);
  const after = at.entry();
  expect(after.access_token).not.toBe(before.access_token);
  expect(after.refresh_token).not.toBe(before.refresh_token);
  expect(after.expires_at).toBeGreaterThan(Date.now());
  expect(statSync(at.file).mode & 0o777).toBe(0o600);
});

test.concurrent("a renewal that is refused ends the login, and the session says what to do", async () => {
  await using at = await place();
  await at.signIn();
  at.change({ expires_at: 1 });
  at.oauth.behaviour.refuseRefresh = true;
  await using rig = await at.session();
  const error = "The guarded MCP server requires OAuth reauthentication. Run `turnkit mcp login guarded`.";
  expect(await rig.started("guarded")).toEqual({ state: "failed", error });
  const [told] = rig.events.filter((event) => event.type === "mcp_startup_update" && event.failure_reason != null);
  expect(told).toMatchObject({ failure_reason: "reauthentication_required" });
  expect((await rig.session.mcpServers()).map(({ auth, state }) => [auth, state])).toEqual([
    ["notLoggedIn", { state: "failed", error, authenticationRequired: true, loginExpired: true }],
  ]);
  expect(existsSync(at.file)).toBe(false);
  expect(await at.status()).toBe("notLoggedIn");
});

test.concurrent("a renewal that fails for another reason keeps the login", async () => {
  await using at = await place();
  await at.signIn();
  at.change({ expires_at: 1 });
  at.oauth.behaviour.broken = true;
  await using rig = await at.session();
  const status = await rig.started("guarded");
  expect(status).toMatchObject({ state: "failed", error: expect.stringContaining("the sign-in could not be renewed") });
  for (const secret of at.oauth.secrets) expect(JSON.stringify(status)).not.toContain(secret);
  expect(await at.status()).toBe("oAuth");
});

test.concurrent("a session without a login says so, and starts the server after one", async () => {
  await using at = await place();
  await using rig = await at.session();
  expect(await rig.started("guarded")).toEqual({
    state: "failed",
    error: "The guarded MCP server is not logged in. Run `turnkit mcp login guarded`.",
  });
  expect(at.oauth.registrations).toEqual([]);
  await at.signIn();
  await rig.session.retryMcpServer("guarded");
  expect((await rig.session.mcpServers()).map(({ auth, state }) => [auth, state.state])).toEqual([
    ["oAuth", "connected"],
  ]);
});

test.concurrent("logging out forgets one server's tokens, and the file with the last of them", async () => {
  await using at = await place();
  await at.signIn();
  const other = { ...guarded("https://example.com/mcp") };
  expect(await forgetMcpLogin(at.home, "other", other)).toBe(false);
  expect(await at.status()).toBe("oAuth");
  expect(await forgetMcpLogin(at.home, "guarded", at.config)).toBe(true);
  expect(existsSync(at.file)).toBe(false);
  expect(await at.status()).toBe("notLoggedIn");
  await expect(forgetMcpLogin(at.home, "x", server(["x"]))).rejects.toThrow("only supported for streamable_http");
});

test.concurrent.each([
  ["{", "is not JSON"],
  ['{"a":{"access_token":"very-secret"}}', "a.server_name is required"],
])("a credentials file that holds %s is named, not quoted and not replaced", async (content, message) => {
  await using at = await place();
  writeFileSync(at.file, content);
  await expect(at.status()).rejects.toThrow(message);
  await expect(at.status()).rejects.not.toThrow("very-secret");
  await expect(forgetMcpLogin(at.home, "guarded", at.config)).rejects.toThrow(message);
  expect(readFileSync(at.file, "utf8")).toBe(content);
});

const ENTRY: McpCredentialsEntry = { server_name: "", server_url: "", client_id: "c", access_token: "a" };
