/** Settings of a thread as the core keeps them, and changes to them. */
import { type Static, Type } from "typebox";
import { maybe, open, taggedUnion } from "../define.js";
import { CollaborationMode } from "./modes.js";
import {
  ApprovalsReviewer,
  AskForApproval,
  Personality,
  ReasoningEffort,
  ReasoningSummary,
} from "./settings-values.js";

/** What the operating system is asked to forbid. Kebab-case tags, snake_case members. */
export const SandboxPolicy = taggedUnion("SandboxPolicy", "type", {
  "danger-full-access": {},
  "read-only": { network_access: Type.Optional(Type.Boolean()) },
  "external-sandbox": { network_access: Type.Optional(Type.String()) },
  "workspace-write": {
    writable_roots: Type.Optional(Type.Array(Type.String())),
    network_access: Type.Optional(Type.Boolean()),
    exclude_tmpdir_env_var: Type.Optional(Type.Boolean()),
    exclude_slash_tmp: Type.Optional(Type.Boolean()),
  },
});
export type SandboxPolicy = Static<typeof SandboxPolicy>;

/** The settings in force. A missing `reasoning_effort` or `reasoning_summary` is the model's own default. */
export const ThreadSettings = open("ThreadSettings", {
  model: Type.String(),
  model_provider_id: Type.String(),
  service_tier: maybe(Type.String()),
  cwd: Type.String(),
  approval_policy: AskForApproval,
  approvals_reviewer: Type.Optional(ApprovalsReviewer),
  sandbox_policy: SandboxPolicy,
  permission_profile: Type.Optional(Type.Unknown()),
  active_permission_profile: Type.Optional(Type.Unknown()),
  reasoning_effort: maybe(ReasoningEffort),
  reasoning_summary: maybe(ReasoningSummary),
  personality: maybe(Personality),
  collaboration_mode: CollaborationMode,
});
export type ThreadSettings = Static<typeof ThreadSettings>;

/** A change: members left out stay as they are; null goes back to the default where there is one. */
export const ThreadSettingsOverrides = open("ThreadSettingsOverrides", {
  cwd: Type.Optional(Type.String()),
  workspace_roots: maybe(Type.Array(Type.String())),
  approval_policy: Type.Optional(AskForApproval),
  approvals_reviewer: Type.Optional(ApprovalsReviewer),
  sandbox_policy: Type.Optional(SandboxPolicy),
  /** The name of a permission profile; not together with `sandbox_policy`. */
  permissions: maybe(Type.String()),
  model: Type.Optional(Type.String()),
  effort: maybe(ReasoningEffort),
  summary: maybe(ReasoningSummary),
  service_tier: maybe(Type.String()),
  personality: maybe(Personality),
  collaboration_mode: Type.Optional(CollaborationMode),
});
export type ThreadSettingsOverrides = Static<typeof ThreadSettingsOverrides>;
