/** The core's items as thread items: PascalCase to camelCase, missing members to null. */
import type { Duration, ParsedCommand } from "../../agent/command.js";
import type { FileChange } from "../../agent/file-change.js";
import type { TurnItem } from "../../agent/turn-item.js";
import type { ThreadItem } from "../item.js";
import type { AppWebSearchAction, CommandAction, FileUpdateChange } from "../item-parts.js";
import { joinCommandWords, pathOfPlace } from "./command-text.js";
import { camelCase, isJsonObject, stringMember } from "./json.js";
import { reviewText } from "./review-text.js";
import { toAppUserInput } from "./user-input.js";

export function durationMilliseconds(duration: Duration | null | undefined): number | null {
  return duration ? duration.secs * 1000 + Math.floor(duration.nanos / 1_000_000) : null;
}

export function toCommandAction(action: ParsedCommand, cwd: string): CommandAction {
  switch (action.type) {
    case "read":
      return {
        type: "read",
        command: action.cmd,
        name: action.name,
        path: action.path.startsWith("/") ? action.path : `${cwd.replace(/\/$/, "")}/${action.path}`,
      };
    case "list_files":
      return { type: "listFiles", command: action.cmd, path: action.path ?? null };
    case "search":
      return { type: "search", command: action.cmd, query: action.query ?? null, path: action.path ?? null };
    case "unknown":
      return { type: "unknown", command: action.cmd };
  }
}

export function toFileUpdateChanges(changes: Readonly<Record<string, FileChange>>): FileUpdateChange[] {
  return Object.entries(changes)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, change]) => {
      if (change.type === "update") {
        const moved = change.move_path ?? null;
        const note = moved === null ? "" : `\n\nMoved to: ${moved}`;
        return { path, kind: { type: "update", move_path: moved }, diff: change.unified_diff + note };
      }
      return { path, kind: { type: change.type }, diff: change.content };
    });
}

export function toWebSearchAction(action: unknown): AppWebSearchAction | null {
  if (!isJsonObject(action)) return null;
  switch (action.type) {
    case "search": {
      const queries = Array.isArray(action.queries)
        ? action.queries.filter((query) => typeof query === "string")
        : null;
      return { type: "search", query: stringMember(action, "query"), queries };
    }
    case "open_page":
      return { type: "openPage", url: stringMember(action, "url") };
    case "find_in_page":
      return { type: "findInPage", url: stringMember(action, "url"), pattern: stringMember(action, "pattern") };
    default:
      return { type: "other" };
  }
}

type Item<Kind extends ThreadItem["type"]> = Extract<ThreadItem, { type: Kind }>;
type Core<Kind extends TurnItem["type"]> = Extract<TurnItem, { type: Kind }>;

function toCommandExecution(item: Core<"CommandExecution">): Item<"commandExecution"> {
  const cwd = pathOfPlace(item.cwd);
  return {
    type: "commandExecution",
    id: item.id,
    pluginId: item.plugin_id ?? null,
    scriptPath: item.script_path ?? null,
    command: joinCommandWords(item.command),
    cwd,
    processId: item.process_id ?? null,
    source: camelCase(item.source ?? "agent") as NonNullable<Item<"commandExecution">["source"]>,
    status: camelCase(item.status) as Item<"commandExecution">["status"],
    commandActions: item.parsed_cmd.map((action) => toCommandAction(action, cwd)),
    aggregatedOutput: item.aggregated_output || null,
    exitCode: item.exit_code ?? null,
    durationMs: durationMilliseconds(item.duration),
  };
}

function toMcpToolCall(item: Core<"McpToolCall">): Item<"mcpToolCall"> {
  const result = isJsonObject(item.result) && Array.isArray(item.result.content) ? item.result : null;
  return {
    type: "mcpToolCall",
    id: item.id,
    server: item.server,
    tool: item.tool,
    status: camelCase(item.status) as Item<"mcpToolCall">["status"],
    arguments: item.arguments ?? null,
    appContext: null,
    pluginId: item.plugin_id ?? null,
    readOnlyHint: item.read_only_hint ?? null,
    result: result
      ? {
          content: result.content as unknown[],
          structuredContent: result.structuredContent ?? null,
          _meta: result._meta ?? null,
        }
      : null,
    error: item.error ? { message: item.error.message } : null,
    durationMs: durationMilliseconds(item.duration),
  };
}

function toCollabToolCall(item: Core<"CollabAgentToolCall">): Item<"collabAgentToolCall"> {
  return {
    type: "collabAgentToolCall",
    id: item.id,
    tool: camelCase(item.tool) as Item<"collabAgentToolCall">["tool"],
    status: camelCase(item.status) as Item<"collabAgentToolCall">["status"],
    senderThreadId: item.sender_thread_id,
    receiverThreadIds: [...(item.receiver_thread_ids ?? [])],
    prompt: item.prompt ?? null,
    model: item.model ?? null,
    reasoningEffort: item.reasoning_effort ?? null,
    agentsStates: (isJsonObject(item.agents_states)
      ? item.agents_states
      : {}) as Item<"collabAgentToolCall">["agentsStates"],
  };
}

/** The thread item; undefined for an extension that has no place in a thread. */
export function toThreadItem(item: TurnItem): ThreadItem | undefined {
  switch (item.type) {
    case "UserMessage":
      return {
        type: "userMessage",
        id: item.id,
        clientId: item.client_id ?? null,
        content: item.content.map(toAppUserInput),
      };
    case "HookPrompt":
      return { type: "hookPrompt", id: item.id, fragments: [...item.fragments] };
    case "AgentMessage":
      return {
        type: "agentMessage",
        id: item.id,
        text: item.content.map((part) => part.text).join(""),
        phase: item.phase ?? null,
        memoryCitation: null,
        delivery: item.delivery === "async" ? "async" : null,
      };
    case "Plan":
      return { type: "plan", id: item.id, text: item.text };
    case "Reasoning":
      return {
        type: "reasoning",
        id: item.id,
        summary: [...item.summary_text],
        content: [...(item.raw_content ?? [])],
      };
    case "CommandExecution":
      return toCommandExecution(item);
    case "FileChange":
      return {
        type: "fileChange",
        id: item.id,
        changes: toFileUpdateChanges(item.changes),
        status: camelCase(item.status ?? "in_progress") as Item<"fileChange">["status"],
      };
    case "McpToolCall":
      return toMcpToolCall(item);
    case "DynamicToolCall":
      return {
        type: "dynamicToolCall",
        id: item.id,
        namespace: item.namespace ?? null,
        tool: item.tool,
        arguments: item.arguments ?? null,
        status: camelCase(item.status) as Item<"dynamicToolCall">["status"],
        contentItems: (item.content_items ?? null) as NonNullable<Item<"dynamicToolCall">["contentItems"]> | null,
        success: item.success ?? null,
        durationMs: durationMilliseconds(item.duration),
      };
    case "CollabAgentToolCall":
      return toCollabToolCall(item);
    case "SubAgentActivity":
      return {
        type: "subAgentActivity",
        id: item.id,
        kind: item.kind as Item<"subAgentActivity">["kind"],
        agentThreadId: item.agent_thread_id,
        agentPath: item.agent_path,
      };
    case "WebSearch":
      return { type: "webSearch", id: item.id, query: item.query, action: toWebSearchAction(item.action) };
    case "ImageView":
      return { type: "imageView", id: item.id, path: pathOfPlace(item.path) };
    case "ImageGeneration":
      return {
        type: "imageGeneration",
        id: item.id,
        status: item.status,
        revisedPrompt: item.revised_prompt ?? null,
        result: item.result,
        savedPath: item.saved_path ?? null,
      };
    case "EnteredReviewMode":
      return { type: "enteredReviewMode", id: item.id, review: item.user_facing_hint ?? item.review ?? "" };
    case "ExitedReviewMode":
      return { type: "exitedReviewMode", id: item.id, review: item.review ?? reviewText(item.review_output) };
    case "ContextCompaction":
      return { type: "contextCompaction", id: item.id };
    case "Extension":
      return item.kind === "clock.sleep" ? { type: "sleep", id: item.id, durationMs: item.durationMs ?? 0 } : undefined;
  }
}
