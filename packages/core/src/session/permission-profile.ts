/** The newer spelling of a sandbox: a profile of what may be read, written and reached. */
import type { SandboxPolicy } from "@turnkit/protocol";

export function permissionProfile(policy: SandboxPolicy): Record<string, unknown> {
  if (policy.type === "danger-full-access") return { type: "disabled" };
  if (policy.type === "external-sandbox") return { type: "external" };
  const root = { path: { type: "special", value: { kind: "root" } }, access: "read" };
  const roots =
    policy.type === "workspace-write"
      ? (policy.writable_roots ?? []).map((folder) => ({ path: { type: "path", path: folder }, access: "write" }))
      : [];
  const project =
    policy.type === "workspace-write" ? [{ path: { type: "special", value: { kind: "cwd" } }, access: "write" }] : [];
  return {
    type: "managed",
    file_system: { type: "restricted", entries: [root, ...project, ...roots] },
    network: policy.network_access === true ? "enabled" : "restricted",
  };
}
