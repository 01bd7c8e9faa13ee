/** Who is blamed: the file, the profile, the command line or the request that set a key. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadConfig } from "./index.js";

let home: string;
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), "turnkit-sources-"));
  const write = (name: string, text: string) => writeFile(path.join(home, name), text);
  await write(
    "config.toml",
    'model = "a"\nmoddel = "x"\n[features]\na = true\n[profiles.inside]\nmodel = "b"\nmodal = 1\n[profiles.bad]\nmodel = 3\n',
  );
  await write("own.config.toml", '# mine\nmodeel = "x"\n');
});
afterAll(() => rm(home, { recursive: true }));

const unknown = (place: string, key: string) =>
  `${place}: ${key} is not a known key (did you mean model?) and is ignored`;
const inFile = () => unknown(path.join(home, "config.toml:2"), "moddel");

test.each([
  ["the command line", { overrides: { modle: "x" } }, () => unknown("the command line", "modle")],
  ["the request", { requested: { modle: "x" } }, () => unknown("the request", "modle")],
  [
    "the request, which comes before the command line",
    { overrides: { modle: "x" }, requested: { modle: "y" } },
    () => unknown("the request", "modle"),
  ],
  [
    "a profile's own file",
    { overrides: { profile: "own" } },
    () => unknown(path.join(home, "own.config.toml:2"), "modeel"),
  ],
  ["a profile inside", { overrides: { profile: "inside" } }, () => unknown(path.join(home, "config.toml:7"), "modal")],
])("an unknown key of %s", async (_, options, warning) => {
  const { warnings } = await loadConfig({ home, ...options });
  expect(warnings.toSorted()).toEqual([inFile(), warning()].toSorted());
});

test.each([
  [{ overrides: { sandbox_mode: "full" } }, "the command line: sandbox_mode must be"],
  [{ overrides: { "features.a": "yes" } }, "the command line: features.a must be true or false"],
  [{ requested: { "tui.vim_keys": 3 } }, "the request: tui.vim_keys must be true or false"],
  [{ requested: { model_provider: "none" } }, 'the request: model_provider names "none"'],
  [{ overrides: { profile: "bad" } }, "config.toml:9: model must be a string"],
])("a broken rule of %j", async (options, words) => {
  await expect(loadConfig({ home, ...options })).rejects.toThrow(words);
});

test("what the request sets counts, then the command line, then the file", async () => {
  const all = { overrides: { model: "b", "features.a": false }, requested: { model: "c" } };
  expect(await loadConfig({ home, ...all })).toMatchObject({ model: "c", features: { a: false } });
  expect(await loadConfig({ home, overrides: all.overrides })).toMatchObject({ model: "b" });
  expect(await loadConfig({ home })).toMatchObject({ model: "a", features: { a: true } });
});

test("the keys of the reference that change nothing are named, and are no mistakes", async () => {
  const { withoutEffect, warnings } = await loadConfig({
    home,
    overrides: { "history.persistence": "none", file_opener: "vscode", model: "m", "permissions.x": {} },
    strict: false,
  });
  expect(withoutEffect.toSorted()).toEqual(["file_opener", "history", "permissions"]);
  expect(warnings).toEqual([inFile()]);
});
