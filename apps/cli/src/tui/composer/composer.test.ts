import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultKeymap } from "../keymap/keymap.js";
import { KeyDecoder } from "../terminal/key-decoder.js";
import { expandPastes } from "../text-field/text-field.js";
import {
  type Composer,
  type ComposerEffect,
  composerKey,
  composerPaste,
  emptyComposer,
  restoreDraft,
} from "./composer.js";
import { type BurstState, mergeBursts, noBurst } from "./paste-burst.js";

interface Run {
  composer: Composer;
  effects: ComposerEffect[];
}

/** Reads as the application does: each chunk is one read at the given time. */
function read(chunks: readonly (readonly [at: number, bytes: string])[], start: Composer = emptyComposer): Run {
  const decoder = new KeyDecoder();
  const run: Run = { composer: start, effects: [] };
  let burst: BurstState = noBurst;
  for (const [at, bytes] of chunks) {
    const merged = mergeBursts(decoder.push(bytes), burst, at);
    burst = merged.state;
    for (const input of merged.inputs) {
      if (input.type === "paste") run.composer = composerPaste(run.composer, input.text);
      if (input.type !== "key") continue;
      const step = composerKey(run.composer, input, defaultKeymap, 40);
      run.composer = step.composer;
      if (step.effect) run.effects.push(step.effect);
    }
  }
  return run;
}

const type = (bytes: string, start?: Composer): Run =>
  read(
    Array.from(bytes, (byte, index) => [index * 50, byte]),
    start,
  );

describe("submitting", () => {
  it("Enter submits and empties, Tab queues", () => {
    const run = type("hello\r");
    expect(run.effects).toEqual([{ type: "submit", draft: { text: "hello", elements: [] } }]);
    expect(run.composer.field.text).toBe("");
    expect(type("later\t").effects).toMatchObject([{ type: "queue" }]);
  });

  it("Enter on blanks does nothing", () => {
    expect(type("  \r").effects).toEqual([]);
  });

  it("Ctrl-J, Alt-Enter and Shift-Enter break the line", () => {
    const run = read([
      [0, "a\nb"],
      [100, "\x1b\rc"],
      [200, "\x1b[13;2ud"],
    ]);
    expect([run.composer.field.text, run.effects]).toEqual(["a\nb\nc\nd", []]);
  });

  it("Enter submits a line that came at once, a moment later, and one that the terminal reports as a key", () => {
    const submitted = [{ type: "submit", draft: { text: "run the tests" } }];
    expect(
      read([
        [0, "run the tests"],
        [150, "\r"],
      ]).effects,
    ).toMatchObject(submitted);
    expect(read([[0, "run the tests\x1b[13u"]]).effects).toMatchObject(submitted);
    expect(read([[0, "y\r"]]).effects).toMatchObject([{ type: "submit", draft: { text: "y" } }]);
  });

  it("keys that are typed after a paste do not make it longer", () => {
    const run = read([
      [0, "run the"],
      [90, "!"],
      [180, "\r"],
    ]);
    expect(run.effects).toMatchObject([{ type: "submit", draft: { text: "run the!" } }]);
  });
});

describe("commands", () => {
  it("are completed, chosen from the list, and take arguments", () => {
    expect(type("/st\r").effects).toMatchObject([{ type: "command", command: { name: "status" } }]);
    expect(type("/mo\tgpt-5\r").effects).toMatchObject([
      { type: "command", command: { name: "model" }, argument: "gpt-5" },
    ]);
  });

  it("unknown ones are sent as text", () => {
    expect(type("/etc/passwd is what?\r").effects).toMatchObject([{ type: "submit" }]);
  });
});

describe("history", () => {
  const start = type("first\rsecond\r").composer;

  it("is walked with up and down, and gives the draft back", () => {
    const up = read(
      [
        [0, "dr"],
        [100, "\x1b[A"],
        [200, "\x1b[A"],
      ],
      start,
    );
    expect(up.composer.field.text).toBe("first");
    expect(
      read(
        [
          [0, "\x1b[B"],
          [100, "\x1b[B"],
        ],
        up.composer,
      ).composer.field.text,
    ).toBe("dr");
  });

  it("moves the caret first in a draft of several lines", () => {
    const run = read(
      [
        [0, "\x1b[200~a\nb\x1b[201~"],
        [100, "\x1b[A"],
      ],
      start,
    );
    expect([run.composer.field.text, run.composer.field.caret]).toEqual(["a\nb", 1]);
  });

  it("a draft that could not be sent is put before what was typed since", () => {
    expect(restoreDraft(type("new").composer, { text: "old", elements: [] }).field.text).toBe("old\nnew");
  });
});

describe("pastes", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "é", "日", "\n", "\t"), minLength: 1, maxLength: 80 });

  it("marked ones equal the draft at any pace and in any pieces, and submit nothing", () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(90), { maxLength: 8 }), fc.nat(100), (pasted, cuts, pace) => {
        const bytes = `\x1b[200~${pasted}\x1b[201~`;
        const at = [...new Set([0, ...cuts.filter((cut) => cut < bytes.length), bytes.length])].sort((a, b) => a - b);
        const run = read(at.slice(0, -1).map((from, index) => [index * pace, bytes.slice(from, at[index + 1])]));
        expect(run.effects).toEqual([]);
        expect(expandPastes(run.composer.field).text).toBe(pasted);
      }),
    );
  });

  it("unmarked ones equal the draft and submit nothing, in whatever pieces and with whatever line ends", () => {
    const line = fc.string({ unit: fc.constantFrom("a", "b", "\t", "日"), maxLength: 6 }).map((rest) => `abc${rest}`);
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 6 }),
        fc.constantFrom("\r", "\n", "\r\n"),
        fc.boolean(),
        fc.array(fc.integer({ min: 3, max: 12 }), { maxLength: 8 }),
        fc.nat(100),
        (lines, newline, final, sizes, pace) => {
          const bytes = lines.join(newline) + (final ? newline : "");
          const pieces: [number, string][] = [];
          let from = 0;
          for (const size of [...sizes, bytes.length]) {
            // What is left over goes with the piece before it, so that none is as short as a key.
            const to = bytes.length - from - size < 3 ? bytes.length : from + size;
            pieces.push([pieces.length * pace, bytes.slice(from, to)]);
            from = to;
            if (from === bytes.length) break;
          }
          const run = read(pieces);
          expect(run.effects).toEqual([]);
          expect(run.composer.field.text).toBe(lines.join("\n") + (final ? "\n" : ""));
        },
      ),
    );
  });

  it.each(["c\r\n", "\r\n"])("a line end of two bytes is pasted, however little comes with it (%j)", (bytes) => {
    const run = read([
      [0, "abc"],
      [500, bytes],
    ]);
    expect(run.effects).toEqual([]);
    expect(run.composer.field.text).toBe(`abc${bytes.replace("\r", "")}`);
  });

  it("goes on while pieces of more than one character come, however short they are", () => {
    const run = read([
      [0, "abcd\r"],
      [100, "\nab"],
      [200, "ca\r"],
      [300, "\nab"],
      [400, "c\r"],
      [800, "!"],
      [900, "\r"],
    ]);
    expect(run.effects).toMatchObject([{ type: "submit", draft: { text: "abcd\nabca\nabc\n!" } }]);
  });

  it("character by character, faster than anybody types, is a paste too", () => {
    const run = read(Array.from("first\rsecond\r", (char, index) => [index * 8, char] as const));
    expect(run.effects).toEqual([]);
    expect(run.composer.field.text).toBe("first\nsecond\n");
  });

  it("large ones become one element that expands when sent", () => {
    const pasted = "x".repeat(5000);
    const run = read([
      [0, `see \x1b[200~${pasted}\x1b[201~`],
      [100, "!"],
      [200, "\r"],
    ]);
    const [effect] = run.effects;
    if (effect?.type !== "submit") throw new Error("not submitted");
    expect(effect.draft.text).toBe("see [Pasted 5000 chars]!");
    expect(expandPastes({ ...effect.draft, caret: 0 }).text).toBe(`see ${pasted}!`);
  });
});
