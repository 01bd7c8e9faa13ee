import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KeyDecoder } from "../terminal/key-decoder.js";
import { editField } from "./field-keys.js";
import { caretPlace, fieldRows } from "./field-layout.js";
import { emptyField, expandPastes, fieldWith, insertElement, insertText, type TextField } from "./text-field.js";

function typed(field: TextField, bytes: string, width = 20): TextField {
  return new KeyDecoder().push(bytes).reduce((current, event) => {
    if (event.type !== "key") throw new Error(`unexpected ${event.type}`);
    return editField(current, event, width) ?? current;
  }, field);
}

describe("editing", () => {
  it("moves and deletes whole graphemes", () => {
    const family = "👨‍👩‍👧";
    const field = typed(fieldWith(`a${family}é`), "\x1b[D\x1b[D");
    expect(field.caret).toBe(1);
    expect(typed(field, "\x1b[3~").text).toBe("aé");
    expect(typed(fieldWith(`a${family}`), "\x7f").text).toBe("a");
  });

  it("kills and yanks words and lines", () => {
    const field = typed(fieldWith("one two three"), "\x17");
    expect(field.text).toBe("one two ");
    expect(typed(field, "\x15\x19\x19").text).toBe("one two one two ");
    expect(typed(fieldWith("ab\ncd"), "\x15").text).toBe("ab\n");
  });

  it("undoes edits one by one", () => {
    expect(typed(emptyField, "abc\x1f\x1f").text).toBe("a");
  });

  it("moves vertically through soft and hard breaks and keeps the goal column", () => {
    const field = { ...fieldWith("abcdef\nx\nabcdef"), caret: 5 };
    const down = typed(field, "\x1b[B");
    expect(down.caret).toBe(8);
    expect(typed(down, "\x1b[B").caret).toBe(14);
    expect(
      editField(
        field,
        { type: "key", name: "up", text: null, ctrl: false, alt: false, shift: false, plain: false },
        20,
      ),
    ).toBeNull();
  });
});

describe("elements", () => {
  const field = insertText(
    insertElement(insertText(emptyField, "see "), "[Pasted 9 chars]", { kind: "paste", content: "a\nb\nc\nd\ne" }),
    " ok",
  );

  it("are stepped over and deleted as one", () => {
    const at = typed(field, "\x1b[D\x1b[D\x1b[D");
    expect(typed(at, "\x1b[D").caret).toBe(4);
    const without = typed(at, "\x7f");
    expect(without.text).toBe("see  ok");
    expect(without.elements).toEqual([]);
  });

  it("survive edits around them and expand in place", () => {
    const edited = typed({ ...field, caret: 0 }, "X\x1b[F!");
    expect(expandPastes(edited)).toEqual({ text: "Xsee a\nb\nc\nd\ne ok!", images: [] });
  });
});

describe("layout", () => {
  it("wraps at spaces and breaks long words", () => {
    const text = "hello wide world";
    expect(fieldRows(text, 11).map((row) => text.slice(row.start, row.end))).toEqual(["hello wide ", "world"]);
    expect(fieldRows("abcdefgh", 3)).toHaveLength(3);
  });

  it.each([
    ["a space that no longer fits", "hello wide world", 10, ["hello wide ", "world"]],
    ["of several only the first", "hello wide   world", 10, ["hello wide ", "  world"]],
    ["at the end of the text", "hello wide ", 10, ["hello wide "]],
  ])("lets a space between words hang over: %s", (_, text, width, rows) => {
    expect(fieldRows(text, width).map((row) => text.slice(row.start, row.end))).toEqual(rows);
  });

  it("counts wide characters as two cells", () => {
    expect(caretPlace(fieldWith("日本"), 10)).toEqual({ row: 0, column: 4 });
    expect(fieldRows("日本語", 4)).toHaveLength(2);
  });

  it("keeps every character in exactly one row, for any text and width", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 2, max: 30 }), (raw, width) => {
        const text = raw.replace(/\r/g, "");
        const rows = fieldRows(text, width);
        let at = 0;
        for (const row of rows) {
          if (row.start !== at) expect(text[at]).toBe("\n");
          at = row.end;
          expect(row.start).toBeGreaterThanOrEqual(0);
        }
        expect(at).toBe(text.length);
      }),
    );
  });
});
