/**
 * Reading attachments from files: bounded twice, never from anything but a file, with the operating system's reason
 * when it fails. Also freezes the attachments of input that is kept for later.
 */
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import type { UserInput } from "@turnkit/protocol";
import { osErrorText } from "@turnkit/tools";
import { dataUrl } from "./data-url.js";
import { NO_LIMITS, SNAPSHOT_LIMITS } from "./fit-image.js";
import { prepareImage } from "./prepare-image.js";

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

/** The attachment cannot be read; `message` says why in the operating system's words. */
export class MediaReadError extends Error {
  override readonly name: string = "MediaReadError";
}

/** The file holds more than is allowed. */
export class MediaTooLarge extends MediaReadError {
  override readonly name = "MediaTooLarge";
}

const LIMITS = { image: MAX_IMAGE_BYTES, audio: MAX_AUDIO_BYTES };
const CHUNK = 1024 * 1024;

/**
 * The bytes of a file. A file that is too long is refused unread; one that grows while it is read is refused after
 * one byte too many. What is not a file (a pipe, a device, a folder) is refused.
 * @param limit in bytes; default: the limit of the kind
 * @throws {MediaTooLarge} @throws {MediaReadError}
 */
export async function readMedia(file: string, kind: "image" | "audio", limit = LIMITS[kind]): Promise<Buffer> {
  const tooLarge = () => new MediaTooLarge(`${kind} input exceeds ${limit} bytes`);
  try {
    // Without O_NONBLOCK opening a FIFO waits for a writer for ever.
    await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const found = await handle.stat();
    if (found.isDirectory()) throw new MediaReadError("Is a directory (os error 21)");
    if (!found.isFile()) throw new MediaReadError("not a regular file");
    if (found.size > limit) throw tooLarge();
    const chunks: Buffer[] = [];
    let total = 0;
    for (;;) {
      const wanted = Math.min(Math.max(found.size - total + 1, CHUNK), limit + 1 - total);
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(wanted), 0, wanted, null);
      if (bytesRead === 0) return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, total);
      chunks.push(buffer.subarray(0, bytesRead));
      total += bytesRead;
      if (total > limit) throw tooLarge();
    }
  } catch (error) {
    if (error instanceof MediaReadError) throw error;
    throw new MediaReadError(osErrorText(error), { cause: error });
  }
}

/**
 * The part with its file's bytes inside, so that it outlives the file. Other parts come back as they are.
 * @throws {MediaReadError} the file cannot be kept; @throws {ImageError} it is not an image
 */
export async function snapshotMedia(part: UserInput): Promise<UserInput> {
  if (part.type === "local_image") {
    const bytes = await readMedia(part.path, "image");
    const image = await prepareImage(bytes, part.detail === "original" ? NO_LIMITS : SNAPSHOT_LIMITS);
    const url = dataUrl(image.mime, image.bytes);
    if (url === undefined) throw new MediaTooLarge(`image input exceeds ${MAX_IMAGE_BYTES} bytes`);
    return { type: "image", image_url: url, ...(part.detail === undefined ? {} : { detail: part.detail }) };
  }
  if (part.type === "local_audio") {
    const mime = audioMimeOf(part.path);
    if (mime === undefined) throw new MediaReadError("unsupported audio format");
    return { type: "audio", audio_url: dataUrl(mime, await readMedia(part.path, "audio"))! };
  }
  return part;
}
