/**
 * Turns the bytes of an image into bytes a model takes: judged by decoding them, shrunk to the limits, kept as they
 * are when nothing has to change. Results are cached, because the same image is often sent again.
 * Owns the only use of the image library, which is loaded when the first image is seen.
 */
import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Sharp } from "sharp";
import { fitImage, type ImageLimits } from "./fit-image.js";
import { type ImageFormat, imageFormatOf, KEPT_FORMATS, mimeOf } from "./image-format.js";
import { imageLibrary } from "./image-library.js";

export interface PreparedImage {
  readonly mime: string;
  readonly bytes: Uint8Array;
}

/** `unsupported`: not a format that is decoded here. `broken`: cannot be decoded. `large`: too much even shrunk. */
export type ImageProblem = "unsupported" | "broken" | "large";

export class ImageError extends Error {
  override readonly name = "ImageError";
  constructor(
    readonly problem: ImageProblem,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

const JPEG_QUALITY = 85;
/** Images with more pixels are not decoded: 268 million. */
const MAX_PIXELS = 0x3fff * 0x3fff;
/** An image that would be sent with more bytes than this is refused. Its base64 has to fit into one string. */
const MAX_RESULT_BYTES = 256 * 1024 * 1024;
const DECODE_SECONDS = 30;
const CACHE_ENTRIES = 32;
const CACHE_BYTES = 64 * 1024 * 1024;

const cache = new LRUCache<string, PreparedImage>({
  max: CACHE_ENTRIES,
  maxSize: CACHE_BYTES,
  sizeCalculation: ({ bytes }) => Math.max(1, bytes.length),
});

/** @throws {ImageError} */
export async function prepareImage(bytes: Uint8Array, limits: ImageLimits): Promise<PreparedImage> {
  const format = imageFormatOf(bytes);
  if (format === undefined) throw new ImageError("unsupported", "unknown image format");
  const key = `${limits.maxSide}/${limits.maxPatches}/${createHash("sha1").update(bytes).digest("hex")}`;
  const known = cache.get(key);
  if (known) return known;
  const prepared = await decode(bytes, format, limits);
  if (prepared.bytes.length > MAX_RESULT_BYTES)
    throw new ImageError(
      "large",
      `image takes ${prepared.bytes.length} bytes; at most ${MAX_RESULT_BYTES} can be sent`,
    );
  cache.set(key, prepared);
  return prepared;
}

async function decode(bytes: Uint8Array, format: ImageFormat, limits: ImageLimits): Promise<PreparedImage> {
  const sharp = await imageLibrary().catch((error: unknown) => {
    throw new ImageError("broken", `images cannot be decoded here: ${String(error)}`, { cause: error });
  });
  // libvips keeps decoded files otherwise; our own cache is enough.
  sharp.cache(false);
  const open = (failOn: "error" | "none") =>
    sharp(bytes, { failOn, limitInputPixels: MAX_PIXELS, sequentialRead: true }).timeout({ seconds: DECODE_SECONDS });
  try {
    const { width, height, pages } = await open("error").metadata();
    const fitted = fitImage({ width, height }, limits);
    const resized = fitted.width !== width || fitted.height !== height;
    const intact = await decodes(open("error"));
    // A picture whose end is missing is shown as far as it goes, in a file that is whole.
    if (!intact && format !== "jpeg") throw new ImageError("broken", "image data ends early or is damaged");
    const kept = KEPT_FORMATS.has(format) && intact && !resized && (pages ?? 1) === 1;
    if (kept) return { mime: mimeOf(format), bytes };
    const image = open(intact ? "error" : "none");
    if (resized) image.resize({ ...fitted, fit: "fill", kernel: "linear" });
    return await encode(image, format);
  } catch (error) {
    if (error instanceof ImageError) throw error;
    const message = (error as Error).message;
    throw new ImageError(/pixel limit/i.test(message) ? "large" : "broken", message, { cause: error });
  }
}

/** Decodes every pixel and keeps next to none. */
async function decodes(image: Sharp): Promise<boolean> {
  try {
    await image
      .resize({ width: 8, height: 8, fit: "fill", kernel: "nearest", fastShrinkOnLoad: false })
      .raw()
      .toBuffer();
    return true;
  } catch (error) {
    if (/pixel limit|timeout/i.test((error as Error).message)) throw error;
    return false;
  }
}

async function encode(image: Sharp, format: ImageFormat): Promise<PreparedImage> {
  const marked = image.keepExif().keepIccProfile();
  if (format === "jpeg") return { mime: "image/jpeg", bytes: await marked.jpeg({ quality: JPEG_QUALITY }).toBuffer() };
  if (format === "webp") return { mime: "image/webp", bytes: await marked.webp({ lossless: true }).toBuffer() };
  return { mime: "image/png", bytes: await marked.ensureAlpha().png({ adaptiveFiltering: true }).toBuffer() };
}
