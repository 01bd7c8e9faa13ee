/** `fs/copy`: files, folders and links; links are copied as links. */

import { chmod, copyFile, lstat, mkdir, readdir, readlink, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { RpcErrorCode } from "@turnkit/protocol";
import type { ExecCopyParams } from "@turnkit/protocol/exec";
import { RpcError } from "@turnkit/rpc";
import { osError } from "../../process/os-error.js";
import { realPath } from "../../sandbox/policy.js";
import { permitted, reporting } from "./file-access.js";

export function copy({ sourcePath, destinationPath, recursive, sandbox }: ExecCopyParams) {
  return reporting(async () => {
    const source = permitted(sourcePath, "read", sandbox, true);
    const destination = permitted(destinationPath, "write", sandbox);
    const found = await lstat(source);
    if (found.isDirectory()) {
      if (!recursive)
        throw new RpcError(
          RpcErrorCode.invalidRequest,
          "fs/copy requires recursive: true when sourcePath is a directory",
        );
      const from = realPath(source);
      const to = realPath(destination);
      if (to === from || to.startsWith(from === "/" ? "/" : `${from}/`)) {
        throw new RpcError(
          RpcErrorCode.invalidRequest,
          "fs/copy cannot copy a directory to itself or one of its descendants",
        );
      }
    }
    await copyEntry(source, destination);
    return {};
  });
}

async function copyEntry(source: string, destination: string): Promise<void> {
  const found = await lstat(source);
  if (found.isSymbolicLink()) {
    await symlink(await readlink(source), destination);
  } else if (found.isFile()) {
    const there = await stat(destination).catch(() => undefined);
    if (there && there.dev === found.dev && there.ino === found.ino) {
      throw new RpcError(RpcErrorCode.invalidRequest, "fs/copy cannot copy a file onto itself");
    }
    if (there?.isDirectory()) throw osError("EISDIR");
    await copyFile(source, destination);
  } else if (found.isDirectory()) {
    await mkdir(destination, { recursive: true });
    for (const name of await readdir(source)) await copyEntry(join(source, name), join(destination, name));
    // Last: a folder that may not be written could not be filled.
    await chmod(destination, found.mode & 0o7777);
  } else {
    throw new RpcError(RpcErrorCode.invalidRequest, "fs/copy only supports regular files, directories, and symlinks");
  }
}
