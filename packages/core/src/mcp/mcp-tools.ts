/** The tools of MCP servers as the session offers them: specification, hooks, approval, call, output. */
import type { ThreadSettings } from "@turnkit/protocol";
import {
  type CallContext,
  type Clock,
  functionHookPayload,
  type PauseSignal,
  RespondToModel,
  type Tool,
  ToolAborted,
  type ToolCall,
  type ToolOutput,
  withFunctionArguments,
} from "@turnkit/tools";
import type { PermissionOutcome, PermissionRequest } from "../hooks/permission-request.js";
import { failureOutput, forModalities, type Modality, modelOutput } from "./call-output.js";
import type { ElicitationAnswer, ElicitationRequest } from "./elicitation.js";
import type { McpServers } from "./mcp-servers.js";
import type { McpToolInfo } from "./server-facts.js";
import { REJECTED, type ToolApprovals } from "./tool-approval.js";
import { CallReport, callFailure, withDeadline } from "./tool-call.js";
import type { NamedTool } from "./tool-names.js";

export interface McpToolOptions {
  readonly servers: McpServers;
  readonly threadId: string;
  readonly clock: Clock;
  readonly pause: PauseSignal;
  readonly approvals: ToolApprovals;
  readonly settings: () => ThreadSettings;
  readonly modalities: () => readonly Modality[];
  readonly permissionRequest: (
    request: PermissionRequest,
    signal: AbortSignal,
  ) => Promise<PermissionOutcome | undefined>;
  readonly ask: (
    server: string,
    turnId: string,
    request: ElicitationRequest,
    signal: AbortSignal,
  ) => Promise<ElicitationAnswer>;
}

/** Keys of JSON Schema that some servers of models refuse at the top. */
function parameters(schema: McpToolInfo["inputSchema"]): Record<string, unknown> {
  const { $schema: _, ...rest } = schema;
  return { ...rest, type: "object", properties: rest.properties ?? {} };
}

export function createMcpTool(named: NamedTool<McpToolInfo>, options: McpToolOptions): Tool {
  const { name, server, tool } = named;
  return {
    spec: {
      type: "function",
      name,
      description: tool.description ?? tool.title ?? "",
      strict: false,
      parameters: parameters(tool.inputSchema),
    },
    exposure: "direct",
    supportsParallelCalls: options.servers.get(server)?.config.parallelToolCalls ?? false,
    isControl: false,
    accepts: (payload) => payload.kind === "function",
    preToolUse: functionHookPayload,
    withUpdatedInput: withFunctionArguments,
    run: (call, context) => run(named, options, call, context),
  };
}

async function run(
  { name, server, tool }: NamedTool<McpToolInfo>,
  options: McpToolOptions,
  call: ToolCall,
  context: CallContext,
): Promise<ToolOutput> {
  const { clock } = options;
  const input = parseInput(call);
  const facts = {
    threadId: options.threadId,
    turnId: context.turn.id,
    callId: call.callId,
    server,
    tool: tool.name,
    input,
    readOnlyHint: tool.annotations?.readOnlyHint,
    pluginId: options.servers.get(server)?.config.plugin?.id,
  };
  const report = new CallReport(facts, context, clock);
  const startedAt = clock.now();
  const seconds = () => (clock.now() - startedAt) / 1000;
  report.begin();
  const refusal = await refusalOf(name, server, tool, input, options, context);
  if (context.signal.aborted) throw new ToolAborted();
  if (refusal !== undefined) {
    report.end({ type: "failed", message: refusal }, 0);
    return { body: failureOutput(refusal, seconds()), success: false, postToolUse: undefined };
  }
  report.restart();
  try {
    const found = options.servers.get(server)!;
    const raw = await withDeadline(found.config.toolTimeoutMs, clock, options.pause, context.signal, async (signal) => {
      const connection = await found.connection();
      return await connection.callTool(tool.name, input, { signal, progress: (text) => report.progress(text) });
    });
    if (context.signal.aborted) throw new ToolAborted();
    const result = forModalities(raw, options.modalities());
    report.end({ type: "result", result });
    const { prepareContent } = await import("../context/media/prepare-content.js");
    const body = await modelOutput(result, seconds(), context.turn.outputTokenLimit, prepareContent);
    return {
      body,
      success: result.isError !== true,
      postToolUse: { toolName: name, toolUseId: call.callId, toolInput: input, toolResponse: result },
    };
  } catch (error) {
    if (context.signal.aborted || error instanceof ToolAborted) throw new ToolAborted();
    const message = callFailure(server, tool.name, error);
    report.end({ type: "failed", message });
    return { body: failureOutput(message, seconds()), success: false, postToolUse: undefined };
  }
}

/** Why the call must not be made; undefined: it may be. */
async function refusalOf(
  name: string,
  server: string,
  tool: McpToolInfo,
  input: unknown,
  options: McpToolOptions,
  { turn, signal }: CallContext,
): Promise<string | undefined> {
  const { approvals, servers } = options;
  const verdict = approvals.judge(server, servers.get(server)!.config, tool, input, options.settings());
  if (verdict.type === "run") return undefined;
  if (verdict.type === "refused") return verdict.message;
  const byHook = await options.permissionRequest({ toolName: name, toolInput: input, turnId: turn.id }, signal);
  if (byHook?.decision === "allow") return undefined;
  if (byHook?.decision === "deny") return byHook.message ?? REJECTED;
  const answer = await options.ask(server, turn.id, verdict.request, signal);
  return await approvals.settle(server, tool.name, answer);
}

/** @throws {RespondToModel} */
function parseInput(call: ToolCall): unknown {
  const text = call.payload.kind === "function" ? call.payload.arguments : "";
  if (text.trim() === "") return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new RespondToModel(`failed to parse function arguments: not JSON: ${(error as Error).message}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new RespondToModel("failed to parse function arguments: arguments must be an object");
  return value;
}
