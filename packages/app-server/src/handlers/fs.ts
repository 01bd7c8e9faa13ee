/** File access for clients: absolute paths, contents in base64. Runs with the rights of the server. */

import type { Stats } from "node:fs";
import { cp, lstat, mkdir, readdir, readFile, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { isAbsolute, relative } from "node:path";
import { RpcErrorCode } from "@turnkit/protocol";
import { RpcError } from "@turnkit/rpc";

import { unwatch, watchPath } from "./fs-watches.js";
import type { Handlers } from "./handler.js";
import { osErrorWords } from "./os-error-words.js";

export const fsHandlers: Handlers = {
  async "fs/readFile"({ path }) {
    const bytes = await attempt(path, async (file) => ((await stat(file)).isDirectory() ? null : await readFile(file)));
    if (bytes === null) throw new RpcError(RpcErrorCode.invalidRequest, `path \`${path}\` is not a file`);
    return { dataBase64: bytes.toString("base64") };
  },

  async "fs/writeFile"({ path, dataBase64 }) {
    const bytes = Buffer.from(dataBase64, "base64");
    if (bytes.toString("base64").replace(/=+$/, "") !== dataBase64.replace(/=+$/, "")) {
      throw new RpcError(RpcErrorCode.invalidRequest, "fs/writeFile requires valid base64 dataBase64");
    }
    await attempt(path, (file) => writeFile(file, bytes));
    return {};
  },

  async "fs/createDirectory"({ path, recursive }) {
    await attempt(path, (folder) => mkdir(folder, { recursive: recursive ?? true }));
    return {};
  },

  async "fs/getMetadata"({ path }) {
    const link = await attempt(path, (file) => lstat(file));
    // A link to nothing is still there; it is neither a file nor a folder.
    const target: Stats = link.isSymbolicLink() ? await stat(path).catch(() => link) : link;
    return {
      isDirectory: target.isDirectory(),
      isFile: target.isFile(),
      isSymlink: link.isSymbolicLink(),
      createdAtMs: Math.floor(target.birthtimeMs),
      modifiedAtMs: Math.floor(target.mtimeMs),
    };
  },

  async "fs/readDirectory"({ path }) {
    const entries = await attempt(path, (folder) => readdir(folder, { withFileTypes: true }));
    return {
      entries: entries.map((entry) => ({
        fileName: entry.name,
        isDirectory: entry.isDirectory(),
        isFile: entry.isFile(),
      })),
    };
  },

  async "fs/remove"({ path, recursive, force }) {
    await attempt(path, async (target) => {
      if (recursive === false && (await lstat(target).catch(() => null))?.isDirectory()) await rmdir(target);
      else await rm(target, { recursive: recursive ?? true, force: force ?? true });
    });
    return {};
  },

  async "fs/copy"({ sourcePath, destinationPath, recursive }) {
    requireAbsolute(destinationPath);
    const source = await attempt(sourcePath, (path) => stat(path));
    if (source.isDirectory() && !recursive) {
      throw new RpcError(
        RpcErrorCode.invalidRequest,
        "fs/copy requires recursive: true when sourcePath is a directory",
      );
    }
    if (source.isDirectory() && !relative(sourcePath, destinationPath).startsWith(".."))
      throw new RpcError(
        RpcErrorCode.invalidRequest,
        "fs/copy cannot copy a directory to itself or one of its descendants",
      );
    await attempt(sourcePath, (path) => cp(path, destinationPath, { recursive: recursive ?? false }));
    return {};
  },

  "fs/watch"({ watchId, path }, { connection }) {
    requireAbsolute(path);
    watchPath(connection, watchId, path);
    return { path };
  },

  "fs/unwatch"({ watchId }, { connection }) {
    unwatch(connection, watchId);
    return {};
  },
};

function requireAbsolute(path: string): void {
  if (!isAbsolute(path)) throw new RpcError(RpcErrorCode.invalidRequest, "Invalid request: path must be absolute");
}

async function attempt<Result>(path: string, run: (path: string) => Promise<Result>): Promise<Result> {
  requireAbsolute(path);
  try {
    return await run(path);
  } catch (error) {
    throw new RpcError(RpcErrorCode.internalError, osErrorWords(error));
  }
}
