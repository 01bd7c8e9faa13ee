import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
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
});
