import { describe, expect, it } from "vitest";
import { graphemes, graphemeWidth, PLAIN, textWidth } from "./text-width.js";

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const everyPlain = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code)).filter((c) =>
  PLAIN.test(c),
);

describe("characters that need no segmenter", () => {
  it("are one cell wide each", () => {
    expect(everyPlain.length).toBeGreaterThan(800);
    expect(everyPlain.filter((character) => graphemeWidth(character) !== 1)).toEqual([]);
  });

  it("are graphemes of their own beside each other", () => {
    // Each beside each kind of neighbour: in order, in reverse, and beside a letter.
    for (const text of [everyPlain.join(""), everyPlain.toReversed().join(""), everyPlain.join("a")])
      expect(graphemes(text)).toEqual(Array.from(segmenter.segment(text), ({ segment }) => segment));
  });

  it.each([
    ["a combining mark", "e\u0301", 1],
    ["a picture in its text form", "\u{2194}", 1],
    ["a picture in its coloured form", "\u{2194}\ufe0f", 2],
    ["a family", "👩‍👩‍👧", 2],
    ["a wide letter", "漢", 2],
    ["a letter and a joiner", "a\u200db", 2],
  ])("%s is not among them, or as wide as it says", (_, text, width) => {
    expect(textWidth(text)).toBe(width);
  });
});
