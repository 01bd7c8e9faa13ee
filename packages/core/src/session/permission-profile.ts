/** The newer spelling of a sandbox: a profile of what may be read, written and reached. */
import path from "node:path";
import type { SandboxPolicy, ThreadSettings } from "@turnkit/protocol";
import { PROTECTED_FOLDERS } from "../approvals/exec-sandbox.js";
import { InvalidRequestError } from "./errors.js";

/** `cwd` is the thread's folder, an absolute path. */
export function permissionProfile(policy: SandboxPolicy, cwd: string): Record<string, unknown> {
  if (policy.type === "danger-full-access") return { type: "disabled" };
  if (policy.type === "external-sandbox") return { type: "external" };
  const entries: object[] = [{ path: special("root"), access: "read" }];
  if (policy.type === "workspace-write") {
    const roots = [cwd, ...(policy.writable_roots ?? [])];
    for (const root of roots) entries.push({ path: { type: "path", path: root }, access: "write" });
    if (policy.exclude_slash_tmp !== true) entries.push({ path: special("slash_tmp"), access: "write" });
    if (policy.exclude_tmpdir_env_var !== true) entries.push({ path: special("tmpdir"), access: "write" });
    for (const root of roots)
      for (const name of PROTECTED_FOLDERS)
        entries.push({
          path: { type: "path", path: path.join(root, name) },
          access: "read",
          missing_path_behavior: "skip",
        });
  }
  return {
    type: "managed",
    file_system: { type: "restricted", entries },
    network: policy.network_access === true ? "enabled" : "restricted",
  };
}

const BUILT_IN: Readonly<Record<string, SandboxPolicy>> = {
  ":read-only": { type: "read-only", network_access: false },
  ":workspace": {
    type: "workspace-write",
    writable_roots: [],
    network_access: false,
    exclude_tmpdir_env_var: false,
    exclude_slash_tmp: false,
  },
  ":danger-full-access": { type: "danger-full-access" },
};

/** The ids of the profiles there are, in the order in which they are listed. */
export const PERMISSION_PROFILES: readonly string[] = Object.keys(BUILT_IN);

/** What a profile makes of the settings. @throws {InvalidRequestError} there is none with this id */
export function profileSettings(
  id: string,
  cwd: string,
): Pick<ThreadSettings, "sandbox_policy" | "permission_profile" | "active_permission_profile"> {
  const policy = BUILT_IN[id];
  if (policy === undefined)
    throw new InvalidRequestError(
      id.startsWith(":")
        ? `failed to load configuration: default_permissions refers to unknown built-in profile \`${id}\``
        : "failed to load configuration: default_permissions requires a `[permissions]` table",
    );
  return {
    sandbox_policy: policy,
    permission_profile: permissionProfile(policy, cwd),
    active_permission_profile: { id, extends: null },
  };
}

/** The settings with folders beside `cwd` that may be written; other sandboxes than `workspace-write` know no such folders. */
export function withWorkspaceRoots(settings: ThreadSettings, roots: readonly string[]): ThreadSettings {
  const policy = settings.sandbox_policy;
  if (policy.type !== "workspace-write") return settings;
  const writable = new Set([...(policy.writable_roots ?? []), ...roots]);
  writable.delete(settings.cwd);
  const sandbox_policy = { ...policy, writable_roots: [...writable] };
  return { ...settings, sandbox_policy, permission_profile: permissionProfile(sandbox_policy, settings.cwd) };
}

const special = (kind: string) => ({ type: "special", value: { kind } });
