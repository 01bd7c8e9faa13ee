/** Session files as byte streams, packed ones unpacked. */
import { createReadStream } from "node:fs";
import type { Decompress } from "@turnkit/protocol/rollout";
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

export function onlyFile(files: readonly string[], command: string): string {
  const [file, extra] = files;
  if (file === undefined || extra !== undefined)
    throw new CliError(`${command} takes one file at a time`, ExitCode.usage);
  return file;
}
