import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CommandRules } from "./command-rules.js";
import { amendmentFor } from "./command-words.js";
import { isDangerous } from "./dangerous-command.js";
import { execSandbox } from "./exec-sandbox.js";
import { mayWrite } from "./writable-folders.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "approvals-"));
});
afterAll(() => rm(folder, { recursive: true }));

describe("isDangerous", () => {
  it.each([
    "rm -rf /x",
    "rm -f a",
    "rm -r -f a",
    "rm --force a",
    "/bin/rm -fr a",
    "sudo rm -rf /",
    "sudo -n rm -rf /",
    "env A=1 rm -f x",
    "echo a && rm -rf b",
    "ls | xargs rm -f",
    "bash -c 'rm -rf x'",
    "echo $(rm -rf x)",
    "for f in *; do rm -f $f; done",
    "true\nrm -rf x",
  ])("%j", (script) => expect(isDangerous(script)).toBe(true));

  it.each(["rm a", "rm -r a", "rm -- -f", "echo rm -rf x", "grep -f x", "git rm a", "form -f", "echo 'rm -rf x'"])(
    "not %j",
    (script) => expect(isDangerous(script)).toBe(false),
  );
});

describe("CommandRules", () => {
  const argv = (script: string) => ["/bin/bash", "-lc", script];
  const ask = (rules: CommandRules, script: string) => rules.allows(script, argv(script));

  it("allow by whole words, and chains only when every command is allowed", async () => {
    const rules = new CommandRules(null);
    await rules.allow(["git", "status"]);
    await rules.allow(["ls"]);
    const asked = [
      "git status",
      "git status -s",
      "ls && git status",
      "git statusx",
      "git push",
      "git status && git push",
      "git status > f",
      "ls $(x)",
    ];
    expect(await Promise.all(asked.map((script) => ask(rules, script)))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  it("can name a script that is no plain command by its whole vector", async () => {
    const rules = new CommandRules(null);
    await rules.allow(argv("echo $HOME"));
    expect([await ask(rules, "echo $HOME"), await ask(rules, "echo $HOME; x $Y")]).toEqual([true, false]);
  });

  it("last in a file that others may have written to", async () => {
    const file = path.join(folder, "rules", "default.rules");
    const first = new CommandRules(file);
    await first.allow(["touch"]);
    expect(await readFile(file, "utf8")).toBe('prefix_rule(pattern=["touch"], decision="allow")\n');
    await writeFile(
      file,
      '# a comment\nprefix_rule(pattern=["make", "test"], decision="allow")\nprefix_rule(pattern=["rm"], decision="forbidden")\nprefix_rule(pattern=[], decision="allow")\nnonsense(\n',
    );
    const second = new CommandRules(file);
    expect([await ask(second, "make test -j2"), await ask(second, "rm x"), await ask(second, "touch a")]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

it("proposes the words of a plain command, else the whole vector", () => {
  expect(amendmentFor("touch 'a b'", ["bash", "-lc", "x"])).toEqual(["touch", "a b"]);
  expect(amendmentFor("a && b", ["bash", "-lc", "x"])).toEqual(["bash", "-lc", "x"]);
});

describe("mayWrite", () => {
  it("follows links before it decides", async () => {
    const work = path.join(folder, "work");
    const outside = path.join(folder, "outside");
    await mkdir(path.join(work, "sub"), { recursive: true });
    await mkdir(outside);
    await symlink(outside, path.join(work, "link"));
    await symlink(path.join(outside, "file"), path.join(work, "dangling"));
    const options = { policy: { type: "workspace-write" } as const, cwd: work, temporaryFolders: [] };
    const files = ["new", "sub/deep/new", "..new", "link/x", "../outside/x", ".git/config", ".codex/hooks.json"];
    expect(await Promise.all(files.map((file) => mayWrite(path.join(work, file), options)))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    const also = { ...options, policy: { type: "workspace-write" as const, writable_roots: [outside] } };
    expect(await mayWrite(path.join(work, "link/x"), also)).toBe(true);
    expect(await mayWrite(path.join(work, "new"), { ...options, policy: { type: "read-only" } })).toBe(false);
    expect(await mayWrite("/anywhere", { ...options, policy: { type: "danger-full-access" } })).toBe(true);
  });
});

describe("execSandbox", () => {
  it("confines nothing, reading only, or to the workspace without what it trusts", () => {
    expect(execSandbox({ type: "danger-full-access" }, "/w")).toBeNull();
    expect(execSandbox({ type: "read-only" }, "/w")?.permissions).toEqual({
      type: "managed",
      file_system: {
        type: "restricted",
        entries: [{ path: { type: "special", value: { kind: "root" } }, access: "read" }],
      },
      network: "restricted",
    });
    const workspace = execSandbox({ type: "workspace-write", network_access: true, exclude_slash_tmp: true }, "/w");
    expect(workspace?.permissions).toMatchObject({ network: "enabled" });
    const entries = (workspace!.permissions as { file_system: { entries: unknown[] } }).file_system.entries;
    expect(entries.slice(1, 4)).toEqual([
      { path: { type: "special", value: { kind: "tmpdir" } }, access: "write" },
      { path: { type: "path", path: "/w" }, access: "write" },
      { path: { type: "path", path: "/w/.git" }, access: "read" },
    ]);
  });
});
