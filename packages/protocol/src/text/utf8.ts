/**
 * UTF-8 byte offsets over JavaScript strings, without `Buffer` or `TextEncoder`. The only place that slices text by bytes.
 * A lone surrogate counts as the three bytes of U+FFFD, which is what encoding it gives.
 */

/** Half-open, in UTF-8 bytes. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

function bytesAt(text: string, index: number): { bytes: number; units: number } {
  const unit = text.charCodeAt(index);
  if (unit < 0x80) return { bytes: 1, units: 1 };
  if (unit < 0x800) return { bytes: 2, units: 1 };
  if (unit >= 0xd800 && unit <= 0xdbff && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00)
    return { bytes: 4, units: 2 };
  return { bytes: 3, units: 1 };
}

/** How many bytes the text takes in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; ) {
    const step = bytesAt(text, index);
    bytes += step.bytes;
    index += step.units;
  }
  return bytes;
}

/** How many Unicode scalar values the text has; a lone surrogate counts as one. */
export function scalarCount(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; count++) index += bytesAt(text, index).units;
  return count;
}

/** The string index of a byte offset; undefined outside the text or inside a character. */
export function indexOfByte(text: string, offset: number): number | undefined {
  if (!Number.isInteger(offset) || offset < 0) return undefined;
  let bytes = 0;
  let index = 0;
  while (bytes < offset) {
    if (index >= text.length) return undefined;
    const step = bytesAt(text, index);
    bytes += step.bytes;
    index += step.units;
  }
  return bytes === offset ? index : undefined;
}

/** The byte offset of a string index; an index inside a surrogate pair is that of the pair's start. */
export function byteOfIndex(text: string, index: number): number {
  let bytes = 0;
  for (let at = 0; at < Math.min(index, text.length); ) {
    const step = bytesAt(text, at);
    if (at + step.units > index) break;
    bytes += step.bytes;
    at += step.units;
  }
  return bytes;
}

/** The text in a byte range; undefined when an end is outside the text or inside a character, or they are swapped. */
export function sliceBytes(text: string, range: ByteSpan): string | undefined {
  if (range.end < range.start) return undefined;
  const start = indexOfByte(text, range.start);
  const end = indexOfByte(text, range.end);
  return start === undefined || end === undefined ? undefined : text.slice(start, end);
}

/** The longest start of the text that fits, cut between characters. */
export function headBytes(text: string, limit: number): string {
  let bytes = 0;
  let index = 0;
  while (index < text.length) {
    const step = bytesAt(text, index);
    if (bytes + step.bytes > limit) break;
    bytes += step.bytes;
    index += step.units;
  }
  return text.slice(0, index);
}

/** The longest end of the text that fits, cut between characters. */
export function tailBytes(text: string, limit: number): string {
  let bytes = 0;
  let index = text.length;
  while (index > 0) {
    const unit = text.charCodeAt(index - 1);
    const pair = unit >= 0xdc00 && unit <= 0xdfff && index > 1 && (text.charCodeAt(index - 2) & 0xfc00) === 0xd800;
    const step = bytesAt(text, pair ? index - 2 : index - 1);
    if (bytes + step.bytes > limit) break;
    bytes += step.bytes;
    index -= pair ? 2 : 1;
  }
  return text.slice(index);
}

/** The UTF-8 bytes of a text. */
export function encodeUtf8(text: string): Uint8Array {
  const bytes = new Uint8Array(utf8Length(text));
  let at = 0;
  for (let index = 0; index < text.length; ) {
    const step = bytesAt(text, index);
    let code = text.codePointAt(index) as number;
    if (code >= 0xd800 && code <= 0xdfff) code = 0xfffd;
    if (step.bytes === 1) bytes[at++] = code;
    else {
      for (let left = step.bytes - 1, lead = true; left >= 0; left--, lead = false) {
        const marker = lead ? (0xf00 >> step.bytes) & 0xff : 0x80;
        bytes[at++] = marker | ((code >> (6 * left)) & (lead ? 0xff : 0x3f));
      }
    }
    index += step.units;
  }
  return bytes;
}
