/** What is put on a line of a session file, and which events are. */
import type { EventMsg, RolloutLine } from "@turnkit/protocol";

/** A line without its time. */
export type RolloutItem = {
  [Kind in RolloutLine["type"]]: {
    readonly type: Kind;
    readonly payload: Extract<RolloutLine, { type: Kind }>["payload"];
  };
}[RolloutLine["type"]];

const PERSISTED = new Set<EventMsg["type"]>([
  "token_count",
  "task_started",
  "task_complete",
  "turn_aborted",
  "thread_settings_applied",
  "thread_rolled_back",
  "user_message",
  "agent_message",
  "agent_reasoning",
  "agent_reasoning_raw_content",
  "entered_review_mode",
  "exited_review_mode",
  "patch_apply_end",
  "context_compacted",
  "mcp_tool_call_end",
  "web_search_end",
  "image_generation_end",
  "sub_agent_activity",
]);

/** The older form of session files: items of a turn are kept as their mirrors, only plans as items. */
export function isPersistedEvent(event: EventMsg): boolean {
  if (event.type === "item_completed")
    return event.item.type === "Plan" || (event.item.type === "Extension" && event.item.kind === "clock.sleep");
  return PERSISTED.has(event.type);
}
