import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadConfig } from "./index.js";

let home: string;
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), "turnkit-profile-"));
  const write = (name: string, text: string) => writeFile(path.join(home, name), text);
  await write(
    "config.toml",
    'model = "big"\n[features]\na = true\nb = true\n[profiles.inside]\nmodel = "inside"\n[profiles.work]\nmodel = "hidden"\n',
  );
  await write("work.config.toml", 'model = "small"\n[features]\nb = false\n');
  await write("wrong.config.toml", '\nmodel = "x"\nsandbox_mode = 3\n');
});
afterAll(() => rm(home, { recursive: true }));

const load = (profile: unknown, more = {}) => loadConfig({ home, overrides: { profile, ...more } });

describe("a profile", () => {
  it("lies over the rest, table by table, and under the command line", async () => {
    expect(await load("work")).toMatchObject({ model: "small", features: { a: true, b: false } });
    expect(await load("work", { model: "asked" })).toMatchObject({ model: "asked" });
    expect(await loadConfig({ home })).toMatchObject({ model: "big", features: { a: true, b: true } });
  });

  it("may be a table of the file, as older versions wrote it", async () => {
    expect(await load("inside")).toMatchObject({ model: "inside" });
  });

  it.each([
    [
      "none",
      /config\.toml: profile names "none", but there is neither .*none\.config\.toml nor a table profiles\.none/,
    ],
    ["../x", /profile must be a name of letters/],
    [3, /profile must be a name of letters/],
    ["wrong", /wrong\.config\.toml:3: sandbox_mode must be/],
  ])("%j is refused", async (name, rule) => {
    await expect(load(name)).rejects.toThrow(rule);
  });
});
