/**
 * What a sandbox description allows, path by path. Owns the reading of permission profiles and the decision about one
 * path; how a process is confined to it is `bubblewrap.ts`'s business.
 */
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import type { ExecSandbox } from "@turnkit/protocol/exec";
import { pathFromUri } from "../path-uri.js";

export type Access = "none" | "read" | "write";

export interface PathRule {
  /** Absolute and without symbolic links, as far as it exists. */
  readonly path: string;
  readonly access: Access;
}

export interface SandboxPolicy {
  /** A longer path overrules a shorter one; a path without a rule is not accessible. */
  readonly rules: readonly PathRule[];
  readonly network: boolean;
}

/** The description asks for something this host cannot enforce. `field` is its path in the params. */
export class UnsupportedSandboxError extends Error {
  override readonly name = "UnsupportedSandboxError";
}

/** What programs need to run at all. */
const MINIMAL = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/opt", "/nix"];

/** undefined: the profile asks for no confinement. @throws {UnsupportedSandboxError} @throws {PathUriError} */
export function sandboxPolicy(sandbox: ExecSandbox, env: NodeJS.ProcessEnv): SandboxPolicy | undefined {
  const { permissions } = sandbox;
  if (permissions.type !== "managed") return undefined;
  const network = permissions.network === "enabled";
  const fileSystem = permissions.file_system;
  if (fileSystem.type !== "restricted") {
    return network ? undefined : { rules: [{ path: "/", access: "write" }], network };
  }
  const rules = fileSystem.entries.flatMap(({ path, access }, index): PathRule[] => {
    const field = `params.sandbox.permissions.file_system.entries[${index}].path`;
    if (path.type === "glob_pattern") throw new UnsupportedSandboxError(`${field}: glob patterns are not supported`);
    const paths = path.type === "path" ? [nativePath(path.path)] : specialPaths(path.value, sandbox, env, field);
    const allowed: Access = access === "write" || access === "read" ? access : "none";
    const real = paths.map(realPath);
    const linked = allowed === "read" ? real.flatMap(linkedRepository) : [];
    return [...real, ...linked].map((each) => ({ path: each, access: allowed }));
  });
  return { rules: rules.sort((a, b) => a.path.length - b.path.length), network };
}

function nativePath(path: string): string {
  return path.startsWith("/") ? resolve(path) : pathFromUri(path);
}

function specialPaths(
  value: { kind: string; subpath?: string | null },
  sandbox: ExecSandbox,
  env: NodeJS.ProcessEnv,
  field: string,
): string[] {
  switch (value.kind) {
    case "root":
      return ["/"];
    case "minimal":
      return MINIMAL.filter((path) => existsSync(path));
    case "project_roots":
    case "current_working_directory": {
      const roots = sandbox.workspaceRoots?.length ? sandbox.workspaceRoots : sandbox.cwd ? [sandbox.cwd] : [];
      return roots.map((root) => (value.subpath ? join(nativePath(root), value.subpath) : nativePath(root)));
    }
    case "tmpdir":
      // A relative path would mean another folder to every process, and the root is never temporary.
      return env.TMPDIR && isAbsolute(env.TMPDIR) && resolve(env.TMPDIR) !== "/" ? [resolve(env.TMPDIR)] : [];
    case "slash_tmp":
      return ["/tmp"];
    default:
      throw new UnsupportedSandboxError(`${field}: special path \`${value.kind}\` is not supported`);
  }
}

/** A worktree's `.git` is a file that names the repository's folder: what holds for the one holds for the other. */
function linkedRepository(path: string): string[] {
  if (basename(path) !== ".git") return [];
  try {
    const named = /^gitdir:\s*(.+?)\s*$/m.exec(readFileSync(path, "utf8"))?.[1];
    return named === undefined ? [] : [realPath(resolve(dirname(path), named))];
  } catch {
    return [];
  }
}

/** The path with every symbolic link in its existing part resolved. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}

/** `path` must be real already. */
export function accessTo(policy: SandboxPolicy, path: string): Access {
  let access: Access = "none";
  for (const rule of policy.rules) {
    if (rule.path === "/" || path === rule.path || path.startsWith(`${rule.path}/`)) access = rule.access;
  }
  return access;
}
