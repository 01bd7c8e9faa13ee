/**
 * Changing a thread's settings. A change is worked out first and takes hold only when the input it came with is
 * accepted, so that a refused input leaves nothing behind.
 */
import path from "node:path";
import type { CollaborationMode, ThreadSettings, ThreadSettingsOverrides } from "@turnkit/protocol";
import { validate } from "@turnkit/protocol/validate";
import { presetInstructions } from "../context/collaboration-mode.js";
import { InvalidRequestError } from "./errors.js";
import { permissionProfile, profileSettings, withWorkspaceRoots } from "./permission-profile.js";

export interface SettingsFeatures {
  readonly defaultModeQuestions: boolean;
}

/** @throws {InvalidRequestError} a member is of the wrong kind, or two exclude each other */
export function previewSettings(
  current: ThreadSettings,
  overrides: ThreadSettingsOverrides | undefined,
  features: SettingsFeatures,
): ThreadSettings {
  if (overrides === undefined) return current;
  const result = validate("ThreadSettingsOverrides", overrides);
  if (!result.ok) {
    const issue = result.issues[0];
    throw new InvalidRequestError(
      `thread_settings${issue?.path ? `.${issue.path}` : ""} ${issue?.message ?? "is not valid"}`,
    );
  }
  if (overrides.permissions !== undefined && overrides.permissions !== null && overrides.sandbox_policy !== undefined)
    throw new InvalidRequestError("`permissions` cannot be combined with `sandboxPolicy`");
  const next: { -readonly [Key in keyof ThreadSettings]: ThreadSettings[Key] } = { ...current };
  if (overrides.cwd !== undefined) next.cwd = path.resolve(current.cwd, overrides.cwd);
  if (overrides.approval_policy !== undefined) next.approval_policy = overrides.approval_policy;
  if (overrides.approvals_reviewer !== undefined) next.approvals_reviewer = overrides.approvals_reviewer;
  if (overrides.sandbox_policy !== undefined) {
    next.sandbox_policy = overrides.sandbox_policy;
    delete next.active_permission_profile;
  }
  if (overrides.sandbox_policy !== undefined || overrides.cwd !== undefined)
    next.permission_profile = permissionProfile(next.sandbox_policy, next.cwd);
  if (overrides.permissions != null) Object.assign(next, profileSettings(overrides.permissions, next.cwd));
  if (overrides.service_tier !== undefined) next.service_tier = overrides.service_tier;
  if (overrides.personality !== undefined) next.personality = overrides.personality;
  if (overrides.summary !== undefined) next.reasoning_summary = overrides.summary;
  if (overrides.collaboration_mode !== undefined) {
    next.collaboration_mode = completeMode(overrides.collaboration_mode, features);
    next.model = overrides.collaboration_mode.settings.model;
    if (overrides.collaboration_mode.settings.reasoning_effort !== undefined)
      next.reasoning_effort = overrides.collaboration_mode.settings.reasoning_effort;
  } else if (overrides.model !== undefined || overrides.effort !== undefined) {
    const { settings } = current.collaboration_mode;
    const model = overrides.model ?? settings.model;
    const effort = overrides.effort === undefined ? (settings.reasoning_effort ?? null) : overrides.effort;
    next.model = model;
    next.reasoning_effort = effort;
    next.collaboration_mode = {
      ...current.collaboration_mode,
      settings: { ...settings, model, reasoning_effort: effort },
    };
  }
  // The session file leaves an effort out that nobody chose.
  if (next.reasoning_effort === null) delete next.reasoning_effort;
  return overrides.workspace_roots ? withWorkspaceRoots(next, overrides.workspace_roots) : next;
}

function completeMode(mode: CollaborationMode, features: SettingsFeatures): CollaborationMode {
  const instructions = mode.settings.developer_instructions;
  if (instructions !== undefined && instructions !== null) return mode;
  return {
    ...mode,
    settings: { ...mode.settings, developer_instructions: presetInstructions(mode.mode, features) },
  };
}
