import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeByHand, decodeUtf8 } from "./decode.js";
import {
  byteOfIndex,
  effectivePlaceholder,
  encodeUtf8,
  headBytes,
  indexOfByte,
  scalarCount,
  shiftElement,
  sliceBytes,
  tailBytes,
  utf8Length,
} from "./index.js";

const encoder = new TextEncoder();
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
  fc.array(fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit))).map((units) => units.join("")),
);

describe("UTF-8 over JavaScript strings", () => {
  test.each([
    ["", 0, 0],
    ["abc", 3, 3],
    ["é", 2, 1],
    ["\r\n", 2, 2],
    ["👩‍👩‍👧", 18, 5],
    ["\ud83d", 3, 1],
    ["a\udc00b", 5, 3],
  ])("%j takes %i bytes and %i scalars", (sample, bytes, scalars) => {
    expect({ bytes: utf8Length(sample), scalars: scalarCount(sample) }).toEqual({ bytes, scalars });
  });

  test("agrees with the platform's encoder", () => {
    fc.assert(
      fc.property(text, (sample) => {
        const expected = encoder.encode(sample);
        expect(utf8Length(sample)).toBe(expected.length);
        expect([...encodeUtf8(sample)]).toEqual([...expected]);
        expect(scalarCount(sample)).toBe([...sample].length);
      }),
    );
  });

  test("every boundary maps back, every other offset has no index", () => {
    fc.assert(
      fc.property(text, (sample) => {
        const boundaries = new Map<number, number>();
        let index = 0;
        for (const character of sample) {
          boundaries.set(utf8Length(sample.slice(0, index)), index);
          index += character.length;
        }
        boundaries.set(utf8Length(sample), sample.length);
        for (let offset = -1; offset <= utf8Length(sample) + 1; offset++) {
          expect(indexOfByte(sample, offset)).toBe(boundaries.get(offset));
        }
        for (const [offset, at] of boundaries) expect(byteOfIndex(sample, at)).toBe(offset);
      }),
    );
  });

  test("slices between characters only", () => {
    expect(sliceBytes("aé👍", { start: 1, end: 3 })).toBe("é");
    expect(sliceBytes("aé👍", { start: 3, end: 7 })).toBe("👍");
    expect(sliceBytes("aé👍", { start: 2, end: 3 })).toBeUndefined();
    expect(sliceBytes("aé👍", { start: 3, end: 8 })).toBeUndefined();
    expect(sliceBytes("aé👍", { start: 3, end: 1 })).toBeUndefined();
    expect(sliceBytes("abc", { start: 1, end: 1 })).toBe("");
  });

  test("head and tail never exceed the limit and never cut a character", () => {
    fc.assert(
      fc.property(text, fc.nat(40), (sample, limit) => {
        const head = headBytes(sample, limit);
        const tail = tailBytes(sample, limit);
        expect(sample.startsWith(head)).toBe(true);
        expect(sample.endsWith(tail)).toBe(true);
        const next = [...sample.slice(head.length)][0] ?? "";
        const before = [...sample.slice(0, sample.length - tail.length)].at(-1) ?? "";
        expect(utf8Length(head) <= limit && utf8Length(tail) <= limit).toBe(true);
        expect(next === "" || utf8Length(head) + utf8Length(next) > limit).toBe(true);
        expect(before === "" || utf8Length(tail) + utf8Length(before) > limit).toBe(true);
      }),
    );
  });

  test("decoding by hand agrees with the platform, invalid input included", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 24 }),
          text.map((sample) => encoder.encode(sample)),
        ),
        (bytes) => {
          expect(decodeByHand(bytes)).toBe(decodeUtf8(bytes));
        },
      ),
      { numRuns: 500 },
    );
    for (const bytes of [[0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82], [0x80]]) {
      expect(decodeByHand(Uint8Array.from(bytes))).toBeUndefined();
    }
  });
});

describe("text elements", () => {
  test("the explicit placeholder wins, then the text under the range, then null", () => {
    const at = (start: number, end: number, placeholder?: string) => ({
      byte_range: { start, end },
      ...(placeholder === undefined ? {} : { placeholder }),
    });
    expect(effectivePlaceholder(at(0, 2, "shown"), "éa")).toBe("shown");
    expect(effectivePlaceholder(at(0, 2), "éa")).toBe("é");
    expect(effectivePlaceholder(at(0, 1), "éa")).toBeNull();
    expect(effectivePlaceholder(at(0, 9), "éa")).toBeNull();
  });

  test("moving keeps the placeholder", () => {
    expect(shiftElement({ byte_range: { start: 1, end: 3 }, placeholder: "x" }, 4)).toEqual({
      byte_range: { start: 5, end: 7 },
      placeholder: "x",
    });
  });
});
