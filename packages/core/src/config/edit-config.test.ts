import { lstat, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { parse } from "smol-toml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { editConfigFile, removeConfigKey, setConfigKey } from "./edit-config.js";

const TEXT = `# mine
model = "big" # the good one
list = [
  "a", # first
  "b",
]

[tui] # screen
vim_keys = true
# about nothing

# servers
[mcp_servers.docs]
command = "npx" # runs
env = { A = "1", B = "#2" }

[mcp_servers.docs.http_headers]
x = "y"

# where I work
[projects."/a b/c.d"]
trust_level = "trusted"
`;

describe("setting a key", () => {
  it.each([
    [
      "a value, its comment stays",
      ["model"],
      "small",
      'model = "big" # the good one',
      'model = "small" # the good one',
    ],
    ["a value over several lines", ["list"], ["c"], 'list = [\n  "a", # first\n  "b",\n]', 'list = ["c"]'],
    [
      "a member of an inline table",
      ["mcp_servers", "docs", "env", "A"],
      "3",
      '{ A = "1", B = "#2" }',
      '{ B = "#2", A = "3" }',
    ],
    ["a new key at the top", ["personality"], "friendly", "]\n\n[tui]", ']\npersonality = "friendly"\n\n[tui]'],
    ["a new key of a table", ["tui", "x"], 1.5, "vim_keys = true\n", "vim_keys = true\nx = 1.5\n"],
    ["a key under a quoted name", ["projects", "/a b/c.d", "trust_level"], "untrusted", '"trusted"', '"untrusted"'],
    ["a new table", ["features", "hooks"], false, '"trusted"\n', '"trusted"\n\n[features]\nhooks = false\n'],
    ["a new quoted table", ["projects", "/x", "y"], true, '"trusted"\n', '"trusted"\n\n[projects."/x"]\ny = true\n'],
  ])("changes %s and nothing else", (_, keys, value, before, after) => {
    expect(TEXT).toContain(before);
    expect(setConfigKey(TEXT, keys, value)).toBe(TEXT.replace(before, () => after));
  });

  it("replaces a whole table", () => {
    const text = setConfigKey(TEXT, ["mcp_servers", "docs"], { url: "http://x/", headers: { a: "b" } });
    expect(parse(text).mcp_servers).toEqual({ docs: { url: "http://x/", headers: { a: "b" } } });
    expect(text).toContain("# where I work\n[projects");
    expect(text).not.toContain("npx");
  });

  it("goes on where tables are written as dotted keys", () => {
    expect(setConfigKey("a.b = 1\n", ["a", "c"], 2)).toBe("a.b = 1\na.c = 2\n");
  });

  it("starts a file", () => {
    expect(setConfigKey("", ["model"], "m")).toBe('model = "m"\n');
    expect(setConfigKey("", ["a", "b"], 1)).toBe("[a]\nb = 1\n");
  });

  it("refuses what it cannot do without touching other keys", () => {
    expect(() => setConfigKey("[[a]]\nb = 1\n", ["a", "b"], 2)).toThrow("a.b cannot be changed here");
  });
});

describe("removing a key", () => {
  it.each([
    ["an assignment", ["model"], 'model = "big" # the good one\n'],
    ["a value over several lines", ["list"], 'list = [\n  "a", # first\n  "b",\n]\n'],
    ["a member of an inline table", ["mcp_servers", "docs", "env", "A"], 'A = "1", '],
  ])("takes away %s and nothing else", (_, keys, gone) => {
    expect(removeConfigKey(TEXT, keys)).toBe(TEXT.replace(gone, ""));
  });

  it("takes away a table with the tables below it, and keeps what is said about the next", () => {
    const text = removeConfigKey(TEXT, ["mcp_servers", "docs"]);
    expect(text).not.toMatch(/docs|http_headers|npx/);
    expect(text).toContain("# where I work\n[projects");
    expect(text).toContain("# about nothing");
  });

  it("changes nothing where nothing is", () => {
    expect(removeConfigKey(TEXT, ["mcp_servers", "other"])).toBe(TEXT);
  });
});

describe("any edit", () => {
  const key = fc.constantFrom("a", "b", "c d", "e.f");
  const keys = fc.array(key, { minLength: 1, maxLength: 3 });
  const value = fc.oneof(
    fc.string(),
    fc.boolean(),
    fc.integer({ min: -1e9, max: 1e9 }),
    fc.array(fc.string(), { maxLength: 3 }),
  );
  it("reads back as it was meant, and keeps every comment of the top", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(keys, value), { maxLength: 6 }), (edits) => {
        let text = "# first\n";
        for (const [at, put] of edits) {
          const found = at.slice(0, -1).reduce<unknown>((table, part) => (table as never)?.[part], parse(text));
          // A table cannot be made of a value that stands there, nor the other way round: both are somebody's.
          if (found !== undefined && (typeof found !== "object" || Array.isArray(found))) continue;
          const there = (found as Record<string, unknown> | undefined)?.[at.at(-1) as string];
          if (typeof there === "object" && !Array.isArray(there)) continue;
          if (at.slice(0, -1).some((_, end) => isValue(parse(text), at.slice(0, end + 1)))) continue;
          text = setConfigKey(text, at, put);
          expect(at.reduce<unknown>((table, part) => (table as never)[part], parse(text))).toEqual(put);
        }
        expect(text.startsWith("# first\n")).toBe(true);
        for (const [at] of edits) text = removeConfigKey(text, at.slice(0, 1));
        expect(parse(text)).toEqual({});
      }),
      { numRuns: process.env.TURNKIT_SOAK === "1" ? 2000 : 200 },
    );
  });
});

function isValue(table: unknown, keys: readonly string[]): boolean {
  const found = keys.reduce<unknown>((at, part) => (at as never)?.[part], table);
  return found !== undefined && (typeof found !== "object" || Array.isArray(found));
}

describe("a file", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "edit-config-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it("is made when it is not there, readable by its owner only", async () => {
    const file = path.join(folder, "new", "config.toml");
    await editConfigFile(file, (text) => setConfigKey(text, ["model"], "m"));
    expect(await readFile(file, "utf8")).toBe('model = "m"\n');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it("stays a link, and keeps its mode", async () => {
    const [file, link] = [path.join(folder, "real.toml"), path.join(folder, "link.toml")];
    await writeFile(file, "a = 1\n", { mode: 0o640 });
    await symlink(file, link);
    await editConfigFile(link, (text) => setConfigKey(text, ["a"], 2));
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect(await readFile(file, "utf8")).toBe("a = 2\n");
    expect((await stat(file)).mode & 0o777).toBe(0o640);
  });

  it("is left alone when it is not TOML, and the line is named", async () => {
    const file = path.join(folder, "broken.toml");
    await writeFile(file, "a = 1\nb = = 2\n");
    await expect(editConfigFile(file, (text) => setConfigKey(text, ["a"], 2))).rejects.toThrow(
      /broken\.toml:2: is not TOML/,
    );
    expect(await readFile(file, "utf8")).toBe("a = 1\nb = = 2\n");
  });
});
