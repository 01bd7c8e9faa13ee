import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KeyDecoder, keyId, type TerminalInput } from "./key-decoder.js";

function decode(...chunks: string[]): TerminalInput[] {
  const decoder = new KeyDecoder();
  return [...chunks.flatMap((chunk) => decoder.push(chunk)), ...decoder.flush()];
}
const ids = (...chunks: string[]): string[] =>
  decode(...chunks).map((event) => (event.type === "key" ? keyId(event) : JSON.stringify(event)));

describe("keys", () => {
  it.each([
    ["a", "a"],
    ["A", "A"],
    [" ", "space"],
    ["\r", "enter"],
    ["\n", "ctrl+j"],
    ["\t", "tab"],
    ["\x7f", "backspace"],
    ["\x03", "ctrl+c"],
    ["\x1f", "ctrl+_"],
    ["\x1b", "escape"],
    ["\x1ba", "alt+a"],
    ["\x1b\r", "alt+enter"],
    ["\x1b\x7f", "alt+backspace"],
    ["\x1b[A", "up"],
    ["\x1bOA", "up"],
    ["\x1b[1;5C", "ctrl+right"],
    ["\x1b[1;3D", "alt+left"],
    ["\x1b[Z", "shift+tab"],
    ["\x1b[3~", "delete"],
    ["\x1b[5;5~", "ctrl+pageup"],
    ["\x1b[27u", "escape"],
    ["\x1b[99;5u", "ctrl+c"],
    ["\x1b[13;2u", "shift+enter"],
    ["\x1b[27;2;13~", "shift+enter"],
    ["\x1b[97:65;2u", "A"],
    ["\x1b[106;5:1u", "ctrl+j"],
    ["日", "日"],
  ])("%j is %s", (bytes, id) => {
    expect(ids(bytes)).toEqual([id]);
  });

  it.each(["\x1b[97;1:3u", "\x1b[?1u", "\x1b[?2026;2$y", "\x1b]11;rgb:0000/0000/0000\x07", "\x1bP>|x\x1b\\"])(
    "%j is no key",
    (bytes) => {
      expect(ids(bytes)).toEqual([]);
    },
  );

  it("reads focus", () => {
    expect(decode("\x1b[I\x1b[O")).toEqual([
      { type: "focus", focused: true },
      { type: "focus", focused: false },
    ]);
  });

  it("two quick Escapes are two keys", () => {
    expect(ids("\x1b\x1b")).toEqual(["escape", "escape"]);
  });
});

describe("pastes", () => {
  it("are one event, with newlines made equal", () => {
    expect(decode("\x1b[200~a\r\nb\rc\x1b[201~d")).toEqual([
      { type: "paste", text: "a\nb\nc" },
      expect.objectContaining({ name: "d" }),
    ]);
  });

  it("equal what was pasted however the bytes are cut", () => {
    const pasted = fc.string({ unit: fc.constantFrom("a", "é", "日", "\n", "\x1b", "[", "2", "0", "1", "~", "\t") });
    fc.assert(
      fc.property(pasted, fc.array(fc.nat(200), { maxLength: 12 }), (text, cuts) => {
        fc.pre(!text.includes("\x1b[201~"));
        const bytes = `\x1b[200~${text}\x1b[201~x`;
        const at = [...new Set([0, ...cuts.filter((cut) => cut < bytes.length), bytes.length])].sort((a, b) => a - b);
        const chunks = at.slice(0, -1).map((start, index) => bytes.slice(start, at[index + 1]));
        const [first, second] = decode(...chunks);
        expect(first).toEqual({ type: "paste", text });
        expect(second).toMatchObject({ name: "x" });
      }),
    );
  });
});

describe("cut sequences", () => {
  it("give the same keys as whole ones", () => {
    const sequences = fc.array(
      fc.constantFrom("a", "\x1b[A", "\x1b[1;5C", "\x1b[99;5u", "é", "😀", "\x1bOB", "\r", "\x1b[200~hi\x1b[201~"),
      { minLength: 1, maxLength: 10 },
    );
    fc.assert(
      fc.property(sequences, (list) => {
        const bytes = list.join("");
        expect(ids(...bytes.split(""))).toEqual(ids(bytes));
      }),
    );
  });
});
