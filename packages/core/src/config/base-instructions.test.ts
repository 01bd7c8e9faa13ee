import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { baseInstructionsOf } from "./base-instructions.js";
import { loadConfig } from "./config.js";

let home: string;
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), "base-"));
  await writeFile(path.join(home, "base.md"), "\n Be brief. \n");
  await writeFile(path.join(home, "empty.md"), " \n");
});
afterAll(() => rm(home, { recursive: true }));

async function instructionsFrom(toml: string): Promise<string | undefined> {
  await writeFile(path.join(home, "config.toml"), toml);
  return baseInstructionsOf(await loadConfig({ home, strict: true }));
}

it("come from the file that is named", async () => {
  expect(await instructionsFrom("")).toBeUndefined();
  expect(await instructionsFrom('model_instructions_file = "base.md"')).toBe("Be brief.");
  expect(await instructionsFrom(`model_instructions_file = "${path.join(home, "base.md")}"`)).toBe("Be brief.");
});

it("a file that is missing or empty is an error that names it and the key", async () => {
  const configuration = path.join(home, "config.toml");
  await expect(instructionsFrom('model_instructions_file = "gone.md"')).rejects.toThrow(
    `${configuration}: model_instructions_file names ${path.join(home, "gone.md")}, which cannot be read (ENOENT)`,
  );
  await expect(instructionsFrom('model_instructions_file = "empty.md"')).rejects.toThrow(
    `${configuration}: model_instructions_file names ${path.join(home, "empty.md")}, which is empty`,
  );
});
