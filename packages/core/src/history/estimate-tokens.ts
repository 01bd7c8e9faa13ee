/** How many tokens a history costs, before a provider has counted them. Owns the rule of thumb, nothing else. */
import type { ResponseItem } from "@turnkit/protocol";

const BYTES_PER_TOKEN = 4;
/** Providers count an image by its size in pixels, not by its bytes. */
const IMAGE_BYTES = 7_400;
const IMAGE_DATA = /"data:image\/[^"]*"/g;

export function estimateTokens(instructions: string, items: readonly ResponseItem[]): number {
  return [instructions, ...items.map((item) => JSON.stringify(item))].reduce(
    (sum, text) => sum + Math.ceil(estimatedBytes(text) / BYTES_PER_TOKEN),
    0,
  );
}

function estimatedBytes(text: string): number {
  const images = text.match(IMAGE_DATA)?.length ?? 0;
  return Buffer.byteLength(images === 0 ? text : text.replace(IMAGE_DATA, "")) + images * IMAGE_BYTES;
}
