import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { configOfText } from "../config/config.js";
import { readProjectInstructions } from "./project-instructions.js";

let place: string;
beforeEach(async () => {
  place = await mkdtemp(path.join(tmpdir(), "turnkit-instructions-"));
  for (const folder of ["home", "project/.git", "project/sub/deep"])
    await mkdir(path.join(place, folder), { recursive: true });
});
afterEach(() => rm(place, { recursive: true }));

const write = (files: Readonly<Record<string, string>>) =>
  Promise.all(Object.entries(files).map(([name, text]) => writeFile(path.join(place, name), text)));
const read = (folder = "project/sub") => readProjectInstructions(path.join(place, folder), path.join(place, "home"));

describe("AGENTS.md", () => {
  test("the person's own come first, then the project's from its root down", async () => {
    await write({ "home/AGENTS.md": "mine\n", "project/AGENTS.md": "root\n", "project/sub/AGENTS.md": "sub\n" });
    await write({ "AGENTS.md": "above the project" });
    expect(await read()).toEqual({
      directory: path.join(place, "project/sub"),
      text: "mine\n\n--- project-doc ---\n\nroot\n\n\nsub\n",
      sources: ["home", "project", "project/sub"].map((folder) => path.join(place, folder, "AGENTS.md")),
    });
  });

  test("either alone has no mark, and none is none", async () => {
    expect(await read()).toBeUndefined();
    await write({ "home/AGENTS.md": "mine\n" });
    expect((await read())?.text).toBe("mine");
    await write({ "home/AGENTS.md": " \n", "project/AGENTS.md": "root" });
    expect(await read()).toMatchObject({ text: "root", sources: [path.join(place, "project/AGENTS.md")] });
  });

  test("an override stands in for the file beside it, unless it is empty", async () => {
    await write({ "home/AGENTS.md": "mine", "home/AGENTS.override.md": "mine now" });
    await write({ "project/AGENTS.md": "root", "project/AGENTS.override.md": "" });
    await write({ "project/sub/AGENTS.md": "sub", "project/sub/AGENTS.override.md": "sub now" });
    expect((await read())?.text).toBe("mine now\n\n--- project-doc ---\n\nroot\n\nsub now");
  });

  test("the project's have 32 KiB together; the person's own do not count", async () => {
    await write({ "home/AGENTS.md": "m".repeat(40_000) });
    await write({ "project/AGENTS.md": "r".repeat(32_000), "project/sub/AGENTS.md": "s".repeat(2_000) });
    await write({ "project/sub/deep/AGENTS.md": "never" });
    const text = (await read("project/sub/deep"))?.text ?? "";
    const count = (letter: string) => text.split(letter).length - 1;
    expect([count("m"), count("s")]).toEqual([40_000, 768]);
    expect(text).not.toContain("never");
  });

  describe("as configured", () => {
    const readWith = async (toml: string, folder = "project/sub") => {
      const { projectInstructions } = configOfText(toml, path.join(place, "config.toml"));
      return (await readProjectInstructions(path.join(place, folder), path.join(place, "home"), projectInstructions))
        ?.text;
    };

    test("the size holds for the project alone, and 0 leaves it out", async () => {
      await write({ "home/AGENTS.md": "mine", "project/AGENTS.md": "root", "project/sub/AGENTS.md": "sub" });
      expect(await readWith("project_doc_max_bytes = 6")).toBe("mine\n\n--- project-doc ---\n\nroot\n\nsu");
      expect(await readWith("project_doc_max_bytes = 0")).toBe("mine");
      for (const value of ["-1", "1.5", '"8"'])
        expect(() => configOfText(`project_doc_max_bytes = ${value}`, "config.toml")).toThrow(
          "config.toml:1: project_doc_max_bytes ",
        );
    });

    test("further names come after the usual ones, in their order, and in the project only", async () => {
      await write({ "home/NOTES.md": "mine", "project/NOTES.md": "notes", "project/HINTS.md": "hints" });
      await write({
        "project/sub/HINTS.md": "sub hints",
        "project/sub/deep/HINTS.md": "no",
        "project/sub/deep/AGENTS.md": "deep",
      });
      const keys = 'project_doc_fallback_filenames = ["", " NOTES.md ", "HINTS.md"]';
      expect(await readWith(keys, "project/sub/deep")).toBe("notes\n\nsub hints\n\ndeep");
      expect(await readWith("", "project/sub/deep")).toBe("deep");
    });

    test("the root is where a marker is; without markers it is the folder itself", async () => {
      await write({
        "AGENTS.md": "above",
        "project/AGENTS.md": "root",
        "project/sub/AGENTS.md": "sub",
        "package.json": "{}",
      });
      expect(await readWith('project_root_markers = ["pyproject.toml", "package.json"]')).toBe("above\n\nroot\n\nsub");
      expect(await readWith("project_root_markers = []")).toBe("sub");
    });
  });
});
