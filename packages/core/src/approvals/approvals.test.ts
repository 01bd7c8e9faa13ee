import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CommandRules } from "./command-rules.js";
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
    "A=1 rm -rf x",
    "if true; then rm -rf x; fi",
  ])("%j", (script) => expect(isDangerous(script)).toBe(true));

  it.each(["rm a", "rm -r a", "rm -- -f", "echo rm -rf x", "grep -f x", "git rm a", "form -f", "echo 'rm -rf x'"])(
    "not %j",
    (script) => expect(isDangerous(script)).toBe(false),
  );
});

describe("CommandRules", () => {
  const argv = (script: string) => ["/bin/bash", "-lc", script];
  const judge = (rules: CommandRules, script: string) => rules.judge(script, argv(script));
  const ask = async (rules: CommandRules, script: string) => (await judge(rules, script)).decision === "allow";

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
    const words = ["make test -j2", "rm x", "touch a"];
    expect(await Promise.all(words.map(async (script) => (await judge(second, script)).decision))).toEqual([
      "allow",
      "forbidden",
      undefined,
    ]);
    expect(second.takeProblems()).toEqual([
      `${file}: line 4: pattern must be a list of words; the rule is not used`,
      `${file}: line 5: unexpected end of the statement; the rule is not used`,
    ]);
    expect(second.takeProblems()).toEqual([]);
  });

  it("come from all files beside that one", async () => {
    const rules = path.join(folder, "several");
    await mkdir(path.join(rules, "folder.rules"), { recursive: true });
    await writeFile(path.join(rules, "a.rules"), 'prefix_rule(pattern=["a"])\n');
    await writeFile(path.join(rules, "b.rules"), 'prefix_rule(pattern=["b"])\n');
    await writeFile(path.join(rules, "c.txt"), 'prefix_rule(pattern=["c"])\n');
    const read = new CommandRules(path.join(rules, "default.rules"));
    expect(await Promise.all(["a", "b", "c"].map((script) => ask(read, script)))).toEqual([true, true, false]);
    expect(read.takeProblems()).toEqual([expect.stringMatching(/folder\.rules cannot be read: EISDIR/)]);
    expect(new CommandRules(path.join(folder, "none", "default.rules")).takeProblems()).toEqual([]);
  });

  describe("of a file that asks and forbids", () => {
    const load = async () => {
      const file = path.join(folder, "strict", "default.rules");
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(
        file,
        [
          'prefix_rule(pattern=["mkdir"])',
          'prefix_rule(pattern=["git", ["push", "fetch"], "origin"])',
          'prefix_rule(pattern=["no"], decision="forbidden", justification="no way")',
          'prefix_rule(pattern=["drop", "all"], decision="forbidden")',
          'prefix_rule(pattern=["ask"], decision="prompt")',
          'prefix_rule(pattern=["care"], decision="prompt", justification="be careful")',
          'prefix_rule(pattern=["mkdir", "secret"], decision="prompt")',
        ].join("\n"),
      );
      return new CommandRules(file);
    };

    it.each([
      ["mkdir a", "allow", undefined],
      ["mkdir a && mkdir b; mkdir c", "allow", undefined],
      ["git push origin main", "allow", undefined],
      ["git fetch origin", "allow", undefined],
      ["no thing", "forbidden", "no way"],
      ["drop all", "forbidden", "policy forbids commands starting with `drop all`"],
      ["ask x", "prompt", undefined],
      ["care x", "prompt", "be careful"],
      // The strictest rule of a command, and of a chain, counts.
      ["mkdir secret", "prompt", undefined],
      ["mkdir a && ask b", "prompt", undefined],
      ["other && ask b", "prompt", undefined],
      ["ask a && no b", "forbidden", "no way"],
      ["mkdir a | no b", "forbidden", "no way"],
      // Spelled otherwise they are the same commands.
      ["/usr/bin/no thing", "forbidden", "no way"],
      ["X=1 no thing", "forbidden", "no way"],
      ["X=1 Y+=2 /bin/ask", "prompt", undefined],
      ["if no thing; then mkdir a; fi", "forbidden", "no way"],
    ])("%s: %s", async (script, decision, justification) => {
      expect(await judge(await load(), script)).toEqual({ decision, justification, missing: undefined });
    });

    it.each([
      ["git push", ["git", "push"]],
      ["git pull origin", ["git", "pull", "origin"]],
      ["drop some", ["drop", "some"]],
      // A rule would have to be about the first command that none allows.
      ["mkdir a && rm b", ["rm", "b"]],
      ["cat a | grep b", ["cat", "a"]],
      // A path of one's own choice is not what was allowed.
      ["/tmp/mkdir a", ["/tmp/mkdir", "a"]],
      ["./mkdir a", ["./mkdir", "a"]],
      // No plain commands: only a rule about the whole of it could allow them.
      ["X=1 mkdir a", undefined],
      ["mkdir a > f", undefined],
      ["mkdir $(no)", undefined],
      ["if true; then mkdir a; fi", undefined],
      ["cat <<E\nno\nE", undefined],
      ["mkdir a &", undefined],
      ["! mkdir a", undefined],
      ["mkdir {a,b}", undefined],
    ])("%s is not spoken of", async (script, missing) => {
      expect(await judge(await load(), script)).toEqual({ decision: undefined, justification: undefined, missing });
    });
  });
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
