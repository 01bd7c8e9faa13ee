/** Session files as byte streams, packed ones unpacked, and the files they refer to. */
import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { collectRollout, type Decompress, type LoadAncestor, parseRolloutFileName } from "@turnkit/protocol/rollout";
import { CliError, ExitCode } from "../../exit.js";
import { fileError } from "../input-file.js";

/** @throws {CliError} the file cannot be opened or is a folder */
export async function openRollout(file: string): Promise<AsyncIterable<Uint8Array>> {
  const stream = createReadStream(file);
  try {
    await new Promise<void>((resolve, reject) => {
      stream.once("readable", resolve);
      stream.once("end", resolve);
      stream.once("error", reject);
    });
  } catch (error) {
    throw fileError(file, "session file", error);
  }
  return stream;
}

/** Zstandard, as newer versions pack old sessions. */
export const decompress: Decompress = async function* (source) {
  const { decompress: unpack } = await import("fzstd");
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  yield unpack(Buffer.concat(chunks));
};

/** Looks for an ancestor beside the file, then in the whole tree of sessions around it. */
export function ancestorsOf(file: string): LoadAncestor {
  const folder = path.dirname(path.resolve(file));
  return async ({ thread_id }) => {
    for (const [root, recursive] of [
      [folder, false],
      [path.resolve(folder, "../../.."), true],
    ] as const) {
      if (recursive && path.basename(root) !== "sessions" && path.basename(root) !== "archived_sessions") continue;
      const names = await readdir(root, { recursive }).catch(() => []);
      const found = names.find((name) => {
        const full = path.join(root, name);
        return full !== path.resolve(file) && parseRolloutFileName(name)?.threadId === thread_id;
      });
      if (found) return collectRollout(await openRollout(path.join(root, found)), { decompress });
    }
    return undefined;
  };
}

export function onlyFile(files: readonly string[], command: string): string {
  const [file, extra] = files;
  if (file === undefined || extra !== undefined)
    throw new CliError(`${command} takes one file at a time`, ExitCode.usage);
  return file;
}
