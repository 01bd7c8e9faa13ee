/** Permissions between the core's words and the clients'. Pure. */
import path from "node:path";
import type { PermissionAnswer } from "@turnkit/core";
import type { ToolPermissions } from "@turnkit/protocol";
import type {
  FileSystemSandboxEntry,
  PermissionsRequestApprovalResponse,
  RequestPermissionProfile,
} from "@turnkit/protocol/app";
import type { Outcome } from "../server-requests.js";

const NOTHING: PermissionAnswer = {
  permissions: { network: undefined, read: [], write: [] },
  scope: "turn",
  strictAutoReview: false,
};

/** Both spellings of the files: as lists, and as entries. */
export function clientPermissions({ network, file_system: files }: ToolPermissions): RequestPermissionProfile {
  const entries = (paths: readonly string[] | null | undefined, access: "read" | "write"): FileSystemSandboxEntry[] =>
    (paths ?? []).map((each) => ({ path: { type: "path", path: each }, access }));
  return {
    network: network?.enabled == null ? null : { enabled: network.enabled },
    fileSystem: files
      ? {
          read: files.read ?? null,
          write: files.write ?? null,
          entries: [...entries(files.read, "read"), ...entries(files.write, "write")],
        }
      : null,
  };
}

/** A client that fails to answer grants nothing. What no folder names, such as patterns, is not granted either. */
export function permissionAnswer(outcome: Outcome): PermissionAnswer {
  if (outcome.kind !== "answered") return NOTHING;
  const { permissions, scope, strictAutoReview } = outcome.result as PermissionsRequestApprovalResponse;
  const files = permissions.fileSystem;
  const paths = (access: "read" | "write") => {
    const entries = (files?.entries ?? []).filter((entry) => entry.access === access);
    const named = entries.flatMap((entry) => (entry.path.type === "path" ? [entry.path.path] : []));
    return [...new Set([...(files?.[access] ?? []), ...named])]
      .filter(path.isAbsolute)
      .map((each) => path.resolve(each));
  };
  return {
    permissions: { network: permissions.network?.enabled ?? undefined, read: paths("read"), write: paths("write") },
    scope: scope ?? "turn",
    strictAutoReview: strictAutoReview ?? false,
  };
}
