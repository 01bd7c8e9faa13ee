/** Signing in to MCP servers as clients of the app-server see it, from the wire to a real authorization server. */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { OAuthServer } from "../../core/test/oauth-server.js";
import { connect, folders } from "./composed-server.js";

async function place() {
  const [oauth, at] = [await OAuthServer.start(), await folders()];
  appendFileSync(
    join(at.home, "config.toml"),
    `[mcp_servers.guarded]\nurl = "${oauth.mcpUrl}"\n[mcp_servers.away]\nurl = "http://127.0.0.1:1/mcp"\nenabled = false\n[mcp_servers.command]\ncommand = "x"\nenabled = false\n`,
  );
  const server = await connect(at);
  return {
    oauth,
    server,
    status: (threadId?: string) =>
      server
        .ok("mcpServerStatus/list", { detail: "toolsAndAuthOnly", threadId })
        .then(({ data }) => data.find(({ name }: { name: string }) => name === "guarded")),
    completed: (count = 1) => server.client.notification("mcpServer/oauthLogin/completed", count),
    startup: (status: string) =>
      server.client.until(
        ({ method, params }) =>
          method === "mcpServer/startupStatus/updated" && params.name === "guarded" && params.status === status,
      ),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await oauth[Symbol.asyncDispose]();
      await at[Symbol.asyncDispose]();
    },
  };
}

test.concurrent("a thread's server waits for a login, which starts it", async () => {
  await using at = await place();
  const threadId = await at.server.thread();
  expect((await at.startup("failed")).params).toEqual({
    threadId,
    name: "guarded",
    status: "failed",
    error: "The guarded MCP server is not logged in. Run `turnkit mcp login guarded`.",
    failureReason: null,
  });
  expect(await at.status(threadId)).toMatchObject({
    runtimeStatus: "authenticationRequired",
    authStatus: "notLoggedIn",
    tools: {},
  });
  const reply = await at.server.ok("mcpServer/oauth/login", { name: "guarded", scopes: ["z"], threadId });
  expect(reply).toEqual({ authorizationUrl: expect.stringMatching(`^${at.oauth.origin}/authorize\\?.*scope=z`) });
  expect((await at.oauth.visit(reply.authorizationUrl)).status).toBe(200);
  expect((await at.completed()).params).toEqual({ name: "guarded", threadId, success: true });
  await at.startup("ready");
  expect(await at.status(threadId)).toMatchObject({
    runtimeStatus: "connected",
    authStatus: "oAuth",
    tools: { peek: { name: "peek" } },
  });
  const wire = JSON.stringify([at.server.client.seen, at.server.log]);
  for (const secret of at.oauth.secrets) expect(wire).not.toContain(secret);
});

test.concurrent("a login that is refused, one that nobody answers and one that another replaces", async () => {
  await using at = await place();
  const begin = async (timeoutSecs?: number) =>
    (await at.server.ok("mcpServer/oauth/login", { name: "guarded", timeoutSecs })).authorizationUrl;
  at.oauth.behaviour.deny = true;
  expect((await at.oauth.visit(await begin())).status).toBe(400);
  const refused = "OAuth provider returned `access_denied`: the person said no";
  expect((await at.completed()).params).toEqual({ name: "guarded", threadId: null, success: false, error: refused });
  await begin();
  await begin(-1);
  expect((await at.completed(2)).params).toMatchObject({ success: false, error: "the login was given up" });
  expect((await at.completed(3)).params).toMatchObject({
    success: false,
    error: "timed out waiting for OAuth callback",
  });
  expect(await at.status()).toMatchObject({ runtimeStatus: null, authStatus: "notLoggedIn" });
});

test.concurrent("what cannot be signed in to is refused", async () => {
  await using at = await place();
  const thread = "0195f1e0-0000-7000-8000-000000000001";
  for (const [params, code, message] of [
    [{ name: "nope" }, -32600, "No MCP server named 'nope' found."],
    [{ name: "toString" }, -32600, "No MCP server named 'toString' found."],
    [{ name: "command" }, -32600, "OAuth login is only supported for streamable HTTP servers."],
    [{ name: "away" }, -32603, "failed to login to MCP server 'away': cannot reach the server: fetch failed"],
    [{ name: "guarded", threadId: thread }, -32600, `thread not found: ${thread}`],
    [{ name: "guarded", clientRegistration: "cimd" }, -32600, 'params.clientRegistration must be "auto" or "dcr"'],
    [{ name: "guarded", scopes: [1] }, -32600, "scopes[0]"],
  ] as const)
    expect((await at.server.client.request("mcpServer/oauth/login", params)).error).toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  expect(at.oauth.registrations).toEqual([]);
});
