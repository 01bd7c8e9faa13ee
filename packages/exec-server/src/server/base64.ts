/** Strict base64: standard alphabet, padded, no stray bits. Owns the wording of what is wrong. */

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** @throws {Error} in the reference's words: `Invalid symbol 33, offset 0.` */
export function decodeBase64(text: string): Buffer {
  const bytes = Buffer.from(text, "base64");
  // Encoding again is the cheapest complete check.
  if (bytes.toString("base64") === text) return bytes;
  throw new Error(problem(text));
}

function problem(text: string): string {
  const symbols = Buffer.from(text, "utf8");
  const wrong = (offset: number) => `Invalid symbol ${symbols[offset]}, offset ${offset}.`;
  for (let offset = 0; offset < symbols.length; offset++) {
    const symbol = String.fromCharCode(symbols[offset] as number);
    if (symbol !== "=" && !ALPHABET.includes(symbol)) return wrong(offset);
  }
  const data = text.replace(/=+$/, "");
  const misplaced = data.indexOf("=");
  if (misplaced >= 0) return wrong(misplaced);
  const last = data.length - 1;
  const bits = ALPHABET.indexOf(data[last] ?? "A");
  const stray = data.length % 4 === 2 ? bits & 0x0f : data.length % 4 === 3 ? bits & 0x03 : 0;
  if (stray !== 0) return `Invalid last symbol ${data.charCodeAt(last)}, offset ${last}.`;
  return "Invalid padding";
}
