/** One run of a hook as events report it. */
import { type Static, Type } from "typebox";
import { maybe, open, stringEnum } from "../define.js";

export const HookEventName = stringEnum("HookEventName", [
  "pre_tool_use",
  "permission_request",
  "post_tool_use",
  "pre_compact",
  "post_compact",
  "session_start",
  "session_end",
  "user_prompt_submit",
  "subagent_start",
  "subagent_stop",
  "stop",
  "interrupt",
]);
export type HookEventName = Static<typeof HookEventName>;

export const HookOutputEntry = open("HookOutputEntry", {
  kind: stringEnum("HookOutputKind", ["warning", "stop", "feedback", "context", "error"]),
  text: Type.String(),
});
export type HookOutputEntry = Static<typeof HookOutputEntry>;

export const HookRunSummary = open("HookRunSummary", {
  id: Type.String(),
  event_name: HookEventName,
  handler_type: Type.String(),
  execution_mode: Type.String(),
  scope: Type.String(),
  source_path: Type.String(),
  source: Type.String(),
  display_order: Type.Integer(),
  status: stringEnum("HookRunState", ["running", "completed", "failed", "blocked", "stopped"]),
  status_message: maybe(Type.String()),
  /** Unix milliseconds. */
  started_at: Type.Integer(),
  completed_at: maybe(Type.Integer()),
  duration_ms: maybe(Type.Integer()),
  entries: Type.Array(HookOutputEntry),
});
export type HookRunSummary = Static<typeof HookRunSummary>;
