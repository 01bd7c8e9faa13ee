/** Judges an image before it is kept: what it is by its bytes, and a text in its place when it cannot be used. */
import type { ContentItem, ImageDetail } from "@turnkit/protocol";

export const IMAGE_UNREADABLE = "image content omitted because it could not be processed";
export const IMAGE_REMOTE = "image content omitted because remote image URLs are not supported";
export const IMAGE_LOW_DETAIL =
  "image content omitted because detail 'low' is not supported; use 'high', 'original', or 'auto'";

const SIGNATURES: readonly { readonly mime: string; readonly matches: (bytes: Uint8Array) => boolean }[] = [
  { mime: "image/png", matches: (b) => starts(b, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) && b.length > 33 },
  { mime: "image/jpeg", matches: (b) => starts(b, [0xff, 0xd8, 0xff]) },
  { mime: "image/gif", matches: (b) => starts(b, [0x47, 0x49, 0x46, 0x38]) },
  {
    mime: "image/webp",
    matches: (b) => starts(b, [0x52, 0x49, 0x46, 0x46]) && starts(b.subarray(8), [0x57, 0x45, 0x42, 0x50]),
  },
];

function starts(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, at) => bytes[at] === byte);
}

/** By the bytes alone; undefined: not an image that models take. */
export function imageMimeOf(bytes: Uint8Array): string | undefined {
  return SIGNATURES.find(({ matches }) => matches(bytes))?.mime;
}

const DATA_URL = /^data:([^,]*),/i;

/** A content part for an image URL as a client gave it. Other schemes than data and http pass as they are. */
export function imagePart(url: string, detail: ImageDetail | null | undefined): ContentItem {
  if (detail === "low") return { type: "input_text", text: IMAGE_LOW_DETAIL };
  if (/^https?:/i.test(url)) return { type: "input_text", text: IMAGE_REMOTE };
  const header = DATA_URL.exec(url);
  if (header) {
    if (!/;base64$/i.test(header[1]!)) return { type: "input_text", text: IMAGE_UNREADABLE };
    const mime = imageMimeOf(Buffer.from(url.slice(header[0].length), "base64"));
    if (mime === undefined) return { type: "input_text", text: IMAGE_UNREADABLE };
  } else if (/^data:/i.test(url)) return { type: "input_text", text: IMAGE_UNREADABLE };
  return { type: "input_image", image_url: url, detail: detail ?? "high" };
}
