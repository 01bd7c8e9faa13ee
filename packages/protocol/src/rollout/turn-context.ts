/** The settings a turn ran with, as a rollout keeps them. */
import { type Static, Type } from "typebox";
import { CollaborationMode } from "../agent/modes.js";
import { SandboxPolicy } from "../agent/settings.js";
import { ApprovalsReviewer, AskForApproval, Personality } from "../agent/settings-values.js";
import { maybe, open } from "../define.js";

export const TurnContextItem = open("TurnContextItem", {
  turn_id: maybe(Type.String()),
  cwd: Type.String(),
  workspace_roots: maybe(Type.Array(Type.String())),
  current_date: maybe(Type.String()),
  timezone: maybe(Type.String()),
  approval_policy: AskForApproval,
  approvals_reviewer: maybe(ApprovalsReviewer),
  sandbox_policy: SandboxPolicy,
  permission_profile: Type.Optional(Type.Unknown()),
  active_permission_profile: Type.Optional(Type.Unknown()),
  network: Type.Optional(Type.Unknown()),
  file_system_sandbox_policy: Type.Optional(Type.Unknown()),
  model: Type.String(),
  comp_hash: maybe(Type.String()),
  personality: maybe(Personality),
  collaboration_mode: maybe(CollaborationMode),
  multi_agent_version: maybe(Type.String()),
  multi_agent_mode: maybe(Type.String()),
  realtime_active: maybe(Type.Boolean()),
  effort: maybe(Type.String()),
  /** Kept for older readers. */
  summary: maybe(Type.String()),
});
export type TurnContextItem = Static<typeof TurnContextItem>;
