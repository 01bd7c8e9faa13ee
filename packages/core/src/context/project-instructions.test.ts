import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
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

  test("an override stands in for the file beside it; an empty one silences a project's", async () => {
    await write({ "home/AGENTS.md": "mine", "home/AGENTS.override.md": "mine now" });
    await write({ "project/AGENTS.md": "root", "project/AGENTS.override.md": "" });
    await write({ "project/sub/AGENTS.md": "sub", "project/sub/AGENTS.override.md": "sub now" });
    await write({ "project/sub/deep/AGENTS.md": "deep", "project/sub/deep/AGENTS.override.md": " \n" });
    expect((await read("project/sub/deep"))?.text).toBe("mine now\n\n--- project-doc ---\n\nsub now");
    await write({ "home/AGENTS.override.md": "\n" });
    expect((await read("project/sub/deep"))?.text).toBe("mine\n\n--- project-doc ---\n\nsub now");
  });

  describe("that is no file is passed over, as an override too", () => {
    test.each([
      ["a folder", (file: string) => mkdir(file)],
      ["a link to nothing", (file: string) => symlink("nothing", file)],
      ["a link to itself", (file: string) => symlink(path.basename(file), file)],
      ["a device without an end", (file: string) => symlink("/dev/zero", file)],
      ["a pipe", (file: string) => promisify(execFile)("mkfifo", [file])],
    ])("%s", async (_, make) => {
      await write({ "home/AGENTS.md": "mine", "project/AGENTS.md": "root", "project/sub/deep/AGENTS.md": "deep" });
      await make(path.join(place, "home/AGENTS.override.md"));
      await make(path.join(place, "project/AGENTS.override.md"));
      await make(path.join(place, "project/sub/AGENTS.md"));
      expect((await read("project/sub/deep"))?.text).toBe("mine\n\n--- project-doc ---\n\nroot\n\ndeep");
    });
  });

  test("a link is followed, and a file of any size is read as far as there is room", async () => {
    await write({ "else.md": "elsewhere" });
    await symlink(path.join(place, "else.md"), path.join(place, "project/AGENTS.md"));
    await write({ "project/sub/AGENTS.md": "" });
    await truncate(path.join(place, "project/sub/AGENTS.md"), 5_000_000_000);
    await write({ "home/AGENTS.md": "m".repeat(2_000_000) });
    const text = (await read())?.text ?? "";
    expect(text).toContain("elsewhere");
    expect(text.split("m").length - 1).toBe(1024 * 1024);
    expect(text.split("\0").length - 1).toBe(32 * 1024 - "elsewhere".length);
  });

  test("what is no UTF-8 is replaced", async () => {
    await writeFile(path.join(place, "project/AGENTS.md"), Uint8Array.of(0x41, 0xff, 0xfe, 0x42, 0, 0x43));
    expect((await read())?.text).toBe("A\ufffd\ufffdB\0C");
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
