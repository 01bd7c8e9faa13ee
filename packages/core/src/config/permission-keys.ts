/**
 * The keys that say what commands may do and when a person is asked: `approval_policy`, `sandbox_mode`,
 * `default_permissions` and what is said of a folder's trust. Owns what they mean together.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import type { AskForApproval, ConfigFile, SandboxPolicy } from "@turnkit/protocol";
import { PERMISSION_PROFILES } from "../session/permission-profile.js";
import { formatProblem } from "./config-error.js";
import type { TableReader } from "./table-reader.js";

export interface PermissionKeys {
  /** undefined: nothing was configured. */
  readonly approvalPolicy: AskForApproval | undefined;
  readonly sandboxPolicy: SandboxPolicy;
  /** The id of a built-in profile, which comes before `sandboxPolicy`; undefined: none was named. */
  readonly permissionProfile: string | undefined;
}

/** @throws {ConfigError} */
export function readPermissionKeys(reader: TableReader<ConfigFile>, warnings: string[]): PermissionKeys {
  const warn = (key: string, rule: string) => warnings.push(formatProblem(reader.problem(key, rule).problem));
  const reviewer = reader.take("approvals_reviewer") ?? "user";
  if (reviewer !== "user")
    warn("approvals_reviewer", `= "${reviewer}" is not supported: approvals are put to the person`);
  return {
    approvalPolicy: readApprovalPolicy(reader, warn),
    sandboxPolicy: readSandbox(reader),
    permissionProfile: readProfile(reader, warn),
  };
}

type Warn = (key: string, rule: string) => void;

function readApprovalPolicy(reader: TableReader<ConfigFile>, warn: Warn): AskForApproval | undefined {
  const given = reader.take("approval_policy");
  if (given === "untrusted")
    throw reader.problem("approval_policy", '= "untrusted" is no longer supported; remove this setting');
  if (given !== "on-failure") return given;
  warn("approval_policy", '= "on-failure" is no longer supported and counts as "on-request"');
  return "on-request";
}

function readSandbox(reader: TableReader<ConfigFile>): SandboxPolicy {
  const write = reader.take("sandbox_workspace_write");
  switch (reader.take("sandbox_mode")) {
    case "danger-full-access":
      return { type: "danger-full-access" };
    case "read-only":
      return { type: "read-only" };
    default:
      return {
        type: "workspace-write",
        writable_roots: [...(write?.writable_roots ?? [])],
        network_access: write?.network_access ?? false,
        exclude_tmpdir_env_var: write?.exclude_tmpdir_env_var ?? false,
        exclude_slash_tmp: write?.exclude_slash_tmp ?? false,
      };
  }
}

/** A profile of the person's own restricts in ways that are not known here: nothing may be written then. */
function readProfile(reader: TableReader<ConfigFile>, warn: Warn): string | undefined {
  const id = reader.take("default_permissions");
  if (id === undefined || PERMISSION_PROFILES.includes(id)) return id;
  if (id.startsWith(":")) throw reader.problem("default_permissions", `refers to unknown built-in profile \`${id}\``);
  warn("default_permissions", `names "${id}": profiles of [permissions] are not supported, commands run read-only`);
  return ":read-only";
}

/** What is said of the folder, or else of the project it is in; undefined: nothing. */
export function trustOf(projects: Readonly<Record<string, string>>, cwd: string): string | undefined {
  return projects[cwd] ?? projects[repositoryOf(cwd)];
}

function repositoryOf(cwd: string): string {
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, ".git"))) return folder;
    if (folder === path.dirname(folder)) return cwd;
  }
}
