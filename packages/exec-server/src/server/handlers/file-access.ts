/**
 * From a URI and its conditions to a path that may be touched: confinement and "no symbolic links" are decided here,
 * before any handler acts. Also owns how failures of file operations are reported.
 */

import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { RpcErrorCode } from "@turnkit/protocol";
import type { ExecSandbox } from "@turnkit/protocol/exec";
import { RpcError } from "@turnkit/rpc";
import { PathUriError, pathFromUri } from "../../path-uri.js";
import { osError, osErrorText } from "../../process/os-error.js";
import { type Access, accessTo, realPath, sandboxPolicy, UnsupportedSandboxError } from "../../sandbox/policy.js";

const O_PATH = 0o10000000;

/** The native path. @throws {RpcError} */
export function nativePath(uri: string): string {
  try {
    return pathFromUri(uri);
  } catch (error) {
    if (!(error instanceof PathUriError)) throw error;
    throw new RpcError(error.foreign ? RpcErrorCode.invalidRequest : RpcErrorCode.invalidParams, error.message);
  }
}

/**
 * The path an operation may use. Confined: the path with its links resolved, so that what was checked is what is used;
 * `itself` keeps a link at the end unresolved, for operations on the link.
 * @throws an operating system error that says what a confined process would have seen  @throws {RpcError}
 */
export function permitted(
  uri: string,
  access: Exclude<Access, "none">,
  sandbox: ExecSandbox | null | undefined,
  itself = false,
): string {
  const path = nativePath(uri);
  if (!sandbox) return path;
  let policy: ReturnType<typeof sandboxPolicy>;
  try {
    policy = sandboxPolicy(sandbox, process.env);
  } catch (error) {
    if (error instanceof UnsupportedSandboxError || error instanceof PathUriError)
      throw new RpcError(RpcErrorCode.invalidParams, error.message);
    throw error;
  }
  if (!policy) return path;
  const real = itself && path !== "/" ? `${trimmed(realPath(dirname(path)))}/${basename(path)}` : realPath(path);
  const granted = accessTo(policy, real);
  if (granted === "none") throw osError("EACCES");
  if (access === "write" && granted !== "write") throw osError("EROFS");
  return real;
}

function trimmed(path: string): string {
  return path === "/" ? "" : path;
}

/** Runs a file operation; turns its failure into the reply. */
export async function reporting<Result>(work: () => Promise<Result> | Result): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RpcError) throw error;
    const code = (error as NodeJS.ErrnoException).code;
    throw new RpcError(code === "ENOENT" ? RpcErrorCode.notFound : RpcErrorCode.internalError, osErrorText(error));
  }
}

/**
 * Calls `use` with a name for the path that goes through no symbolic link, except perhaps its last part, which is up
 * to `use`. Each folder is opened under the one before it, so nobody can swap a link in between.
 */
export async function withoutLinks<Result>(path: string, use: (name: string) => Promise<Result>): Promise<Result> {
  const parts = path.split("/").filter((part) => part !== "");
  const last = parts.pop();
  let folder: FileHandle = await open("/", O_PATH | constants.O_DIRECTORY);
  try {
    for (const part of parts) {
      const next = await open(
        `/proc/self/fd/${folder.fd}/${part}`,
        O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW,
      );
      await folder.close();
      folder = next;
    }
    return await use(last === undefined ? `/proc/self/fd/${folder.fd}/.` : `/proc/self/fd/${folder.fd}/${last}`);
  } finally {
    await folder.close();
  }
}

export function containsLink(): RpcError {
  return new RpcError(RpcErrorCode.invalidRequest, "path contains a symbolic link");
}
