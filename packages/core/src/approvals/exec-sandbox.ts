/** A sandbox policy as the description of a confined process, for the host that enforces it. Pure. */
import path from "node:path";
import type { SandboxPolicy } from "@turnkit/protocol";
import type { ExecSandbox } from "@turnkit/protocol/exec";

/** Folders of a workspace that hold what later commands trust: never written by a confined one. */
export const PROTECTED_FOLDERS = [".git", ".agents", ".codex", ".turnkit"];

type Entry = Extract<
  Extract<ExecSandbox["permissions"], { type: "managed" }>["file_system"],
  { type: "restricted" }
>["entries"][number];

/** null: nothing is confined. */
export function execSandbox(policy: SandboxPolicy, cwd: string): ExecSandbox | null {
  if (policy.type === "danger-full-access" || policy.type === "external-sandbox") return null;
  const entries: Entry[] = [{ path: special("root"), access: "read" }];
  if (policy.type === "workspace-write") {
    const roots = [cwd, ...(policy.writable_roots ?? [])].map((root) => path.resolve(root));
    if (policy.exclude_slash_tmp !== true) entries.push({ path: special("slash_tmp"), access: "write" });
    if (policy.exclude_tmpdir_env_var !== true) entries.push({ path: special("tmpdir"), access: "write" });
    for (const root of roots) entries.push({ path: { type: "path", path: root }, access: "write" });
    for (const root of roots)
      for (const name of PROTECTED_FOLDERS)
        entries.push({ path: { type: "path", path: path.join(root, name) }, access: "read" });
  }
  return {
    permissions: {
      type: "managed",
      file_system: { type: "restricted", entries },
      network: policy.network_access === true ? "enabled" : "restricted",
    },
    cwd,
    workspaceRoots: [cwd],
    windowsSandboxLevel: "disabled",
  };
}

function special(kind: string): Entry["path"] {
  return { type: "special", value: { kind } };
}
