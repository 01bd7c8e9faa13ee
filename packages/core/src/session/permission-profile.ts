/** The newer spelling of a sandbox: a profile of what may be read, written and reached. */
import path from "node:path";
import type { SandboxPolicy } from "@turnkit/protocol";
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

const special = (kind: string) => ({ type: "special", value: { kind } });
