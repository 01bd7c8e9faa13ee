/** MCP servers of a session: real processes, from their start to their end. */

import { LocalHost } from "@turnkit/exec-server/local-host";
import { expect, test } from "vitest";
import { say } from "../src/testing/index.js";
import { calls, command, FAULT_SERVER, isAlive, scratch, server, startWithMcp, until } from "./mcp-rig.js";
import { start } from "./session-rig.js";

const HEADER = /^Wall time: \d+\.\d{4} seconds\nOutput:\n/;
const ask = { approval_policy: "on-request", sandbox_policy: { type: "read-only" } } as const;
const settings = {
  model: "gpt-5",
  model_provider_id: "p",
  cwd: "/",
  collaboration_mode: {
    mode: "default",
    settings: { model: "gpt-5", reasoning_effort: null, developer_instructions: null },
  },
} as const;
const fault = server([FAULT_SERVER]);

test.concurrent("tools are offered as mcp__server__tool, and a call is told from its beginning to its end", async () => {
  await using rig = await startWithMcp(calls(["mcp__fault__echo", { word: "hi" }, "c1"]), { servers: { fault } });
  expect(await rig.started("fault")).toEqual({ state: "ready" });
  await rig.say("go");
  await rig.next("task_complete");
  const offered = rig.model.requests[0]!.tools.find(({ name }) => name === "mcp__fault__echo");
  expect(offered).toEqual({
    type: "function",
    name: "mcp__fault__echo",
    description: "does echo",
    strict: false,
    parameters: { type: "object", properties: {} },
  });
  expect(rig.model.requests[0]!.tools.map(({ name }) => name)).toContain("mcp__fault__odd_name_x");
  expect(rig.outputOf("c1")).toMatch(HEADER);
  expect(String(rig.outputOf("c1")).replace(HEADER, "")).toBe(
    '[{"type":"text","text":"you said {\\"word\\":\\"hi\\"}"}]',
  );
  const invocation = { server: "fault", tool: "echo", arguments: { word: "hi" } };
  const result = { content: [{ type: "text", text: 'you said {"word":"hi"}' }] };
  const items = rig.events.filter((event) => "item" in event && event.item.type === "McpToolCall");
  expect(items).toMatchObject([
    {
      type: "item_started",
      item: { id: "c1", server: "fault", tool: "echo", read_only_hint: true, status: "in_progress" },
    },
    { type: "item_completed", item: { id: "c1", arguments: { word: "hi" }, status: "completed", result } },
  ]);
  expect(rig.events.find(({ type }) => type === "mcp_tool_call_begin")).toMatchObject({ call_id: "c1", invocation });
  expect(await rig.next("mcp_tool_call_end")).toMatchObject({
    invocation,
    read_only_hint: true,
    result: { Ok: result },
  });
});

test.concurrent("a namespace and a name are the same as the joined name; an unknown tool is told to the model", async () => {
  const namespaced = async function* () {
    yield { type: "created" as const };
    const item = {
      type: "function_call" as const,
      id: "f",
      call_id: "n1",
      namespace: "mcp__fault",
      name: "read",
      arguments: "",
    };
    yield { type: "itemDone" as const, item };
    yield { type: "completed" as const, usage: undefined, endTurn: undefined };
  };
  await using rig = await startWithMcp([namespaced, ...calls(["mcp__fault__nothing", {}, "n2"])], {
    servers: { fault },
  });
  await rig.started("fault");
  await rig.say("go");
  await rig.next("task_complete");
  expect(rig.outputOf("n1")).toContain('"text":"read"');
  expect(rig.outputOf("n2")).toBe("unsupported call: mcp__fault__nothing");
});

test.concurrent("results of every kind reach the model in its form", async () => {
  const names = ["fail", "throw", "nonsense", "hologram", "structured", "audio", "big", "steps"];
  await using rig = await startWithMcp(calls(...names.map((name) => [`mcp__fault__${name}`, {}, name] as const)), {
    servers: { fault },
  });
  await rig.started("fault");
  await rig.say("go");
  await rig.next("task_complete");
  const body = (name: string) => String(rig.outputOf(name)).replace(HEADER, "");
  expect(body("fail")).toBe('[{"type":"text","text":"it did not work"}]');
  expect(body("throw")).toContain("tool call failed for `fault/throw`\\n\\nCaused by:\\n    Mcp error: -32603: boom");
  expect(body("nonsense")).toContain("Unexpected response type");
  expect(body("hologram")).toBe('[{"type":"hologram","depth":3}]');
  expect(body("structured")).toBe('{"degrees":21}');
  expect(body("audio")).toBe(
    '[{"type":"text","text":"<audio content omitted because you do not support audio input>"}]',
  );
  expect(body("big")).toContain("tokens truncated…");
  expect(Buffer.byteLength(String(rig.outputOf("big")))).toBeLessThan(48_100);
  expect(rig.events.filter(({ type }) => type === "mcp_tool_call_progress")).toEqual([
    { type: "mcp_tool_call_progress", call_id: "steps", turn_id: expect.any(String), message: "1/2" },
    { type: "mcp_tool_call_progress", call_id: "steps", turn_id: expect.any(String), message: "nearly there" },
  ]);
  const ended = rig.events.filter((event) => event.type === "item_completed" && event.item.type === "McpToolCall");
  expect(ended.map((event) => ("item" in event && "status" in event.item ? event.item.status : ""))).toEqual([
    "failed",
    "failed",
    "failed",
    "completed",
    "completed",
    "completed",
    "completed",
    "completed",
  ]);
});

test.concurrent("a failing, a silent and a dying server give one notice each and do not hold up the others", async () => {
  const silent = command(server([]), { command: "sleep", args: ["100"] });
  const servers = {
    missing: command(server([]), { command: "/nonexistent/program" }),
    dying: server(["-e", "process.exit(3)"]),
    silent: { ...silent, startupTimeoutMs: 1500 },
    "bad name": server([]),
    off: { ...server([]), enabled: false },
    fault,
  };
  await using rig = await startWithMcp([], { servers });
  expect(await rig.started("missing")).toEqual({
    state: "failed",
    error: "MCP client for `missing` failed to start: MCP startup failed: No such file or directory (os error 2)",
  });
  expect(await rig.started("bad name")).toEqual({
    state: "failed",
    error:
      "MCP client for `bad name` failed to start: MCP startup failed: Invalid MCP server name 'bad name': must match pattern ^[a-zA-Z0-9_-]+$",
  });
  expect(await rig.started("dying")).toEqual({
    state: "failed",
    error:
      "MCP client for `dying` failed to start: MCP startup failed: handshaking with MCP server failed: connection closed: initialize response",
  });
  expect(await rig.started("fault")).toEqual({ state: "ready" });
  expect(await rig.started("silent")).toEqual({
    state: "failed",
    error:
      "MCP client for `silent` timed out after 1.5 seconds. Add or adjust `startup_timeout_sec` in your config.toml:\n[mcp_servers.silent]\nstartup_timeout_sec = XX",
  });
  const complete = await rig.next("mcp_startup_complete");
  expect(complete.ready).toEqual(["fault"]);
  expect(complete.failed.map(({ server: name }) => name)).toEqual(["missing", "dying", "silent", "bad name"]);
  const updates = rig.events.filter((event) => event.type === "mcp_startup_update");
  expect(updates).toHaveLength(10);
  expect(await rig.session.mcpServers({ resources: true })).toMatchObject([
    { name: "bad name", state: { state: "failed" } },
    { name: "dying", state: { state: "failed" } },
    { name: "fault", state: { state: "connected" }, serverInfo: { name: "fault" }, resources: [{ uri: "test://one" }] },
    { name: "missing", state: { state: "failed" } },
    { name: "off", state: { state: "disabled" }, tools: [] },
    { name: "silent", state: { state: "failed" } },
  ]);
});

test("a session that cannot start a required server does not start, and leaves nothing behind", async () => {
  await using place = await scratch();
  const logged = command(fault, { env: { MCP_TEST_LOG: place.log } });
  const servers = {
    logged: { ...logged, required: true },
    missing: { ...command(server([]), { command: "/nonexistent/program" }), required: true },
  };
  await expect(startWithMcp([], { servers })).rejects.toThrow(
    "required MCP servers failed to initialize: missing: No such file or directory (os error 2)",
  );
  const pid = Number(place.lines()[0]?.split(" ")[1]);
  expect(isAlive(pid)).toBe(false);
  await using rig = await startWithMcp([], { servers: { fault: { ...fault, required: true } } });
  expect(await rig.started("fault")).toEqual({ state: "ready" });
});

test.concurrent("a call that takes too long ends with its limit, and the server is told", async () => {
  await using place = await scratch();
  const slow = { ...command(fault, { env: { MCP_TEST_LOG: place.log } }), toolTimeoutMs: 300 };
  await using rig = await startWithMcp(calls(["mcp__slow__hang", {}, "h"], ["mcp__slow__read", {}, "r"]), {
    servers: { slow },
  });
  await rig.started("slow");
  await rig.say("go");
  await rig.next("task_complete");
  expect(rig.outputOf("h")).toContain("timed out awaiting tools/call after 0.3s");
  expect(rig.outputOf("r")).toContain('"text":"read"');
});

test.concurrent("an interrupted call ends at once, tells nothing more, and the server goes on", async () => {
  await using place = await scratch();
  const logged = command(fault, { env: { MCP_TEST_LOG: place.log } });
  await using rig = await startWithMcp(
    [...calls(["mcp__logged__hang", {}, "h"]).slice(0, 1), ...calls(["mcp__logged__read", {}, "r"])],
    {
      servers: { logged },
    },
  );
  await rig.started("logged");
  await rig.say("go");
  await until(() => place.lines().includes("hanging"), "the call has reached the server");
  await rig.session.interrupt();
  expect(rig.events.some((event) => event.type === "item_completed" && event.item.type === "McpToolCall")).toBe(false);
  await rig.say("again");
  await rig.next("task_complete");
  expect(rig.outputOf("h")).toMatch(/^aborted by user after \d+\.\ds$/);
  expect(rig.outputOf("r")).toContain('"text":"read"');
  expect(place.lines().filter((line) => line.startsWith("pid"))).toHaveLength(1);
});

test.concurrent("a server that dies in a call fails that call and is started again for the next one", async () => {
  await using rig = await startWithMcp(calls(["mcp__fault__die", {}, "d"], ["mcp__fault__read", {}, "r"]), {
    servers: { fault },
  });
  await rig.started("fault");
  await rig.say("go");
  await rig.next("task_complete");
  expect(rig.outputOf("d")).toContain("tool call failed for `fault/die`\\n\\nCaused by:\\n    Transport closed");
  expect(rig.outputOf("r")).toContain('"text":"read"');
  const states = rig.events.flatMap((event) => (event.type === "mcp_startup_update" ? [event.status.state] : []));
  expect(states).toEqual(["starting", "ready", "starting", "ready"]);
});

test("nothing of the servers outlives the session, and they get only the variables they are given", async () => {
  await using place = await scratch();
  const logged = command(fault, { env: { MCP_TEST_LOG: place.log }, envVars: ["GIVEN"] });
  const rig = await startWithMcp(calls(["mcp__logged__environment", {}, "e"]), {
    servers: { logged },
    mcp: { host: new LocalHost(), environment: { ...process.env, GIVEN: "1", SECRET: "2" } },
  });
  await rig.started("logged");
  await rig.say("go");
  await rig.next("task_complete");
  expect(rig.outputOf("e")).toContain("GIVEN");
  expect(rig.outputOf("e")).not.toContain("SECRET");
  const pid = Number(place.lines()[0]?.split(" ")[1]);
  expect(isAlive(pid)).toBe(true);
  await rig.session.shutdown();
  await until(() => !isAlive(pid), "the server has ended");
});

test.concurrent("only tools that are let through are offered; tools that come later are", async () => {
  const picky = { ...fault, enabledTools: ["read", "more", "late", "fail"], disabledTools: ["fail"] };
  await using rig = await startWithMcp(calls(["mcp__picky__more", {}, "m"]), { servers: { picky } });
  await rig.started("picky");
  const offered = (at: number) =>
    rig.model.requests
      .at(at)!
      .tools.map(({ name }) => name)
      .filter((name) => name.startsWith("mcp__"));
  await rig.say("go");
  await rig.next("task_complete");
  expect(offered(0)).toEqual(["mcp__picky__read", "mcp__picky__more"]);
  // The server says that its list has changed; it is asked for the new one at once.
  let known = 2;
  await until(() => {
    void rig.session.mcpServers().then(([found]) => {
      known = found?.tools.length ?? known;
    });
    return known === 3;
  }, "the new tool is known");
  rig.model.replies.push(say("seen"));
  await rig.say("again");
  await rig.next("task_complete", 2);
  expect(offered(-1)).toEqual(["mcp__picky__read", "mcp__picky__more", "mcp__picky__late"]);
});

test("a session without servers has no tools of theirs and does not load the client", async () => {
  await using rig = await startWithMcp([], { servers: { off: { ...fault, enabled: false } } });
  await rig.say("go");
  await rig.next("task_complete");
  expect(rig.model.requests[0]!.tools.map(({ name }) => name).filter((name) => name.includes("mcp"))).toEqual([]);
  expect(rig.events.filter(({ type }) => type.startsWith("mcp"))).toEqual([]);
  const plain = await start([]);
  expect(await plain.session.mcpServers()).toEqual([]);
  await plain.session.shutdown();
});

test.concurrent("resources are listed and read, and errors are the model's to read", async () => {
  await using rig = await startWithMcp(
    calls(
      ["list_mcp_resources", {}, "all"],
      ["list_mcp_resources", { server: "fault" }, "one"],
      ["read_mcp_resource", { server: "fault", uri: "test://one" }, "read"],
      ["read_mcp_resource", { server: "fault", uri: "test://two" }, "none"],
      ["read_mcp_resource", { server: "other", uri: "test://two" }, "unknown"],
      ["read_mcp_resource", { server: "fault" }, "bad"],
      ["list_mcp_resource_templates", { server: "fault" }, "templates"],
    ),
    { servers: { fault } },
  );
  await rig.started("fault");
  await rig.say("go");
  await rig.next("task_complete");
  const row = { server: "fault", uri: "test://one", name: "one" };
  expect(JSON.parse(String(rig.outputOf("all")))).toEqual({ resources: [row] });
  expect(JSON.parse(String(rig.outputOf("one")))).toEqual({ server: "fault", resources: [row] });
  expect(JSON.parse(String(rig.outputOf("read")))).toEqual({
    server: "fault",
    uri: "test://one",
    contents: [{ uri: "test://one", text: "the first" }],
  });
  expect(rig.outputOf("none")).toBe(
    "resources/read failed: resources/read failed for `fault` (test://two): Mcp error: -32603: no resource test://two",
  );
  expect(rig.outputOf("unknown")).toBe("resources/read failed: unknown MCP server 'other'");
  expect(rig.outputOf("bad")).toBe("failed to parse function arguments: missing field `uri`");
  expect(rig.outputOf("templates")).toContain("resources/templates/list failed");
});

test.concurrent("configuration that changes stops and starts what it has to", async () => {
  await using place = await scratch();
  const logged = command(fault, { env: { MCP_TEST_LOG: place.log } });
  await using rig = await startWithMcp([], {
    servers: { kept: fault, gone: logged },
    session: { settings: { ...settings, ...ask } },
  });
  await rig.started("kept");
  await rig.started("gone");
  const pid = Number(place.lines()[0]?.split(" ")[1]);
  await rig.session.reloadMcpServers({ kept: fault, fresh: fault });
  expect(await rig.started("fresh")).toEqual({ state: "ready" });
  await until(() => !isAlive(pid), "the old server has ended");
  const states = rig.events.flatMap((event) =>
    event.type === "mcp_startup_update" && event.server === "kept" ? [event.status.state] : [],
  );
  expect(states).toEqual(["starting", "ready"]);
  expect((await rig.session.mcpServers()).map(({ name }) => name)).toEqual(["fresh", "kept"]);
});
