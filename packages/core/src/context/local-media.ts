/** Reading a local attachment: bounded, and with the operating system's reason when it fails. */
import { open } from "node:fs/promises";
import path from "node:path";

export const MAX_IMAGE_BYTES = 1024 ** 3;
export const MAX_AUDIO_BYTES = 50 * 1024 * 1024;

const AUDIO_MIME: Readonly<Record<string, string>> = {
  ".wav": "audio/wav",
  ".mp3": "audio/mpeg",
  ".m4a": "audio/mp4",
  ".webm": "audio/webm",
  ".ogg": "audio/ogg",
};

/** By extension, without regard to case; undefined: not supported. */
export function audioMimeOf(file: string): string | undefined {
  return AUDIO_MIME[path.extname(file).toLowerCase()];
}

/** The file holds more than is allowed. */
export class MediaTooLarge extends Error {
  override readonly name = "MediaTooLarge";
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "No such file or directory (os error 2)",
  EACCES: "Permission denied (os error 13)",
  EISDIR: "Is a directory (os error 21)",
  ENOTDIR: "Not a directory (os error 20)",
  ELOOP: "Too many levels of symbolic links (os error 40)",
};

export function systemReason(error: unknown): string {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return (code !== undefined && REASONS[code]) || (error instanceof Error ? error.message : String(error));
}

/** @throws {MediaTooLarge} the file is longer than `limit`, at first or while it is read @throws the system's error */
export async function readMedia(file: string, limit: number, kind: "image" | "audio"): Promise<Buffer> {
  const handle = await open(file, "r");
  try {
    const { size } = await handle.stat();
    if (size > limit) throw new MediaTooLarge(`${kind} input exceeds ${limit} bytes`);
    const chunks: Buffer[] = [];
    let total = 0;
    for await (const chunk of handle.createReadStream({ autoClose: false, end: limit })) {
      chunks.push(chunk as Buffer);
      total += (chunk as Buffer).length;
    }
    if (total > limit) throw new MediaTooLarge(`${kind} input exceeds ${limit} bytes`);
    return Buffer.concat(chunks);
  } finally {
    await handle.close();
  }
}
