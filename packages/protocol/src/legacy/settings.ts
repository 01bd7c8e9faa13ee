/** Old spellings in turn contexts and thread settings. */
import { upgradeCollaborationMode, withMembers } from "./modes.js";
import { isObject, type JsonObject, type Note, type Upgrade } from "./read-result.js";

/** Until 0.58 the tag was `mode`. */
export function upgradeSandboxPolicy(value: unknown, note: Note): unknown {
  if (!isObject(value) || "type" in value || typeof value.mode !== "string") return value;
  note("sandbox_policy.mode");
  const { mode, ...rest } = value;
  return { type: mode, ...rest };
}

/** `on-failure` asked after a command had failed in the sandbox; what is left of it is `on-request`. */
function upgradeApprovalPolicy(value: unknown, note: Note): unknown {
  if (value !== "on-failure") return value;
  note("approval_policy on-failure");
  return "on-request";
}

export const upgradeTurnContext: Upgrade = (value, note) => {
  const members: JsonObject = {
    sandbox_policy: upgradeSandboxPolicy(value.sandbox_policy, note),
    approval_policy: upgradeApprovalPolicy(value.approval_policy, note),
  };
  if ("collaboration_mode" in value) {
    members.collaboration_mode = upgradeCollaborationMode(value.collaboration_mode, note);
  }
  return withMembers(value, members);
};

/** Profiles took the place of the policy in written settings; readers still want to know what may be written to. */
function sandboxOfProfile(profile: unknown): JsonObject {
  if (!isObject(profile) || profile.type === "disabled") return { type: "danger-full-access" };
  if (profile.type === "external") return { type: "external-sandbox" };
  return { type: JSON.stringify(profile).includes('"write"') ? "workspace-write" : "read-only" };
}

export const upgradeThreadSettings: Upgrade = (value, note) => {
  if (value.sandbox_policy === undefined && value.permission_profile !== undefined) {
    note("missing sandbox_policy");
    return upgradeThreadSettings({ ...value, sandbox_policy: sandboxOfProfile(value.permission_profile) }, note);
  }
  const members: JsonObject = { approval_policy: upgradeApprovalPolicy(value.approval_policy, note) };
  if ("sandbox_policy" in value) members.sandbox_policy = upgradeSandboxPolicy(value.sandbox_policy, note);
  if ("collaboration_mode" in value) {
    members.collaboration_mode = upgradeCollaborationMode(value.collaboration_mode, note);
  }
  return withMembers(value, members);
};
