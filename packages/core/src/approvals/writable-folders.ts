/** Whether a file lies where a sandbox policy lets it be written, with every link on the way resolved. */
import { realpath } from "node:fs/promises";
import path from "node:path";
import type { SandboxPolicy } from "@turnkit/protocol";
import { PROTECTED_FOLDERS } from "./exec-sandbox.js";

export interface WritableFoldersOptions {
  readonly policy: SandboxPolicy;
  readonly cwd: string;
  /** Folders for temporary files. */
  readonly temporaryFolders: readonly string[];
  /** Folders that the person granted beyond the policy. */
  readonly granted?: readonly string[];
}

export async function mayWrite(file: string, options: WritableFoldersOptions): Promise<boolean> {
  const { policy, cwd, temporaryFolders } = options;
  if (policy.type === "danger-full-access" || policy.type === "external-sandbox") return true;
  const target = await realTarget(file);
  if (await isGranted(target, options.granted ?? [])) return true;
  if (policy.type === "read-only") return false;
  const roots = await Promise.all([cwd, ...(policy.writable_roots ?? [])].map(realTarget));
  const guarded = roots.flatMap((root) => PROTECTED_FOLDERS.map((name) => path.join(root, name)));
  if (guarded.some((folder) => isInside(folder, target))) return false;
  const temporary =
    policy.exclude_slash_tmp === true && policy.exclude_tmpdir_env_var === true
      ? []
      : await Promise.all(temporaryFolders.map(realTarget));
  return [...roots, ...temporary].some((root) => isInside(root, target));
}

/** What a granted folder trusts has to be granted by its own name. */
async function isGranted(target: string, folders: readonly string[]): Promise<boolean> {
  const roots = await Promise.all(folders.map(realTarget));
  const around = roots.filter((root) => isInside(root, target));
  const guards = roots.flatMap((root) => PROTECTED_FOLDERS.map((name) => path.join(root, name)));
  const guard = guards.find((folder) => isInside(folder, target));
  return around.some((root) => guard === undefined || isInside(guard, root));
}

/** The path with the links of its existing part resolved. */
async function realTarget(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch {
    const parent = path.dirname(file);
    return parent === file ? file : path.join(await realTarget(parent), path.basename(file));
  }
}

function isInside(root: string, file: string): boolean {
  const relative = path.relative(root, file);
  return relative === "" || (relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative));
}
