/** A sandbox policy as the description of a confined process, for the host that enforces it. Pure. */
import path from "node:path";
import type { SandboxPolicy } from "@turnkit/protocol";
import type { ExecSandbox } from "@turnkit/protocol/exec";
import { NO_PERMISSIONS, type PermissionGrant } from "@turnkit/tools";

/** Folders of a workspace that hold what later commands trust: never written by a confined one. */
export const PROTECTED_FOLDERS = [".git", ".agents", ".codex", ".turnkit"];

type Entry = Extract<
  Extract<ExecSandbox["permissions"], { type: "managed" }>["file_system"],
  { type: "restricted" }
>["entries"][number];

/** `granted`: what holds beyond the policy. null: nothing is confined. */
export function execSandbox(
  policy: SandboxPolicy,
  cwd: string,
  granted: PermissionGrant = NO_PERMISSIONS,
): ExecSandbox | null {
  if (policy.type === "danger-full-access" || policy.type === "external-sandbox") return null;
  const entries: Entry[] = [{ path: special("root"), access: "read" }];
  if (policy.type === "workspace-write") {
    const roots = [cwd, ...(policy.writable_roots ?? [])].map((root) => path.resolve(root));
    if (policy.exclude_slash_tmp !== true) entries.push({ path: special("slash_tmp"), access: "write" });
    if (policy.exclude_tmpdir_env_var !== true) entries.push({ path: special("tmpdir"), access: "write" });
    for (const root of roots) entries.push({ path: { type: "path", path: root }, access: "write" });
    for (const file of roots.flatMap(protectedFolders))
      entries.push({ path: { type: "path", path: file }, access: "read" });
  }
  for (const folder of granted.write) entries.push({ path: { type: "path", path: folder }, access: "write" });
  for (const file of granted.write.flatMap(protectedFolders).filter((file) => !granted.write.includes(file)))
    entries.push({ path: { type: "path", path: file }, access: "read" });
  return {
    permissions: {
      type: "managed",
      file_system: { type: "restricted", entries },
      network: policy.network_access === true || granted.network === true ? "enabled" : "restricted",
    },
    cwd,
    workspaceRoots: [cwd],
    windowsSandboxLevel: "disabled",
  };
}

function protectedFolders(root: string): string[] {
  return PROTECTED_FOLDERS.map((name) => path.join(root, name));
}

function special(kind: string): Entry["path"] {
  return { type: "special", value: { kind } };
}
