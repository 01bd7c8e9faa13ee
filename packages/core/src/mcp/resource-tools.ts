/** Tools with which the model finds and reads what MCP servers hold: resources and templates of resources. */
import {
  type CallContext,
  functionHookPayload,
  RespondToModel,
  type Tool,
  ToolAborted,
  type ToolCall,
  truncateMiddle,
  withFunctionArguments,
} from "@turnkit/tools";
import type { McpConnection } from "./connection.js";
import { mcpErrorText } from "./errors.js";
import { pages } from "./mcp-server.js";
import type { McpServers } from "./mcp-servers.js";
import type { McpToolOptions } from "./mcp-tools.js";
import { CallReport, withDeadline } from "./tool-call.js";

const BYTES_PER_TOKEN = 4;
/** Stands for all servers where a call names none. */
const ALL_SERVERS = "codex";

type Options = Pick<McpToolOptions, "servers" | "threadId" | "clock" | "pause">;
type Arguments = { readonly server?: string; readonly cursor?: string; readonly uri?: string };

interface ResourceTool {
  readonly name: string;
  readonly description: string;
  readonly properties: Record<string, { readonly type: "string"; readonly description: string }>;
  readonly required: readonly string[];
  /** What the protocol calls it; begins its errors. */
  readonly method: string;
  readonly run: (options: Options, input: Arguments, signal: AbortSignal) => Promise<Record<string, unknown>>;
}

const paging = {
  server: { type: "string", description: "Name of one MCP server. Leave it out to ask all of them." },
  cursor: { type: "string", description: "Where an earlier call of this tool for the same server ended." },
} as const;

const TOOLS: readonly ResourceTool[] = [
  {
    name: "list_mcp_resources",
    description: "Lists what MCP servers have to read, such as files, schemas or records of an application.",
    properties: paging,
    required: [],
    method: "resources/list",
    run: (options, input, signal) =>
      list(options, input, signal, "resources", (connection, cursor) => connection.listResources(cursor, signal)),
  },
  {
    name: "list_mcp_resource_templates",
    description: "Lists the patterns of URIs under which MCP servers give out resources that take parameters.",
    properties: paging,
    required: [],
    method: "resources/templates/list",
    run: (options, input, signal) =>
      list(options, input, signal, "resourceTemplates", (connection, cursor) =>
        connection.listResourceTemplates(cursor, signal),
      ),
  },
  {
    name: "read_mcp_resource",
    description: "Reads one resource of an MCP server.",
    properties: {
      server: { type: "string", description: "Name of the MCP server, as in the list of resources." },
      uri: { type: "string", description: "URI of the resource, from the list or made after a template." },
    },
    required: ["server", "uri"],
    method: "resources/read",
    async run({ servers }, { server = "", uri = "" }, signal) {
      const found = await connectionOf(servers, server);
      const { contents } = await found.readResource(uri, signal).catch((error: unknown) => {
        throw new Error(`resources/read failed for \`${server}\` (${uri}): ${mcpErrorText(error)}`, { cause: error });
      });
      return { server, uri, contents };
    },
  },
];

async function connectionOf(servers: McpServers, name: string): Promise<McpConnection> {
  const server = servers.get(name);
  if (!server) throw new Error(`unknown MCP server '${name}'`);
  return await server.connection();
}

async function list(
  { servers }: Options,
  { server, cursor }: Arguments,
  signal: AbortSignal,
  key: "resources" | "resourceTemplates",
  page: (connection: McpConnection, cursor: string | undefined) => Promise<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const marked = (name: string, rows: unknown) =>
    Array.isArray(rows) ? rows.map((row: object) => ({ server: name, ...row })) : [];
  if (server !== undefined) {
    const connection = await connectionOf(servers, server);
    const method = key === "resources" ? "resources/list" : "resources/templates/list";
    const answer = await page(connection, cursor).catch((error: unknown) => {
      throw new Error(`${method} failed for \`${server}\`: ${mcpErrorText(error)}`, { cause: error });
    });
    const { nextCursor } = answer;
    return { server, [key]: marked(server, answer[key]), ...(nextCursor !== undefined && { nextCursor }) };
  }
  if (cursor !== undefined) throw new Error("cursor can only be used when a server is specified");
  const rows = await Promise.all(
    servers.names.map(async (name) => {
      const found = servers.get(name);
      if (found?.state.state !== "connected") return [];
      const connection = await found.connection();
      if (!connection.offers.resources) return [];
      return marked(name, await pages((next) => page(connection, next), key).catch(() => []));
    }),
  );
  signal.throwIfAborted();
  return { [key]: rows.flat() };
}

export function createResourceTools(options: Options): readonly Tool[] {
  return TOOLS.map((tool) => ({
    spec: {
      type: "function",
      name: tool.name,
      description: tool.description,
      strict: false,
      parameters: {
        type: "object",
        properties: tool.properties,
        ...(tool.required.length > 0 && { required: [...tool.required] }),
        additionalProperties: false,
      },
    },
    exposure: "direct",
    supportsParallelCalls: true,
    isControl: false,
    accepts: (payload) => payload.kind === "function",
    preToolUse: functionHookPayload,
    withUpdatedInput: withFunctionArguments,
    run: (call, context) => run(tool, options, call, context),
  }));
}

async function run(tool: ResourceTool, options: Options, call: ToolCall, context: CallContext) {
  const { clock } = options;
  const input = argumentsOf(tool, call);
  const report = new CallReport(
    {
      threadId: options.threadId,
      turnId: context.turn.id,
      callId: call.callId,
      server: input.server ?? ALL_SERVERS,
      tool: tool.name,
      input,
      readOnlyHint: undefined,
      pluginId: undefined,
    },
    context,
    clock,
  );
  report.begin();
  try {
    const limit = options.servers.get(input.server ?? "")?.config.toolTimeoutMs ?? DEFAULT_LIMIT_MS;
    const answer = await withDeadline(limit, clock, options.pause, context.signal, (signal) =>
      tool.run(options, input, signal),
    );
    if (context.signal.aborted) throw new ToolAborted();
    const text = JSON.stringify(answer);
    report.end({ type: "result", result: { content: [{ type: "text", text }] } });
    return {
      body: truncateMiddle(text, context.turn.outputTokenLimit * BYTES_PER_TOKEN),
      success: true,
      postToolUse: { toolName: tool.name, toolUseId: call.callId, toolInput: input, toolResponse: text },
    };
  } catch (error) {
    if (context.signal.aborted || error instanceof ToolAborted) throw new ToolAborted();
    const message = `${tool.method} failed: ${mcpErrorText(error)}`;
    report.end({ type: "failed", message });
    throw new RespondToModel(message);
  }
}

const DEFAULT_LIMIT_MS = 120_000;

/** @throws {RespondToModel} */
function argumentsOf(tool: ResourceTool, call: ToolCall): Arguments {
  const text = call.payload.kind === "function" ? call.payload.arguments : "";
  let value: unknown = {};
  try {
    if (text.trim() !== "") value = JSON.parse(text);
  } catch (error) {
    throw new RespondToModel(`failed to parse function arguments: not JSON: ${(error as Error).message}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new RespondToModel("failed to parse function arguments: arguments must be an object");
  const given = value as Record<string, unknown>;
  for (const name of Object.keys(tool.properties)) {
    const member = given[name];
    if (member === undefined || member === null) {
      if (!tool.required.includes(name)) continue;
      throw new RespondToModel(`failed to parse function arguments: missing field \`${name}\``);
    }
    if (typeof member !== "string")
      throw new RespondToModel(`failed to parse function arguments: ${name} must be a string`);
  }
  const kept = Object.entries(given).filter(([name, member]) => name in tool.properties && member !== null);
  return Object.fromEntries(kept);
}
