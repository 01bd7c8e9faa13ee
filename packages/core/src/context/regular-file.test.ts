import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { gitInfo } from "../rollout/git-info.js";
import { readRegularFile, readRegularText } from "./regular-file.js";
import { readSkill } from "./skills/read-skill.js";
import { skillMessage } from "./skills/skill-message.js";

let folder: string;
const at = (name: string) => path.join(folder, name);
const pipe = (file: string) => promisify(execFile)("mkfifo", [file]);
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "turnkit-regular-file-"));
  await writeFile(at("text"), "0123456789");
  await symlink("text", at("link"));
  await symlink("/dev/zero", at("device"));
  await pipe(at("pipe"));
  await writeFile(at("sparse"), "");
  await truncate(at("sparse"), 5_000_000_000);
});
afterAll(() => rm(folder, { recursive: true }));

test("a file, also behind a link, is read as far as is wanted", async () => {
  expect((await readRegularFile(at("text"), 100)).toString()).toBe("0123456789");
  expect((await readRegularFile(at("link"), 4)).toString()).toBe("0123");
  expect((await readRegularFile(at("text"), 0)).length).toBe(0);
  expect((await readRegularFile(at("sparse"), 200_000)).length).toBe(200_000);
  expect(await readRegularText(at("text"), 10)).toBe("0123456789");
});

test("what is too large for a whole text is refused, whatever it claims to be", async () => {
  await expect(readRegularText(at("text"), 9)).rejects.toThrow(/text is larger than 9 bytes/);
  await expect(readRegularText(at("sparse"), 1_000_000)).rejects.toThrow(/larger/);
});

test.each(["device", "pipe", "."])("%s is refused at once", async (name) => {
  await expect(readRegularFile(at(name), 100)).rejects.toThrow(/not a regular file/);
});

test("a skill that is none holds nobody up", async () => {
  for (const [name, make] of [
    ["piped", pipe],
    ["endless", (file: string) => symlink("/dev/zero", file)],
    ["large", (file: string) => writeFile(file, `---\ndescription: d\n---\n${"x".repeat(1024 * 1024)}`)],
  ] as const) {
    await mkdir(at(name));
    const file = path.join(at(name), "SKILL.md");
    await make(file);
    await expect(readSkill(file, "repo")).rejects.toThrow(/not a regular file|larger than/);
    const said = await skillMessage({ name, path: file } as never);
    expect(said).toMatchObject({ type: "warning", message: expect.stringMatching(/^Failed to load skill/) });
  }
  await mkdir(at("depends/agents"), { recursive: true });
  await writeFile(at("depends/SKILL.md"), "---\ndescription: d\n---\nbody");
  await pipe(at("depends/agents/openai.yaml"));
  expect(await readSkill(at("depends/SKILL.md"), "repo")).toMatchObject({ name: "depends", dependencies: [] });
});

test("a repository that is none holds nobody up", async () => {
  await mkdir(at("repository/.git"), { recursive: true });
  await pipe(at("repository/.git/HEAD"));
  await mkdir(at("pointer"));
  await pipe(at("pointer/.git"));
  expect([await gitInfo(at("repository")), await gitInfo(at("pointer"))]).toEqual([undefined, undefined]);
});
