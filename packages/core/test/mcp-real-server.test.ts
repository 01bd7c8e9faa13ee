/** The official test server for clients, over pipes and over HTTP, and servers that want a token. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { expect, test } from "vitest";
import type { McpServerConfig } from "../src/config/index.js";
import { calls, EVERYTHING, FAULT_SERVER, scratch, server, startWithMcp, until } from "./mcp-rig.js";

function http(url: string, changes: Partial<Extract<McpServerConfig["transport"], { type: "http" }>> = {}) {
  const transport = { type: "http", url, bearerTokenVariable: undefined, headers: {}, variableHeaders: {}, ...changes };
  return server([], { transport: transport as McpServerConfig["transport"] });
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, "close");
  return port;
}

function running(child: ChildProcess) {
  return {
    child,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGKILL");
        await once(child, "exit");
      }
    },
  };
}

const named = [
  ["mcp__everything__echo", { message: "hi" }, "echo"],
  ["mcp__everything__get_sum", { a: 2, b: 3 }, "sum"],
  ["mcp__everything__get_sum", { a: "x" }, "wrong"],
  ["mcp__everything__get_tiny_image", {}, "image"],
  ["mcp__everything__get_structured_content", { location: "New York" }, "structured"],
  ["mcp__everything__trigger_long_running_operation", { duration: 0.1, steps: 2 }, "long"],
  ["mcp__everything__get_resource_reference", { resourceType: "Text", resourceId: 1 }, "reference"],
  ["read_mcp_resource", { server: "everything", uri: "demo://resource/dynamic/text/1" }, "resource"],
] as const;

async function exercise(config: McpServerConfig): Promise<void> {
  await using rig = await startWithMcp(calls(...named), { servers: { everything: config } });
  expect(await rig.started("everything")).toEqual({ state: "ready" });
  await rig.say("go");
  await rig.next("task_complete");
  expect(rig.outputOf("echo")).toContain('[{"type":"text","text":"Echo: hi"}]');
  expect(rig.outputOf("sum")).toContain("The sum of 2 and 3 is 5.");
  expect(rig.outputOf("wrong")).toContain("expected number, received string");
  expect(rig.outputOf("image")).toEqual([
    { type: "input_text", text: expect.stringMatching(/^Wall time: \d+\.\d{4} seconds\nOutput:$/) },
    { type: "input_text", text: "Here's the image you requested:" },
    { type: "input_image", image_url: expect.stringMatching(/^data:image\/png;base64,/), detail: "high" },
    { type: "input_text", text: "The image above is the MCP logo." },
  ]);
  expect(rig.outputOf("structured")).toMatch(/Output:\n\{"temperature":33,/);
  expect(rig.outputOf("long")).toContain("Long running operation completed.");
  expect(rig.events.filter(({ type }) => type === "mcp_tool_call_progress").length).toBeGreaterThan(0);
  expect(rig.outputOf("reference")).toContain('"type":"resource"');
  expect(rig.outputOf("resource")).toContain("This is a plaintext resource");
  const failed = rig.events.flatMap((event) =>
    event.type === "item_completed" && event.item.type === "McpToolCall" && event.item.status === "failed"
      ? [event.item.id]
      : [],
  );
  expect(failed).toEqual(["wrong"]);
  const [listed] = await rig.session.mcpServers({ resources: true });
  expect(listed).toMatchObject({ name: "everything", serverInfo: { name: "mcp-servers/everything" } });
  expect(listed?.resources.length).toBeGreaterThan(0);
  expect(listed?.resourceTemplates.length).toBeGreaterThan(0);
}

test("the official test server over pipes", async () => {
  await exercise(server([EVERYTHING, "stdio"]));
});

test("the official test server over streamable HTTP", async () => {
  const port = await freePort();
  const child = spawn(process.execPath, [EVERYTHING, "streamableHttp"], {
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  await using _server = running(child);
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  await until(() => said.includes("listening"), "the server listens");
  await exercise(http(`http://127.0.0.1:${port}/mcp`));
});

test("a server that wants a token gets it from the environment, and headers as configured", async () => {
  await using place = await scratch();
  const portFile = path.join(place.folder, "port");
  const child = spawn(process.execPath, [FAULT_SERVER, "http", portFile], {
    env: { ...process.env, MCP_TEST_TOKEN: "secret", MCP_TEST_LOG: place.log },
    stdio: ["ignore", "ignore", "inherit"],
  });
  await using _server = running(child);
  await until(() => existsSync(portFile) && readFileSync(portFile, "utf8") !== "", "the server listens");
  const url = `http://127.0.0.1:${readFileSync(portFile, "utf8")}/mcp`;
  const environment = { ...process.env, TOKEN: "secret", EXTRA: "more" };
  const servers = {
    none: http(url),
    unset: http(url, { bearerTokenVariable: "NO_SUCH_VARIABLE" }),
    web: http(url, { bearerTokenVariable: "TOKEN", variableHeaders: { "x-extra": "EXTRA" } }),
  };
  await using rig = await startWithMcp(calls(["mcp__web__read", {}, "r"]), { servers, mcp: { environment } });
  expect(await rig.started("unset")).toEqual({
    state: "failed",
    error:
      "MCP client for `unset` failed to start: MCP startup failed: Environment variable NO_SUCH_VARIABLE for MCP server 'unset' is not set",
  });
  expect(await rig.started("none")).toMatchObject({ state: "failed", error: expect.stringContaining("(HTTP 401)") });
  expect(await rig.started("web")).toEqual({ state: "ready" });
  expect(place.lines()).toContain("POST Bearer secret more");
  await rig.say("go");
  await rig.next("task_complete");
  expect(rig.outputOf("r")).toContain('"text":"read"');
  expect((await rig.session.mcpServers()).map(({ name, auth }) => `${name} ${auth}`)).toEqual([
    "none notLoggedIn",
    "unset bearerToken",
    "web bearerToken",
  ]);
});

test("a server that cannot be reached", async () => {
  await using rig = await startWithMcp([], { servers: { gone: http(`http://127.0.0.1:${await freePort()}/mcp`) } });
  expect(await rig.started("gone")).toMatchObject({
    state: "failed",
    error: expect.stringContaining("cannot reach the server: fetch failed: connect ECONNREFUSED"),
  });
});
