/** What each persisted event adds to the turns. Events without a part in them are ignored. */
import type { EventMsg, EventOf } from "../../agent/event.js";
import { userInputOfEvent } from "../../agent/user-message.js";
import { affectsTurn, toTurnError } from "../../app/convert/errors.js";
import { isJsonObject } from "../../app/convert/json.js";
import { reviewText } from "../../app/convert/review-text.js";
import { toThreadItem, toWebSearchAction } from "../../app/convert/turn-item.js";
import { toAppUserInput } from "../../app/convert/user-input.js";
import type { ThreadItem } from "../../app/item.js";
import type { TurnBuilder } from "./turn-builder.js";

type Handler<Kind extends EventMsg["type"]> = (event: EventOf<Kind>, turns: TurnBuilder, fallbackId: string) => void;

const ending = (event: { completed_at?: number | null; duration_ms?: number | null }) => ({
  completedAt: event.completed_at ?? null,
  durationMs: event.duration_ms ?? null,
});

function addReasoning(turns: TurnBuilder, fallbackId: string, text: string, member: "summary" | "content"): void {
  if (text === "") return;
  const last = turns.lastItem;
  if (last?.type === "reasoning") {
    turns.item(fallbackId, { ...last, [member]: [...(last[member] ?? []), text] });
    return;
  }
  turns.item(fallbackId, {
    type: "reasoning",
    id: turns.nextItemId(),
    summary: member === "summary" ? [text] : [],
    content: member === "content" ? [text] : [],
  });
}

/** `{Ok: …}` and `{Err: …}` are how results were written. */
function mcpOutcome(result: unknown): { status: string; result?: unknown; error?: { message: string } } {
  if (isJsonObject(result) && "Ok" in result) {
    const failed = isJsonObject(result.Ok) && (result.Ok.isError === true || result.Ok.is_error === true);
    return { status: failed ? "failed" : "completed", result: result.Ok };
  }
  const message = isJsonObject(result) && typeof result.Err === "string" ? result.Err : JSON.stringify(result);
  return { status: "failed", error: { message } };
}

function add(turns: TurnBuilder, fallbackId: string, item: ThreadItem | undefined, turnId?: string | null): void {
  if (item) turns.item(fallbackId, item, turnId);
}

const handlers: { readonly [Kind in EventMsg["type"]]?: Handler<Kind> } = {
  task_started: (event, turns) => turns.start(event.turn_id, event.started_at ?? null),
  task_complete: (event, turns) =>
    turns.complete(
      event.turn_id,
      ending(event),
      event.error && affectsTurn(event.error.codex_error_info) ? toTurnError(event.error) : null,
    ),
  turn_aborted: (event, turns) => turns.abort(event.turn_id ?? null, ending(event)),
  error: (event, turns) => {
    if (affectsTurn(event.codex_error_info)) turns.fail(toTurnError(event));
  },
  thread_rolled_back: (event, turns) => turns.rollBack(event.num_turns),
  context_compacted: (_event, turns, fallbackId) =>
    turns.item(fallbackId, { type: "contextCompaction", id: turns.nextItemId() }),
  user_message: (event, turns, fallbackId) =>
    turns.userMessage(fallbackId, {
      type: "userMessage",
      id: turns.nextItemId(),
      clientId: event.client_id ?? null,
      content: userInputOfEvent(event).map(toAppUserInput),
    }),
  agent_message: (event, turns, fallbackId) => {
    if (event.message === "") return;
    turns.item(fallbackId, {
      type: "agentMessage",
      id: turns.nextItemId(),
      text: event.message,
      phase: event.phase ?? null,
      memoryCitation: null,
      delivery: null,
    });
  },
  agent_reasoning: (event, turns, fallbackId) => addReasoning(turns, fallbackId, event.text, "summary"),
  agent_reasoning_raw_content: (event, turns, fallbackId) => addReasoning(turns, fallbackId, event.text, "content"),
  exec_command_end: (event, turns, fallbackId) => {
    const { type: _, call_id: id, turn_id: turnId, ...rest } = event;
    add(turns, fallbackId, toThreadItem({ type: "CommandExecution", id, ...rest }), turnId);
  },
  patch_apply_end: (event, turns, fallbackId) =>
    add(
      turns,
      fallbackId,
      toThreadItem({
        type: "FileChange",
        id: event.call_id,
        changes: event.changes ?? {},
        status: event.status ?? (event.success ? "completed" : "failed"),
      }),
      event.turn_id,
    ),
  mcp_tool_call_end: (event, turns, fallbackId) =>
    add(
      turns,
      fallbackId,
      toThreadItem({
        type: "McpToolCall",
        id: event.call_id,
        server: event.invocation.server,
        tool: event.invocation.tool,
        arguments: event.invocation.arguments ?? null,
        read_only_hint: event.read_only_hint ?? null,
        duration: event.duration,
        ...mcpOutcome(event.result),
      }),
    ),
  dynamic_tool_call_response: (event, turns, fallbackId) =>
    add(
      turns,
      fallbackId,
      toThreadItem({
        type: "DynamicToolCall",
        id: event.call_id,
        namespace: event.namespace ?? null,
        tool: event.tool,
        arguments: event.arguments ?? null,
        status: event.success ? "completed" : "failed",
        content_items: event.content_items,
        success: event.success,
        duration: event.duration,
      }),
      event.turn_id,
    ),
  web_search_end: (event, turns, fallbackId) =>
    turns.item(fallbackId, {
      type: "webSearch",
      id: event.call_id,
      query: event.query,
      action: toWebSearchAction(event.action),
    }),
  image_generation_end: (event, turns, fallbackId) =>
    turns.item(fallbackId, {
      type: "imageGeneration",
      id: event.call_id,
      status: event.status,
      revisedPrompt: event.revised_prompt ?? null,
      result: event.result,
      savedPath: event.saved_path ?? null,
    }),
  view_image_tool_call: (event, turns, fallbackId) =>
    turns.item(fallbackId, { type: "imageView", id: event.call_id, path: event.path }),
  sub_agent_activity: (event, turns, fallbackId) =>
    add(
      turns,
      fallbackId,
      toThreadItem({
        type: "SubAgentActivity",
        id: event.event_id,
        kind: event.kind,
        agent_thread_id: event.agent_thread_id,
        agent_path: event.agent_path,
      }),
    ),
  // The entry names the turn it opens, which has no start of its own.
  entered_review_mode: (event, turns, fallbackId) =>
    turns.item(
      event.turn_id ?? fallbackId,
      { type: "enteredReviewMode", id: event.item_id ?? turns.nextItemId(), review: event.user_facing_hint ?? "" },
      event.turn_id,
    ),
  exited_review_mode: (event, turns, fallbackId) =>
    turns.item(
      fallbackId,
      {
        type: "exitedReviewMode",
        id: event.item_id ?? turns.nextItemId(),
        review: reviewText(event.review_output),
      },
      event.turn_id,
    ),
  item_completed: (event, turns, fallbackId) => add(turns, fallbackId, toThreadItem(event.item), event.turn_id),
};

export function applyEvent(event: EventMsg, turns: TurnBuilder, fallbackId: string): void {
  const handler = handlers[event.type] as Handler<EventMsg["type"]> | undefined;
  handler?.(event as never, turns, fallbackId);
}
