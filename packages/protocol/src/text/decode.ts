/** Decoding of UTF-8 without a platform's help; tells invalid input from valid. */

/** The text, or undefined when the bytes are not UTF-8 (overlong forms and surrogates included). */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  const platform = platformDecoder();
  if (platform) {
    try {
      return platform.decode(bytes);
    } catch {
      return undefined;
    }
  }
  return decodeByHand(bytes);
}

interface Decoder {
  decode(bytes: Uint8Array): string;
}

let decoder: Decoder | null | undefined;

function platformDecoder(): Decoder | null {
  if (decoder === undefined) {
    const Platform = (
      globalThis as {
        TextDecoder?: new (label: string, options: { fatal: boolean; ignoreBOM: boolean }) => Decoder;
      }
    ).TextDecoder;
    decoder = Platform ? new Platform("utf-8", { fatal: true, ignoreBOM: true }) : null;
  }
  return decoder;
}

/** The same without `TextDecoder`, for bare JavaScript contexts. */
export function decodeByHand(bytes: Uint8Array): string | undefined {
  const parts: string[] = [];
  let codes: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at] as number;
    let size = 1;
    let code = lead;
    let least = 0;
    if (lead >= 0x80) {
      if (lead >= 0xc2 && lead <= 0xdf) [size, code, least] = [2, lead & 0x1f, 0x80];
      else if (lead >= 0xe0 && lead <= 0xef) [size, code, least] = [3, lead & 0x0f, 0x800];
      else if (lead >= 0xf0 && lead <= 0xf4) [size, code, least] = [4, lead & 0x07, 0x10000];
      else return undefined;
      if (at + size > bytes.length) return undefined;
      for (let next = at + 1; next < at + size; next++) {
        const byte = bytes[next] as number;
        if ((byte & 0xc0) !== 0x80) return undefined;
        code = (code << 6) | (byte & 0x3f);
      }
      if (code < least || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined;
    }
    codes.push(code);
    if (codes.length === 4096) {
      parts.push(String.fromCodePoint(...codes));
      codes = [];
    }
    at += size;
  }
  parts.push(String.fromCodePoint(...codes));
  return parts.join("");
}
