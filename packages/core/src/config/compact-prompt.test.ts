import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { compactPromptOf } from "./compact-prompt.js";
import { loadConfig } from "./config.js";

let home: string;
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), "compact-"));
});
afterAll(() => rm(home, { recursive: true }));

async function promptFrom(toml: string): Promise<string | undefined> {
  await writeFile(path.join(home, "config.toml"), toml);
  const config = await loadConfig({ home, strict: true });
  return compactPromptOf(config);
}

it("comes from the configuration, else from the file that it names", async () => {
  await writeFile(path.join(home, "prompt.md"), "\nSum it up.\n");
  const named = 'experimental_compact_prompt_file = "prompt.md"\n';
  expect(await promptFrom("")).toBeUndefined();
  expect(await promptFrom(named)).toBe("Sum it up.");
  expect(await promptFrom(`compact_prompt = " Be short. "\n${named}`)).toBe("Be short.");
  expect(await promptFrom(`compact_prompt = "  "\n${named}`)).toBe("Sum it up.");
});

it("a file that is missing or empty is an error that names it", async () => {
  await writeFile(path.join(home, "empty.md"), " \n");
  const file = (name: string) => promptFrom(`experimental_compact_prompt_file = "${path.join(home, name)}"`);
  await expect(file("missing.md")).rejects.toThrow(`${path.join(home, "missing.md")}: cannot be read: ENOENT`);
  await expect(file("empty.md")).rejects.toThrow(`${path.join(home, "empty.md")}: must not be empty`);
});
