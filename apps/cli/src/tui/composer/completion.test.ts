import { describe, expect, it } from "vitest";
import { defaultKeymap } from "../keymap/keymap.js";
import { KeyDecoder } from "../terminal/key-decoder.js";
import { fieldWith, insertElement, moveTo } from "../text-field/text-field.js";
import { completionToken, type FileRow, noCompletion, wantedSearch } from "./completion.js";
import {
  type Composer,
  type ComposerEffect,
  composerFound,
  composerKey,
  composerPaste,
  emptyComposer,
  offered,
} from "./composer.js";

interface Run {
  composer: Composer;
  effects: ComposerEffect[];
}

function press(start: Composer, bytes: string): Run {
  const decoder = new KeyDecoder();
  const run: Run = { composer: start, effects: [] };
  for (const input of [...decoder.push(bytes), ...decoder.flush()]) {
    if (input.type !== "key") throw new Error("keys only");
    const step = composerKey(run.composer, input, defaultKeymap, 60);
    run.composer = step.composer;
    if (step.effect) run.effects.push(step.effect);
  }
  return run;
}

const file = (path: string): FileRow => ({
  root: "/proj",
  path: path.replace(/\/$/, ""),
  directory: path.endsWith("/"),
});

/** Types, then hears that these files were found for the query. */
function withFiles(typed: string, query: string, ...paths: string[]): Composer {
  const { composer } = press(emptyComposer, typed);
  return composerFound(composer, { kind: "file", query, rows: paths.map(file) });
}

const names = (composer: Composer): string[] =>
  (offered(composer)?.rows ?? []).map((row) => {
    if (row.kind === "command") return row.command.name;
    return row.kind === "file" ? row.file.path : row.skill.name;
  });

const DOWN = "\x1b[B";
const UP = "\x1b[A";

describe("the word at the caret", () => {
  it.each([
    ["@src", "file", "src"],
    ["see @src/ma", "file", "src/ma"],
    ["line\n@a", "file", "a"],
    ["@", "file", ""],
    ['open @"my fol', "file", "my fol"],
    ["日本 @é", "file", "é"],
    ["use $rev", "skill", "rev"],
    ["$", "skill", ""],
    ["/mo", "command", "mo"],
  ])("%j asks for a %s like %j", (text, kind, query) => {
    expect(completionToken(fieldWith(text))).toMatchObject({ kind, query });
  });

  it.each([["mail ada@example.com"], ["a /mo"], ["it costs 5$"], ["@src done"], ['@"my file" x'], ["$a/b"]])(
    "%j asks for nothing",
    (text) => {
      expect(completionToken(fieldWith(text))).toBeNull();
    },
  );

  it("is whole when the caret is inside it, and none inside a placeholder", () => {
    expect(completionToken(moveTo(fieldWith("see @source now"), 7))).toEqual({
      kind: "file",
      query: "source",
      start: 4,
      end: 11,
    });
    expect(completionToken(insertElement(fieldWith(""), "@label", { kind: "paste", content: "x" }))).toBeNull();
  });

  it("is searched for once it has a letter", () => {
    expect(wantedSearch(fieldWith("@"), noCompletion)).toBeNull();
    expect(wantedSearch(fieldWith("@a"), noCompletion)).toEqual({ kind: "file", query: "a" });
    expect(wantedSearch(fieldWith("$"), noCompletion)).toEqual({ kind: "skill" });
  });
});

describe("files", () => {
  it("are chosen with arrows and Enter or Tab, and put in place of the word", () => {
    const found = withFiles("see @ma", "ma", "src/main.ts", "src/map.ts");
    expect(press(found, "\r").composer.field.text).toBe("see src/main.ts ");
    expect(press(found, `${DOWN}\t`).composer.field.text).toBe("see src/map.ts ");
    expect(press(found, `${UP}\r`).composer.field.text).toBe("see src/map.ts ");
    expect(press(found, "\x0e\r").composer.field.text).toBe("see src/map.ts ");
    expect(press(found, "\r").effects).toEqual([]);
  });

  it("keep what stands behind the word", () => {
    const { composer } = press(emptyComposer, "see @ma now\x1b[D\x1b[D\x1b[D\x1b[D");
    const found = composerFound(composer, { kind: "file", query: "ma", rows: [file("src/main.ts")] });
    expect(press(found, "\r").composer.field).toMatchObject({ text: "see src/main.ts  now", caret: 16 });
  });

  it("with spaces or quotes are quoted", () => {
    expect(press(withFiles("@my", "my", "my notes.md"), "\r").composer.field.text).toBe('"my notes.md" ');
    expect(press(withFiles("@my", "my", 'my"x".md'), "\r").composer.field.text).toBe('"my\\"x\\".md" ');
  });

  it("that are images become attachments", () => {
    const { field } = press(withFiles("look at @lo", "lo", "art/logo.png"), "\r").composer;
    expect(field.text).toBe("look at [Image #1] ");
    expect(field.elements).toMatchObject([
      { start: 8, end: 18, payload: { kind: "image", path: "/proj/art/logo.png" } },
    ]);
  });

  it("of an answer that comes too late are not shown", () => {
    expect(names(withFiles("@main", "ma", "src/map.ts"))).toEqual([]);
    const gone = press(withFiles("@ma", "ma", "src/map.ts"), "\x7f\x7f\x7f").composer;
    expect(names(composerFound(gone, { kind: "file", query: "ma", rows: [file("a")] }))).toEqual([]);
  });

  it("that still fit stay until the answer for the longer word comes", () => {
    const longer = press(withFiles("@m", "m", "src/main.ts", "src/mop.ts"), "op").composer;
    expect(names(longer)).toEqual(["src/mop.ts"]);
    const answered = composerFound(longer, { kind: "file", query: "mop", rows: [file("x/moped.ts")] });
    expect(names(answered)).toEqual(["x/moped.ts"]);
    expect(names(press(answered, "\x7f").composer)).toEqual([]);
  });

  it("of a folder are listed next; the folder itself is taken when it is chosen again", () => {
    const inside = press(withFiles("@sr", "sr", "src/"), "\r").composer;
    expect(inside.field.text).toBe("@src/");
    expect(wantedSearch(inside.field, inside.completion)).toEqual({ kind: "file", query: "src/" });
    const found = composerFound(inside, { kind: "file", query: "src/", rows: [file("src/"), file("src/main.ts")] });
    expect(press(found, "\r").composer.field.text).toBe("src/main.ts ");
    expect(press(found, `${DOWN}\r`).composer.field.text).toBe("src/ ");
  });

  it("of a folder with spaces are listed behind an open quote", () => {
    const inside = press(withFiles("@my", "my", "my docs/"), "\t").composer;
    expect(inside.field.text).toBe('@"my docs/');
    const found = composerFound(inside, { kind: "file", query: "my docs/", rows: [file("my docs/a b.md")] });
    expect(press(found, "\r").composer.field.text).toBe('"my docs/a b.md" ');
  });

  it("without a match leave Enter what it is", () => {
    expect(press(withFiles("hi @zz", "zz"), "\r").effects).toMatchObject([
      { type: "submit", draft: { text: "hi @zz" } },
    ]);
  });
});

describe("a closed list", () => {
  const closed = press(withFiles("see @ma", "ma", "src/main.ts"), "\x1b").composer;

  it("stays closed while the word grows, and Enter submits", () => {
    expect(names(closed)).toEqual([]);
    const grown = press(closed, "i").composer;
    expect(wantedSearch(grown.field, grown.completion)).toBeNull();
    expect(press(grown, "\r").effects).toMatchObject([{ type: "submit", draft: { text: "see @mai" } }]);
  });

  it("does not keep the next word's list from opening", () => {
    const next = press(closed, " @x").composer;
    expect(wantedSearch(next.field, next.completion)).toEqual({ kind: "file", query: "x" });
  });
});

describe("skills", () => {
  const rows = [
    { name: "code-review", description: "Reads changes." },
    { name: "release", description: "Publishes." },
  ];
  const asked = (typed: string): Composer =>
    composerFound(press(emptyComposer, typed).composer, { kind: "skill", rows });

  it("are offered after $, those that begin with the letters first", () => {
    expect(names(asked("use $"))).toEqual(["code-review", "release"]);
    expect(names(asked("use $re"))).toEqual(["release", "code-review"]);
    expect(names(asked("costs $5"))).toEqual([]);
  });

  it("are put in by name", () => {
    expect(press(asked("use $re"), "\r").composer.field.text).toBe("use $release ");
  });
});

describe("drafts that come from elsewhere", () => {
  it("a pasted text opens the list of its last word, a recalled one opens none", () => {
    const pasted = composerPaste(emptyComposer, "see @ma");
    expect(wantedSearch(pasted.field, pasted.completion)).toEqual({ kind: "file", query: "ma" });
    const sent = press(pasted, "\r").composer;
    const recalled = press(sent, UP).composer;
    expect([recalled.field.text, wantedSearch(recalled.field, recalled.completion)]).toEqual(["see @ma", null]);
  });
});
