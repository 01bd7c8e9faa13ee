import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Home, PROCESS_TIMEOUT } from "./support/cli.js";

const TEXT = '# mine\nmodel = "big" # good\n\n[tui]\nvim_keys = true\n';

const file = (home: Home): string => readFileSync(path.join(home.path, "config.toml"), "utf8");

describe("turnkit config", { timeout: PROCESS_TIMEOUT }, () => {
  it("reads, changes and checks the file, and keeps what people wrote in it", async () => {
    await using home = new Home();
    home.write("config.toml", TEXT);
    home.write("work.config.toml", 'model = "small"\n');
    const run = (...args: string[]) => home.run(["config", ...args]);

    expect(await run("path")).toMatchObject({ code: 0, stdout: `${path.join(home.path, "config.toml")}\n` });
    expect(await run("get", "model")).toMatchObject({ code: 0, stdout: "big\n" });
    expect(await run("get", "model", "-p", "work")).toMatchObject({ code: 0, stdout: "small\n" });
    expect(await run("get", "model", "--json", "-c", "model=x")).toMatchObject({ code: 0, stdout: '"x"\n' });
    expect(await run("set", "tui.vim_keys", "false")).toMatchObject({ code: 0, stdout: "", stderr: "" });
    expect(await run("set", "model", "other")).toMatchObject({ code: 0 });
    expect(file(home)).toBe(TEXT.replace("big", "other").replace("true", "false"));
    expect(await run("unset", "tui")).toMatchObject({ code: 0 });
    expect(file(home)).toBe('# mine\nmodel = "other" # good\n\n');
    expect(await run("check")).toMatchObject({ code: 0, stdout: `${path.join(home.path, "config.toml")}: ok\n` });
  });

  it.each([
    [["get", "nothing"], 3, "nothing is not set"],
    [["unset", "nothing"], 3, "nothing is not set"],
    [["set", "modle", "x"], 2, "modle is not a known key (did you mean model?)"],
    [["set", "sandbox_mode", "open"], 4, "sandbox_mode must be"],
    [["set", "model.x", "1"], 4, "model must be a string"],
    [["get", "model", "-p", "none"], 4, 'profile names "none"'],
    [["check", "-c", "=1"], 2, "invalid override"],
    [["st", "a", "b"], 2, "unknown command `config st`: path, get, set, unset, check; did you mean set?"],
  ])("refuses %j in one line and changes nothing", async (args, code, says) => {
    await using home = new Home();
    home.write("config.toml", TEXT);
    const result = await home.run(["config", ...args]);
    expect(result).toMatchObject({ code, stdout: "" });
    expect(result.stderr).toContain(says);
    expect(result.stderr.split("\n").filter((line) => /^turnkit: /.test(line))).toHaveLength(1);
    expect(file(home)).toBe(TEXT);
  });

  it("names every unknown key with its line", async () => {
    await using home = new Home();
    home.write("config.toml", 'modle = "x"\n\n[tuii]\na = 1\n');
    const result = await home.run(["config", "check"]);
    expect(result.code).toBe(4);
    expect(result.stdout).toMatch(/config\.toml:1: modle is not a known key[^\n]*\n[^\n]*config\.toml:3: tuii is not/);
  });
});

describe("turnkit config check", { timeout: PROCESS_TIMEOUT }, () => {
  it.each([
    ["[tui]\nnotfy = []\n", ":2: tui.notfy is not a known key (did you mean notify?)"],
    ["[tui]\nnotify = 'bell'\n", ":2: tui.notify must be a list of texts"],
    ["[tui.keymap.composer]\nsubmt = 'enter'\n", ":2: tui.keymap.composer.submt is no action (did you mean submit?)"],
    ["[tui.keymap.compser]\nx = 'a'\n", ":1: tui.keymap.compser is no place for keys (did you mean composer?)"],
    ["[tui.keymap.composer]\nsubmit = 'entr'\n", ':2: tui.keymap.composer.submit names an unknown key "entr"'],
  ])("%j", async (text, says) => {
    await using home = new Home();
    home.write("config.toml", text);
    const { code, stdout } = await home.run(["config", "check"]);
    expect({ code, stdout }).toEqual({ code: 4, stdout: expect.stringContaining(`config.toml${says}`) });
    expect(stdout.trimEnd().split("\n")).toHaveLength(1);
  });

  it("leaves the names of other programs alone", async () => {
    await using home = new Home();
    home.write(
      "config.toml",
      "[tui]\ntheme = 'x'\nnotifications = true\nvim_mode_default = true\nanimations = false\n",
    );
    expect(await home.run(["config", "check"])).toMatchObject({ code: 0 });
  });
});

describe("turnkit features", { timeout: PROCESS_TIMEOUT }, () => {
  it("are listed, and switched in the file", async () => {
    await using home = new Home();
    const name = "default_mode_request_user_input";
    const state = async () => {
      const { stdout } = await home.run(["features", "list", "--json"]);
      return (JSON.parse(stdout) as { name: string; enabled: boolean }[]).find((row) => row.name === name)?.enabled;
    };
    expect(await state()).toBe(false);
    expect((await home.run(["features", "enable", name])).code).toBe(0);
    expect(await state()).toBe(true);
    expect((await home.run(["features", "disable", name])).code).toBe(0);
    expect(file(home)).toBe(`[features]\n${name} = false\n`);
    const mistyped = await home.run(["features", "enable", "default_mode_request_user_inputs"]);
    expect(mistyped).toMatchObject({ code: 2 });
    expect(mistyped.stderr).toContain(`did you mean ${name}?`);
  });
});
