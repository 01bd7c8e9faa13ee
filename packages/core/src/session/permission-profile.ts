/** The newer spelling of a sandbox: a profile of what may be read, written and reached. */
import path from "node:path";
import type { SandboxPolicy, ThreadSettings } from "@turnkit/protocol";
import { PROTECTED_FOLDERS } from "../approvals/exec-sandbox.js";

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
