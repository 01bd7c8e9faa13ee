/**
 * Events of a session, tagged by `type`. Turn start and end are `task_started` and `task_complete` on the wire.
 * Times `*_at` are Unix seconds, `*_at_ms` Unix milliseconds, `*_ms` milliseconds.
 */
import { type Static, Type } from "typebox";
import { literals, maybe, opaque, open, shape, taggedUnion } from "../define.js";
import { Duration } from "./command.js";
import { CodexErrorInfo, ErrorEvent } from "./errors.js";
import {
  applyPatchApprovalRequest,
  execApprovalRequest,
  execCommandBegin,
  execCommandEnd,
  McpInvocation,
  McpStartupStatus,
  patchApplyBegin,
  patchApplyEnd,
  TurnAbortReason,
  UpdatePlanArgs,
  userMessage,
} from "./event-members.js";
import { HookRunSummary } from "./hook-run.js";
import { ModeKind } from "./modes.js";
import { requestUserInputEventMembers } from "./request-user-input.js";
import { MessagePhase, ResponseItem } from "./response-item.js";
import { ThreadSettings } from "./settings.js";
import { RateLimitSnapshot, TokenUsageInfo } from "./token-usage.js";
import type { ToolPermissions } from "./tool-permissions.js";
import { TurnItem } from "./turn-item.js";

const text = Type.String();
const time = maybe(Type.Integer());
const itemDelta = { thread_id: text, turn_id: text, item_id: text, delta: text };

export const EventMsg = taggedUnion("EventMsg", "type", {
  task_started: {
    turn_id: text,
    trace_id: maybe(text),
    started_at: time,
    model_context_window: maybe(Type.Integer()),
    collaboration_mode_kind: Type.Optional(ModeKind),
    root_turn_id: maybe(text),
  },
  task_complete: {
    turn_id: text,
    last_agent_message: maybe(text),
    error: maybe(ErrorEvent),
    started_at: time,
    completed_at: time,
    duration_ms: time,
    time_to_first_token_ms: time,
    root_turn_id: maybe(text),
  },
  turn_aborted: {
    turn_id: maybe(text),
    reason: TurnAbortReason,
    started_at: time,
    completed_at: time,
    duration_ms: time,
    root_turn_id: maybe(text),
  },
  item_started: { thread_id: text, turn_id: text, item: TurnItem, started_at_ms: time },
  item_completed: { thread_id: text, turn_id: text, item: TurnItem, started_at_ms: time, completed_at_ms: time },
  agent_message_content_delta: itemDelta,
  plan_delta: itemDelta,
  reasoning_content_delta: { ...itemDelta, summary_index: Type.Optional(Type.Integer()) },
  reasoning_raw_content_delta: { ...itemDelta, content_index: Type.Optional(Type.Integer()) },
  agent_reasoning_section_break: { item_id: Type.Optional(text), summary_index: Type.Optional(Type.Integer()) },
  user_message: userMessage,
  agent_message: { message: text, phase: maybe(MessagePhase), memory_citation: Type.Optional(Type.Unknown()) },
  agent_reasoning: { text },
  agent_reasoning_raw_content: { text },
  exec_command_begin: execCommandBegin,
  exec_command_output_delta: { call_id: text, stream: literals(["stdout", "stderr"]), /** base64 */ chunk: text },
  exec_command_end: execCommandEnd,
  terminal_interaction: { call_id: text, process_id: text, stdin: text },
  exec_approval_request: execApprovalRequest,
  apply_patch_approval_request: applyPatchApprovalRequest,
  patch_apply_begin: patchApplyBegin,
  patch_apply_end: patchApplyEnd,
  request_user_input: requestUserInputEventMembers,
  request_permissions: {
    call_id: text,
    turn_id: Type.Optional(text),
    reason: maybe(text),
    started_at_ms: time,
    environment_id: maybe(text),
    permissions: opaque<ToolPermissions>(),
    cwd: maybe(text),
  },
  elicitation_request: {
    turn_id: maybe(text),
    server_name: text,
    id: Type.Union([Type.String(), Type.Integer()]),
    request: Type.Unknown(),
  },
  dynamic_tool_call_request: {
    callId: text,
    turnId: text,
    namespace: maybe(text),
    tool: text,
    arguments: Type.Optional(Type.Unknown()),
  },
  dynamic_tool_call_response: {
    call_id: text,
    turn_id: text,
    namespace: maybe(text),
    tool: text,
    arguments: Type.Optional(Type.Unknown()),
    content_items: Type.Array(Type.Unknown()),
    success: Type.Boolean(),
    error: maybe(text),
    duration: Duration,
  },
  mcp_startup_update: {
    server: text,
    status: McpStartupStatus,
    failure_reason: maybe(literals(["reauthentication_required"])),
  },
  mcp_startup_complete: {
    ready: Type.Array(text),
    failed: Type.Array(shape({ server: text, error: text })),
    cancelled: Type.Array(text),
  },
  mcp_tool_call_begin: { call_id: text, invocation: McpInvocation, read_only_hint: maybe(Type.Boolean()) },
  /** Ours: what a server says while it works on a call. */
  mcp_tool_call_progress: { call_id: text, turn_id: text, message: text },
  mcp_tool_call_end: {
    call_id: text,
    invocation: McpInvocation,
    read_only_hint: maybe(Type.Boolean()),
    duration: Duration,
    result: Type.Unknown(),
  },
  web_search_begin: { call_id: text },
  web_search_end: { call_id: text, query: text, action: Type.Optional(Type.Unknown()) },
  image_generation_begin: { call_id: text },
  image_generation_end: {
    call_id: text,
    status: text,
    revised_prompt: maybe(text),
    result: text,
    saved_path: maybe(text),
  },
  view_image_tool_call: { call_id: text, path: text },
  plan_update: { explanation: maybe(text), plan: UpdatePlanArgs.properties.plan },
  turn_diff: { unified_diff: text },
  token_count: { info: maybe(TokenUsageInfo), rate_limits: maybe(RateLimitSnapshot) },
  thread_settings_applied: { thread_settings: ThreadSettings, thread_id: maybe(text) },
  thread_name_updated: { thread_id: text, thread_name: maybe(text) },
  thread_goal_updated: { threadId: text, turnId: maybe(text), goal: Type.Unknown() },
  thread_rolled_back: { num_turns: Type.Integer({ minimum: 0 }) },
  thread_queue_changed: {},
  context_compacted: {},
  entered_review_mode: {
    target: Type.Optional(Type.Unknown()),
    user_facing_hint: maybe(text),
    turn_id: maybe(text),
    item_id: maybe(text),
  },
  exited_review_mode: { review_output: Type.Optional(Type.Unknown()), turn_id: maybe(text), item_id: maybe(text) },
  sub_agent_activity: {
    event_id: text,
    occurred_at_ms: Type.Integer(),
    agent_thread_id: text,
    agent_path: text,
    kind: text,
  },
  raw_response_item: { item: ResponseItem },
  hook_started: { turn_id: maybe(text), run: HookRunSummary },
  hook_completed: { turn_id: maybe(text), run: HookRunSummary },
  warning: { message: text },
  guardian_warning: { message: text },
  deprecation_notice: { summary: text, details: maybe(text) },
  model_reroute: { from_model: text, to_model: text, reason: text },
  error: { message: text, codex_error_info: maybe(CodexErrorInfo) },
  stream_error: { message: text, codex_error_info: maybe(CodexErrorInfo), additional_details: maybe(text) },
  background_event: { message: text },
  shutdown_complete: {},
});
export type EventMsg = Static<typeof EventMsg>;

/** The event of one kind: `EventOf<"task_started">`. */
export type EventOf<Kind extends EventMsg["type"]> = Extract<EventMsg, { type: Kind }>;

/** `id` is the submission (turn) the event belongs to. */
export const Event = open("Event", { id: Type.String(), msg: EventMsg });
export type Event = Static<typeof Event>;
