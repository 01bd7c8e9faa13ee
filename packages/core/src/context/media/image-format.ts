/** What an image is by its first bytes, whatever its name or the type it claims. */

export type ImageFormat = "png" | "jpeg" | "webp" | "gif" | "avif" | "tiff";

/** Formats that models take; images of other formats are written anew as PNG. */
export const KEPT_FORMATS: ReadonlySet<ImageFormat> = new Set(["png", "jpeg", "webp"]);

function starts(bytes: Uint8Array, signature: readonly number[], at = 0): boolean {
  return signature.every((byte, offset) => bytes[at + offset] === byte);
}

const ascii = (text: string): readonly number[] => [...text].map((character) => character.charCodeAt(0));

const SIGNATURES: readonly { readonly format: ImageFormat; readonly matches: (bytes: Uint8Array) => boolean }[] = [
  { format: "png", matches: (bytes) => starts(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) },
  { format: "jpeg", matches: (bytes) => starts(bytes, [0xff, 0xd8, 0xff]) },
  { format: "webp", matches: (bytes) => starts(bytes, ascii("RIFF")) && starts(bytes, ascii("WEBP"), 8) },
  { format: "gif", matches: (bytes) => starts(bytes, ascii("GIF8")) },
  { format: "avif", matches: (bytes) => starts(bytes, ascii("ftypavif"), 4) },
  { format: "tiff", matches: (bytes) => starts(bytes, [0x49, 0x49, 0x2a, 0]) || starts(bytes, [0x4d, 0x4d, 0, 0x2a]) },
];

/** undefined: nothing this program decodes. */
export function imageFormatOf(bytes: Uint8Array): ImageFormat | undefined {
  return SIGNATURES.find(({ matches }) => matches(bytes))?.format;
}

export function mimeOf(format: ImageFormat): string {
  return `image/${format}`;
}
