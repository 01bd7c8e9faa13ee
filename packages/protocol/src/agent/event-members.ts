/** Members of events that several events share, or that are long: commands, patches, approvals, media. */
import { type Static, Type } from "typebox";
import { maybe, opaque, open, record, stringEnum, taggedUnion } from "../define.js";
import { NetworkApprovalContext, NetworkPolicyAmendment, ReviewDecision } from "./approvals.js";
import { Duration, ExecCommandSource, ExecCommandStatus, ParsedCommand } from "./command.js";
import { FileChange, FileChangeStatus } from "./file-change.js";
import { ImageDetail } from "./response-item.js";
import type { ToolPermissions } from "./tool-permissions.js";
import { TextElement } from "./user-input.js";

export const execCommandBegin = {
  call_id: Type.String(),
  plugin_id: maybe(Type.String()),
  script_path: maybe(Type.String()),
  process_id: maybe(Type.String()),
  turn_id: Type.String(),
  /** Unix milliseconds. */
  started_at_ms: Type.Optional(Type.Integer()),
  command: Type.Array(Type.String()),
  cwd: Type.String(),
  parsed_cmd: Type.Array(ParsedCommand),
  source: Type.Optional(ExecCommandSource),
  interaction_input: maybe(Type.String()),
};

export const execCommandEnd = {
  ...execCommandBegin,
  completed_at_ms: Type.Optional(Type.Integer()),
  stdout: Type.String(),
  stderr: Type.String(),
  aggregated_output: Type.Optional(Type.String()),
  exit_code: Type.Integer(),
  duration: Duration,
  formatted_output: Type.String(),
  status: ExecCommandStatus,
};

export const execApprovalRequest = {
  call_id: Type.String(),
  /** Set where one call asks more than once; answers go to it, else to `call_id`. */
  approval_id: maybe(Type.String()),
  turn_id: Type.String(),
  started_at_ms: Type.Optional(Type.Integer()),
  environment_id: maybe(Type.String()),
  command: Type.Array(Type.String()),
  cwd: Type.String(),
  reason: maybe(Type.String()),
  network_approval_context: maybe(NetworkApprovalContext),
  proposed_execpolicy_amendment: maybe(Type.Array(Type.String())),
  proposed_network_policy_amendments: maybe(Type.Array(NetworkPolicyAmendment)),
  additional_permissions: Type.Optional(opaque<ToolPermissions | null>()),
  available_decisions: maybe(Type.Array(ReviewDecision)),
  parsed_cmd: Type.Array(ParsedCommand),
};

export const applyPatchApprovalRequest = {
  call_id: Type.String(),
  turn_id: Type.String(),
  started_at_ms: Type.Optional(Type.Integer()),
  changes: record(FileChange),
  reason: maybe(Type.String()),
  grant_root: maybe(Type.String()),
};

export const patchApplyBegin = {
  call_id: Type.String(),
  turn_id: Type.String(),
  auto_approved: Type.Boolean(),
  changes: record(FileChange),
};

export const patchApplyEnd = {
  call_id: Type.String(),
  turn_id: Type.Optional(Type.String()),
  stdout: Type.String(),
  stderr: Type.String(),
  success: Type.Boolean(),
  changes: Type.Optional(record(FileChange)),
  status: Type.Optional(FileChangeStatus),
};

/** The legacy mirror of a user message: one text, attachments apart from it. */
export const userMessage = {
  client_id: maybe(Type.String()),
  message: Type.String(),
  images: maybe(Type.Array(Type.String())),
  image_details: Type.Optional(Type.Array(Type.Union([ImageDetail, Type.Null()]))),
  local_images: Type.Optional(Type.Array(Type.String())),
  local_image_details: Type.Optional(Type.Array(Type.Union([ImageDetail, Type.Null()]))),
  audio: maybe(Type.Array(Type.String())),
  local_audio: Type.Optional(Type.Array(Type.String())),
  text_elements: Type.Optional(Type.Array(TextElement)),
};

export const TurnAbortReason = stringEnum("TurnAbortReason", [
  "interrupted",
  "replaced",
  "review_ended",
  "budget_limited",
]);
export type TurnAbortReason = Static<typeof TurnAbortReason>;

export const PlanStepStatus = stringEnum("PlanStepStatus", ["pending", "in_progress", "completed"]);
export type PlanStepStatus = Static<typeof PlanStepStatus>;

/** One step of a plan, as the `update_plan` tool takes it. */
export const PlanItem = open("PlanItem", { step: Type.String(), status: PlanStepStatus });
export type PlanItem = Static<typeof PlanItem>;

/** The arguments of the `update_plan` tool. */
export const UpdatePlanArgs = open("UpdatePlanArgs", {
  explanation: maybe(Type.String()),
  plan: Type.Array(PlanItem),
});
export type UpdatePlanArgs = Static<typeof UpdatePlanArgs>;

export const McpInvocation = open("McpInvocation", {
  server: Type.String(),
  tool: Type.String(),
  arguments: Type.Optional(Type.Unknown()),
});
export type McpInvocation = Static<typeof McpInvocation>;

/** How far an MCP server has come. */
export const McpStartupStatus = taggedUnion("McpStartupStatus", "state", {
  starting: {},
  ready: {},
  failed: { error: Type.String() },
  cancelled: {},
});
export type McpStartupStatus = Static<typeof McpStartupStatus>;
