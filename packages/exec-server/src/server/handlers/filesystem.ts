/** `fs/*` apart from copying and walking: one file or folder at a time. */

import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, mkdir, open, opendir, realpath, rm, rmdir, stat, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { RpcErrorCode } from "@turnkit/protocol";
import type {
  ExecCanonicalizeParams,
  ExecCloseFileParams,
  ExecCreateDirectoryParams,
  ExecGetMetadataParams,
  ExecGetMetadataResponse,
  ExecOpenFileParams,
  ExecReadBlockParams,
  ExecReadDirectoryParams,
  ExecReadFileParams,
  ExecRemoveParams,
  ExecWriteFileParams,
} from "@turnkit/protocol/exec";
import { RawResult, RpcError } from "@turnkit/rpc";
import { uriFromPath } from "../../path-uri.js";
import { osError } from "../../process/os-error.js";
import { decodeBase64 } from "../base64.js";
import { MAX_OPEN_FILES } from "../open-files.js";
import { containsLink, nativePath, permitted, reporting, withoutLinks } from "./file-access.js";
import type { HandlerContext } from "./handler-context.js";

const MAX_FILE_BYTES = 512 * 1024 * 1024;
const SMALL_FILE_BYTES = 4 * 1024 * 1024;
/** A multiple of three, so that the encoded blocks join without padding. */
const BLOCK_BYTES = 3 * 1024 * 1024;
/** Room for the envelope before the result, in bytes. */
const ENVELOPE_ROOM = 256;
const MAX_BLOCK_BYTES = 1_048_576;
const MAX_DIRECTORY_ENTRIES = 50_000;

const { O_RDONLY, O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW, O_NONBLOCK } = constants;

export function readFile({ path: uri, followSymlinks, sandbox }: ExecReadFileParams) {
  return reporting(async () => {
    const path = permitted(uri, "read", sandbox);
    // Without waiting: opening a pipe that nobody writes would hang.
    const flags = O_RDONLY | O_NONBLOCK;
    const file = await (followSymlinks === false
      ? withoutLinks(path, (name) => open(name, flags | O_NOFOLLOW))
      : open(path, flags));
    try {
      const { size } = await regularFile(file, path);
      if (size > MAX_FILE_BYTES) {
        throw new RpcError(RpcErrorCode.invalidRequest, `file is too large to read: limit is ${MAX_FILE_BYTES} bytes`);
      }
      if (size <= SMALL_FILE_BYTES) return { dataBase64: (await file.readFile()).toString("base64") };
      return await encodeLargeFile(file, size);
    } finally {
      await file.close();
    }
  });
}

/** The result as bytes, filled block by block: as a string it would be copied several times, or not fit at all. */
async function encodeLargeFile(file: FileHandle, size: number): Promise<RawResult> {
  const head = '{"dataBase64":"';
  const tail = '"}';
  const length = head.length + Math.ceil(size / 3) * 4 + tail.length;
  const result = Buffer.allocUnsafeSlow(ENVELOPE_ROOM + length + 1);
  let at = ENVELOPE_ROOM + result.write(head, ENVELOPE_ROOM, "latin1");
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  for (let position = 0; position < size; ) {
    const wanted = Math.min(block.length, size - position);
    let read = 0;
    while (read < wanted) {
      const { bytesRead } = await file.read(block, read, wanted - read, position + read);
      // Somebody made it shorter meanwhile.
      if (bytesRead === 0) throw osError("EIO");
      read += bytesRead;
    }
    at += result.write(block.toString("base64", 0, read), at, "latin1");
    position += read;
  }
  result.write(tail, at, "latin1");
  return new RawResult(result.subarray(ENVELOPE_ROOM, ENVELOPE_ROOM + length), ENVELOPE_ROOM);
}

async function regularFile(file: { stat(): Promise<{ isFile(): boolean; size: number }> }, path: string) {
  const found = await file.stat();
  if (!found.isFile()) throw new RpcError(RpcErrorCode.invalidRequest, `path \`${path}\` is not a file`);
  return found;
}

export function writeFile({ path: uri, dataBase64, followSymlinks, sandbox }: ExecWriteFileParams) {
  return reporting(async () => {
    let data: Buffer;
    try {
      data = decodeBase64(dataBase64);
    } catch (error) {
      throw new RpcError(
        RpcErrorCode.invalidRequest,
        `fs/writeFile requires valid base64 dataBase64: ${(error as Error).message}`,
      );
    }
    const path = permitted(uri, "write", sandbox);
    const flags = O_WRONLY | O_CREAT | O_TRUNC;
    const file = await (followSymlinks === false
      ? withoutLinks(path, (name) => open(name, flags | O_NOFOLLOW))
      : open(path, flags));
    try {
      await file.writeFile(data);
    } finally {
      await file.close();
    }
    return {};
  });
}

export function createDirectory({ path: uri, recursive, followSymlinks, sandbox }: ExecCreateDirectoryParams) {
  return reporting(async () => {
    const path = permitted(uri, "write", sandbox);
    if (followSymlinks !== false) await mkdir(path, { recursive: recursive !== false });
    else await createWithoutLinks(path, recursive !== false);
    return {};
  });
}

async function createWithoutLinks(path: string, recursive: boolean): Promise<void> {
  try {
    await withoutLinks(path, (name) => mkdir(name));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (recursive && code === "EEXIST" && (await withoutLinks(path, (name) => lstat(name))).isDirectory()) return;
    if (!recursive || code !== "ENOENT" || path === "/") throw error;
    await createWithoutLinks(dirname(path), true);
    await createWithoutLinks(path, true);
  }
}

export function getMetadata({ path: uri, followSymlinks, sandbox }: ExecGetMetadataParams) {
  return reporting(async (): Promise<ExecGetMetadataResponse> => {
    const path = permitted(uri, "read", sandbox);
    if (followSymlinks === false) {
      const found = await withoutLinks(path, (name) => lstat(name));
      if (found.isSymbolicLink()) throw containsLink();
      return metadata(found, false, found.birthtimeMs);
    }
    const [found, itself] = await Promise.all([stat(path), lstat(nativePath(uri))]);
    return metadata(found, itself.isSymbolicLink(), 0);
  });
}

function metadata(found: Stats, isSymlink: boolean, createdAtMs: number): ExecGetMetadataResponse {
  return {
    isDirectory: found.isDirectory(),
    isFile: found.isFile(),
    isSymlink,
    size: found.size,
    createdAtMs: Math.trunc(createdAtMs),
    modifiedAtMs: Math.trunc(found.mtimeMs),
  };
}

export function canonicalize({ path: uri, sandbox }: ExecCanonicalizeParams) {
  return reporting(async () => ({ path: uriFromPath(await realpath(permitted(uri, "read", sandbox))) }));
}

export function readDirectory({ path: uri, sandbox }: ExecReadDirectoryParams) {
  return reporting(async () => {
    const path = permitted(uri, "read", sandbox);
    const entries: { fileName: string; isDirectory: boolean; isFile: boolean }[] = [];
    let count = 0;
    for await (const entry of await opendir(path, { bufferSize: 256 })) {
      count++;
      if (count > MAX_DIRECTORY_ENTRIES) {
        throw new RpcError(
          RpcErrorCode.internalError,
          `fs/readDirectory returned ${count} entries; limit is ${MAX_DIRECTORY_ENTRIES}`,
        );
      }
      // A link counts as what it points to; one that points nowhere is left out.
      const found = entry.isSymbolicLink() ? await stat(`${path}/${entry.name}`).catch(() => undefined) : entry;
      if (found) entries.push({ fileName: entry.name, isDirectory: found.isDirectory(), isFile: found.isFile() });
    }
    return { entries };
  });
}

export function remove({ path: uri, recursive, force, followSymlinks, sandbox }: ExecRemoveParams) {
  return reporting(async () => {
    const path = permitted(uri, "write", sandbox, true);
    const removeIt = async (name: string, links: boolean) => {
      const found = await lstat(name);
      if (!links && found.isSymbolicLink()) throw containsLink();
      if (!found.isDirectory()) await unlink(name);
      else if (recursive === false) await rmdir(name);
      else await rm(name, { recursive: true });
    };
    try {
      if (followSymlinks !== false) await removeIt(path, true);
      else if (recursive !== false)
        throw new RpcError(RpcErrorCode.internalError, "recursive no-follow removal is unsupported");
      else await withoutLinks(path, (name) => removeIt(name, false));
    } catch (error) {
      if (force === false || (error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
    return {};
  });
}

export function openFile({ handleId, path: uri, sandbox }: ExecOpenFileParams, { files }: HandlerContext) {
  return reporting(async () => {
    if (files.has(handleId))
      throw new RpcError(RpcErrorCode.invalidRequest, `file read handle \`${handleId}\` already exists`);
    if (files.size >= MAX_OPEN_FILES) {
      throw new RpcError(
        RpcErrorCode.invalidRequest,
        `at most ${MAX_OPEN_FILES} file reads may be open per connection`,
      );
    }
    await files.add(handleId, async () => {
      const path = permitted(uri, "read", sandbox);
      const file = await open(path, O_RDONLY | O_NONBLOCK);
      try {
        await regularFile(file, path);
        return file;
      } catch (error) {
        await file.close();
        throw error;
      }
    });
    return { handleId };
  });
}

export function readBlock({ handleId, offset, len }: ExecReadBlockParams, { files }: HandlerContext) {
  return reporting(async () => {
    const file = files.get(handleId);
    if (!file) throw new RpcError(RpcErrorCode.notFound, `unknown file read handle \`${handleId}\``);
    if (len < 1 || len > MAX_BLOCK_BYTES) {
      throw new RpcError(
        RpcErrorCode.invalidRequest,
        `file read block length must be between 1 and ${MAX_BLOCK_BYTES}`,
      );
    }
    if (offset > Number.MAX_SAFE_INTEGER - len) return { chunk: "", eof: true };
    const block = Buffer.allocUnsafe(len);
    let length = 0;
    while (length < len) {
      const { bytesRead } = await file.read(block, length, len - length, offset + length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return { chunk: block.toString("base64", 0, length), eof: length < len };
  });
}

export function closeFile({ handleId }: ExecCloseFileParams, { files }: HandlerContext) {
  return reporting(async () => {
    await files.close(handleId);
    return {};
  });
}
