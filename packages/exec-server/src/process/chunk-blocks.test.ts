import { expect, it } from "vitest";
import { keptCopy } from "./chunk-blocks.js";

it("copies chunks of every size apart from each other, small ones without memory of their own", () => {
  const source = Buffer.alloc(65536);
  const sizes = [1, 5, 4096, 4097, 8192, 65536, 3, 4000, 4096, 7];
  const chunks = sizes.map((size, index) => {
    source.fill(index + 1);
    return keptCopy(source, size);
  });
  source.fill(0);
  for (const [index, chunk] of chunks.entries())
    expect([chunk.length, chunk.every((byte) => byte === index + 1)]).toEqual([sizes[index], true]);
  const many = Array.from({ length: 2000 }, () => keptCopy(source, 4));
  const blocks = new Set(many.map(({ buffer }) => buffer));
  expect(blocks.size).toBeLessThanOrEqual(2);
  expect([...blocks].every(({ byteLength }) => byteLength === 8192)).toBe(true);
});
