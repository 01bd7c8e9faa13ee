// @ts-check
// An MCP server that does what servers should not do: it dies, hangs, answers nonsense, asks at odd times. Over standard
// input and output, or with `http PORT-FILE` over streamable HTTP, where TOKEN is the token that it wants.
import { appendFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import {
  CallToolRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";

const [mode = "stdio", portFile = ""] = process.argv.slice(2);
const { MCP_TEST_LOG: log, MCP_TEST_TOKEN: token, MCP_TEST_START_MS: startMs } = process.env;
const note = (/** @type {string} */ line) => log && appendFileSync(log, `${line}\n`);
note(`pid ${process.pid}`);
if (startMs) await new Promise((resolve) => setTimeout(resolve, Number(startMs)));

const text = (/** @type {string} */ value) => ({ content: [{ type: "text", text: value }] });

/** An answer that the library would not send. @param {unknown} id @param {unknown} result */
function raw(id, result) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
  return new Promise(() => {});
}

/** @param {Server} server @returns {Record<string, (args: any, extra: any) => any>} */
const toolsOf = (server) => ({
  echo: (args) => text(`you said ${JSON.stringify(args)}`),
  "odd name.x": () => text("odd"),
  read: () => text("read"),
  die: () => process.exit(7),
  async hang(_, { signal }) {
    note("hanging");
    await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("cancelled"))));
  },
  fail: () => ({ ...text("it did not work"), isError: true }),
  throw() {
    throw new Error("boom");
  },
  nonsense: (_, { requestId }) => raw(requestId, { content: "no list" }),
  hologram: (_, { requestId }) => raw(requestId, { content: [{ type: "hologram", depth: 3 }] }),
  big: () => text("x".repeat(200_000)),
  structured: () => ({ ...text("unused"), structuredContent: { degrees: 21 } }),
  audio: () => ({ content: [{ type: "audio", data: "AAAA", mimeType: "audio/wav" }] }),
  async steps(_, { sendNotification, _meta }) {
    const progressToken = _meta?.progressToken;
    for (const progress of [1, 2])
      await sendNotification({
        method: "notifications/progress",
        params: { progressToken, progress, total: 2, ...(progress === 2 && { message: "nearly there" }) },
      });
    return text("stepped");
  },
  async ask() {
    const answer = await server.elicitInput({
      message: "Who are you?",
      requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
    });
    return text(JSON.stringify(answer));
  },
  async link() {
    const answer = await server.elicitInput({
      mode: "url",
      message: "Sign in",
      url: "http://127.0.0.1/sign-in",
      elicitationId: "e1",
    });
    return text(JSON.stringify(answer));
  },
  environment: () => text(Object.keys(process.env).sort().join(" ")),
  async more() {
    extra.push("late");
    await server.sendToolListChanged();
    return text("there is more");
  },
  late: () => text("late"),
});

/** @type {string[]} */
const extra = [];
const readOnly = new Set(["read", "echo"]);

function makeServer() {
  const server = new Server(
    { name: "fault", version: "1" },
    { capabilities: { tools: { listChanged: true }, resources: {} } },
  );
  const tools = toolsOf(server);
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: Object.keys(tools)
      .filter((name) => name !== "late" || extra.includes("late"))
      .map((name) => ({
        name,
        description: `does ${name}`,
        inputSchema: { type: "object" },
        ...(readOnly.has(name) && { annotations: { readOnlyHint: true } }),
      })),
  }));
  server.setRequestHandler(CallToolRequestSchema, (request, context) => {
    const tool = tools[request.params.name];
    if (!tool) throw new Error(`no tool ${request.params.name}`);
    return tool(request.params.arguments, context);
  });
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [{ uri: "test://one", name: "one" }] }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
    if (uri !== "test://one") throw new Error(`no resource ${uri}`);
    return { contents: [{ uri, text: "the first" }] };
  });
  return server;
}

if (mode === "http") {
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => "one" });
  await makeServer().connect(transport);
  const http = createServer((request, response) => {
    note(`${request.method} ${request.headers.authorization ?? "-"} ${request.headers["x-extra"] ?? "-"}`);
    if (token && request.headers.authorization !== `Bearer ${token}`) response.writeHead(401).end();
    else void transport.handleRequest(request, response);
  });
  http.listen(0, "127.0.0.1", () => {
    const address = http.address();
    if (address && typeof address === "object") writeFileSync(portFile, String(address.port));
  });
} else await makeServer().connect(new StdioServerTransport());
