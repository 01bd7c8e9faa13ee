/** MCP servers as clients of the app-server see them, from the wire down to real processes. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { functionCall, message } from "@turnkit/core/scripted-model";
import { expect, test } from "vitest";
import { connect, type Folders, folders, text } from "./composed-server.js";

const SERVER = fileURLToPath(new URL("../../core/test/mcp-fault-server.mjs", import.meta.url));
const table = (name: string, more = "") =>
  `[mcp_servers.${name}]\ncommand = ${JSON.stringify(process.execPath)}\nargs = [${JSON.stringify(SERVER)}]\n${more}\n`;

const ASKING = 'approval_policy = "on-request"\nsandbox_mode = "read-only"';

/** `tables` stand at the end of the configuration. */
async function place(tables: string, asking = false): Promise<Folders> {
  const made = await folders();
  const file = join(made.home, "config.toml");
  const config = readFileSync(file, "utf8");
  const policy = 'approval_policy = "never"\nsandbox_mode = "danger-full-access"';
  writeFileSync(file, `${asking ? config.replace(policy, ASKING) : config}\n${tables}`);
  return made;
}

const plays = (model: Folders["model"], name: string, id: string) =>
  model.push({ items: [functionCall(name, {}, id)] }, { items: [message("done")] });

const ready = (server: Awaited<ReturnType<typeof connect>>, name: string) =>
  server.client.until(
    ({ method, params }) =>
      method === "mcpServer/startupStatus/updated" && params.name === name && params.status === "ready",
  );

test.concurrent("start-up is told to the client, and a call is an item of its own", async () => {
  await using at = await place(table("fault") + table("off", "enabled = false"));
  await using server = await connect(at);
  const threadId = await server.thread();
  await ready(server, "fault");
  const told = server.client.seen.filter(({ method }) => method === "mcpServer/startupStatus/updated");
  expect(told.map(({ params }) => params)).toEqual(
    ["starting", "ready"].map((status) => ({ threadId, name: "fault", status, error: null, failureReason: null })),
  );
  plays(at.model, "mcp__fault__steps", "c1");
  await server.turn(threadId, "go");
  const items = server.client.seen.filter(({ params }) => params?.item?.type === "mcpToolCall");
  const common = {
    type: "mcpToolCall",
    id: "c1",
    server: "fault",
    tool: "steps",
    arguments: {},
    appContext: null,
    pluginId: null,
    readOnlyHint: null,
    error: null,
  };
  expect(items.map(({ method, params }) => [method, params.item])).toEqual([
    ["item/started", { ...common, status: "inProgress", result: null, durationMs: null }],
    [
      "item/completed",
      {
        ...common,
        status: "completed",
        result: { content: [{ type: "text", text: "stepped" }], structuredContent: null, _meta: null },
        durationMs: expect.any(Number),
      },
    ],
  ]);
  const progress = server.client.seen.filter(({ method }) => method === "item/mcpToolCall/progress");
  expect(progress.map(({ params }) => params.message)).toEqual(["1/2", "nearly there"]);
  const { thread } = await server.ok("thread/read", { threadId, includeTurns: true });
  expect(thread.turns[0].items.map(({ type }: { type: string }) => type)).toEqual([
    "userMessage",
    "mcpToolCall",
    "agentMessage",
  ]);
});

test.concurrent("approvals and questions of servers are requests to the client; what holds for good is kept in config.toml", async () => {
  await using at = await place(table("fault"), true);
  await using server = await connect(at);
  const threadId = await server.thread();
  await ready(server, "fault");
  plays(at.model, "mcp__fault__ask", "c1");
  const { turn } = await server.ok("turn/start", { threadId, input: text("go") });
  const approval = await server.client.notification("mcpServer/elicitation/request");
  expect(approval.params).toEqual({
    threadId,
    turnId: turn.id,
    serverName: "fault",
    mode: "form",
    _meta: {
      codex_approval_kind: "mcp_tool_call",
      persist: ["session", "always"],
      tool_description: "does ask",
      tool_params: {},
      tool_params_display: [],
    },
    message: 'Allow the fault MCP server to run tool "ask"?',
    requestedSchema: { type: "object", properties: {} },
  });
  const waiting = server.client.seen.filter(({ method }) => method === "thread/status/changed").at(-1)?.params;
  expect(waiting.status).toEqual({ type: "active", activeFlags: ["waitingOnApproval"] });
  server.client.send({ id: approval.id, result: { action: "accept", content: {}, _meta: { persist: "always" } } });
  const question = await server.client.notification("mcpServer/elicitation/request", 2);
  expect(question.params).toMatchObject({ mode: "form", _meta: null, message: "Who are you?" });
  server.client.send({ id: question.id, result: { action: "accept", content: { name: "Bob" } } });
  await server.completed(turn.id);
  const resolved = server.client.seen.filter(({ method }) => method === "serverRequest/resolved");
  expect(resolved.map(({ params }) => params.requestId)).toEqual([approval.id, question.id]);
  const last = JSON.stringify(at.model.calls.at(-1)?.body);
  expect(last).toContain('\\\\\\"name\\\\\\":\\\\\\"Bob\\\\\\"');
  expect(readFileSync(join(at.home, "config.toml"), "utf8")).toContain(
    '[mcp_servers.fault.tools.ask]\napproval_mode = "approve"',
  );
});

test.concurrent.each([
  ["an error", { error: { code: -32000, message: "no" } }, "decline"],
  ["no answer at all", { result: "junk" }, "decline"],
  ["a refusal", { result: { action: "decline" } }, "decline"],
  ["a cancellation", { result: { action: "cancel" } }, "cancel"],
])("%s is an answer to a server's question", async (_, reply, action) => {
  await using at = await place(table("fault", 'default_tools_approval_mode = "approve"'), true);
  await using server = await connect(at);
  const threadId = await server.thread();
  await ready(server, "fault");
  plays(at.model, "mcp__fault__ask", "c1");
  const { turn } = await server.ok("turn/start", { threadId, input: text("go") });
  const question = await server.client.notification("mcpServer/elicitation/request");
  server.client.send({ id: question.id, ...reply });
  await server.completed(turn.id);
  expect(JSON.stringify(at.model.calls.at(-1)?.body)).toContain(`action\\\\\\":\\\\\\"${action}`);
});

test.concurrent("an interruption ends the question, and its request", async () => {
  await using at = await place(table("fault", 'default_tools_approval_mode = "approve"'), true);
  await using server = await connect(at);
  const threadId = await server.thread();
  await ready(server, "fault");
  plays(at.model, "mcp__fault__ask", "c1");
  const { turn } = await server.ok("turn/start", { threadId, input: text("go") });
  const question = await server.client.notification("mcpServer/elicitation/request");
  expect(await server.ok("turn/interrupt", { threadId, turnId: turn.id })).toEqual({});
  const resolved = await server.client.notification("serverRequest/resolved");
  expect(resolved.params).toEqual({ threadId, requestId: question.id });
  server.client.send({ id: question.id, result: { action: "accept", content: { name: "late" } } });
  at.model.push({ items: [message("after")] });
  expect((await server.turn(threadId, "again")).params.turn.status).toBe("completed");
});

test.concurrent("a required server that does not start keeps the thread from starting", async () => {
  await using at = await place('[mcp_servers.bad]\ncommand = "/nonexistent/program"\nrequired = true\n');
  await using server = await connect(at);
  const { error } = await server.client.request("thread/start", { cwd: at.cwd });
  expect(error).toEqual({
    code: -32603,
    message:
      "error creating thread: Fatal error: Failed to initialize session: required MCP servers failed to initialize: bad: No such file or directory (os error 2)",
  });
});

test.concurrent("the list of servers with and without a thread, calls and reads by the client, the configuration read again", async () => {
  await using at = await place(table("fault") + table("off", "enabled = false"));
  await using server = await connect(at);
  const looked = await server.ok("mcpServerStatus/list", {});
  expect(looked).toMatchObject({
    data: [
      {
        name: "fault",
        runtimeStatus: null,
        serverInfo: { name: "fault", version: "1" },
        resources: [{ uri: "test://one" }],
      },
      { name: "off", runtimeStatus: null, serverInfo: null, tools: {} },
    ],
    nextCursor: null,
  });
  const threadId = await server.thread();
  await ready(server, "fault");
  const rows = await server.ok("mcpServerStatus/list", { threadId, detail: "toolsAndAuthOnly", limit: 1 });
  expect(rows).toMatchObject({ data: [{ name: "fault", runtimeStatus: "connected", resources: [] }], nextCursor: "1" });
  expect(rows.data[0].tools.read).toMatchObject({ name: "read", inputSchema: { type: "object" } });
  const here = { threadId, server: "fault" };
  expect(await server.ok("mcpServer/tool/call", { ...here, tool: "echo", arguments: { a: 1 } })).toEqual({
    content: [{ type: "text", text: 'you said {"a":1}' }],
  });
  expect(await server.ok("mcpServer/resource/read", { ...here, uri: "test://one" })).toEqual({
    contents: [{ uri: "test://one", text: "the first" }],
    originCallId: null,
  });
  const { error } = await server.client.request("mcpServer/tool/call", { ...here, server: "other", tool: "x" });
  expect(error).toEqual({ code: -32603, message: "failed to call MCP tool: unknown MCP server 'other'" });
  const file = join(at.home, "config.toml");
  writeFileSync(file, readFileSync(file, "utf8").replace("mcp_servers.fault", "mcp_servers.fresh"));
  expect(await server.ok("config/mcpServer/reload", {})).toEqual({});
  await ready(server, "fresh");
  const after = await server.ok("mcpServerStatus/list", { threadId });
  expect(after.data.map(({ name, runtimeStatus }: Record<string, string>) => `${name} ${runtimeStatus}`)).toEqual([
    "fresh connected",
    "off disabled",
  ]);
});

test.concurrent("a server that is configured wrongly is one clear error", async () => {
  await using at = await place('[mcp_servers.both]\ncommand = "x"\nurl = "http://x"\n');
  await using server = await connect(at);
  const { error } = await server.client.request("thread/start", { cwd: at.cwd });
  expect(error).toMatchObject({
    code: -32600,
    message: expect.stringContaining("mcp_servers.both.url is not supported for stdio"),
  });
});
