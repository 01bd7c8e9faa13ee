/**
 * The events of `exec --experimental-json`, in the form that the Codex SDK reads: `thread.started`, `turn.started`,
 * `item.started|updated|completed`, `turn.completed|failed`, `error`, with snake-case items.
 */
import type { ThreadItem } from "@turnkit/protocol/app";
import type { EventWriter } from "./json-events.js";

type SdkItem = Readonly<Record<string, unknown>> & { readonly type: string };

const status = (value: string): string => value.replace("inProgress", "in_progress");

/** Told of when they are complete; for a file change the SDK's types know no other state. */
const toldOnce: ReadonlySet<string> = new Set(["agentMessage", "reasoning", "fileChange"]);

function sdkResult(result: Extract<ThreadItem, { type: "mcpToolCall" }>["result"]): object {
  if (result == null) return {};
  const { content, structuredContent, _meta } = result;
  const meta = _meta == null ? {} : { _meta };
  return { result: { content, structured_content: structuredContent ?? null, ...meta } };
}

function sdkItem(item: ThreadItem): SdkItem | null {
  switch (item.type) {
    case "agentMessage":
      return { type: "agent_message", text: item.text };
    case "reasoning":
      return (item.summary ?? []).length === 0 ? null : { type: "reasoning", text: (item.summary ?? []).join("\n") };
    case "commandExecution":
      return {
        type: "command_execution",
        command: item.command,
        aggregated_output: item.aggregatedOutput ?? "",
        exit_code: item.exitCode ?? null,
        status: status(item.status),
      };
    case "fileChange":
      return {
        type: "file_change",
        changes: item.changes.map((change) => ({ path: change.path, kind: change.kind.type })),
        status: status(item.status),
      };
    case "mcpToolCall":
      return {
        type: "mcp_tool_call",
        server: item.server,
        tool: item.tool,
        arguments: item.arguments,
        ...sdkResult(item.result),
        ...(item.error == null ? {} : { error: { message: item.error.message } }),
        status: status(item.status),
      };
    case "webSearch":
      return { type: "web_search", query: item.query };
    default:
      return null;
  }
}

export function sdkEvents(writeLine: (line: string) => void): EventWriter {
  const write = (value: unknown): void => writeLine(JSON.stringify(value));
  const ids = new Map<string, string>();
  const usage = {
    input_tokens: 0,
    cached_input_tokens: 0,
    cache_write_input_tokens: 0,
    output_tokens: 0,
    reasoning_output_tokens: 0,
  };
  let plan: Readonly<Record<string, unknown>> | null = null;
  const idOf = (itemId: string): string => {
    const id = ids.get(itemId) ?? `item_${ids.size}`;
    ids.set(itemId, id);
    return id;
  };
  const item = (event: string, source: ThreadItem): void => {
    const value = sdkItem(source);
    if (value) write({ type: event, item: { id: idOf(source.id), ...value } });
  };
  return {
    started: ({ thread }) => write({ type: "thread.started", thread_id: thread.id }),
    notification: ({ method, params }) => {
      switch (method) {
        case "turn/started":
          write({ type: "turn.started" });
          break;
        case "item/started":
          if (!toldOnce.has(params.item.type)) item("item.started", params.item);
          break;
        case "item/completed":
          item("item.completed", params.item);
          break;
        case "turn/plan/updated": {
          const items = params.plan.map((entry) => ({ text: entry.step, completed: entry.status === "completed" }));
          const event = plan === null ? "item.started" : "item.updated";
          plan = { id: idOf("plan"), type: "todo_list", items };
          write({ type: event, item: plan });
          break;
        }
        case "thread/tokenUsage/updated": {
          const { total } = params.tokenUsage;
          usage.input_tokens = total.inputTokens;
          usage.cached_input_tokens = total.cachedInputTokens;
          usage.cache_write_input_tokens = total.cacheWriteInputTokens ?? 0;
          usage.output_tokens = total.outputTokens;
          usage.reasoning_output_tokens = total.reasoningOutputTokens;
          break;
        }
        case "error":
          write({ type: "error", message: params.error.message });
          break;
        case "warning":
          write({ type: "item.completed", item: { id: `item_${ids.size}`, type: "error", message: params.message } });
          ids.set(`warning-${ids.size}`, `item_${ids.size}`);
          break;
      }
    },
    ended: ({ status: turnStatus, error }) => {
      if (plan !== null) write({ type: "item.completed", item: plan });
      if (turnStatus === "completed") write({ type: "turn.completed", usage });
      else write({ type: "turn.failed", error: { message: error ?? `turn ${turnStatus}` } });
    },
  };
}
