import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readHooksTable } from "./hook-config.js";
import { HOOK_EVENTS } from "./hook-event.js";
import { compileMatcher } from "./hook-matcher.js";
import { trustOf } from "./hook-trust.js";
import { loadHooks } from "./load-hooks.js";

let home: string;
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), "hooks-config-"));
});
afterAll(() => rm(home, { recursive: true }));

const command = (text: string, more: object = {}) => ({ type: "command", command: text, ...more });
const read = (hooks: unknown) => readHooksTable(hooks, "/h/hooks.json", "user");

describe("readHooksTable", () => {
  it("numbers handlers by the table of events and names where each stands", () => {
    const { handlers } = read({
      UserPromptSubmit: [{ hooks: [command("a")] }],
      PreToolUse: [{ matcher: "Bash", hooks: [command("b"), command("c", { timeout: 7, async: true })] }],
    });
    expect(handlers.map(({ key, command: text, timeout, async }) => [key, text, timeout, async])).toEqual([
      ["/h/hooks.json:pre_tool_use:0:0", "b", 600, false],
      ["/h/hooks.json:pre_tool_use:0:1", "c", 7, true],
      ["/h/hooks.json:user_prompt_submit:0:0", "a", 600, false],
    ]);
  });

  it("hashes what a hook does in the form other programs use", () => {
    const hash = (hooks: object) => read(hooks).handlers[0]!.hash;
    expect(hash({ PreToolUse: [{ matcher: ".*", hooks: [command("node /tmp/pre.mjs")] }] })).toBe(
      "sha256:5928a5a74cf2dd9a24a08dfb9b4f4ee6cc7936649acf4acb395f427bd715c357",
    );
  });

  it("keeps brief events brief", () => {
    const { handlers } = read({
      Interrupt: [{ hooks: [command("a")] }],
      SessionEnd: [{ hooks: [command("b", { timeout: 100 })] }],
      Stop: [{ hooks: [command("c", { timeout: 0 })] }],
    });
    expect(handlers.map(({ event, timeout }) => [event.configName, timeout])).toEqual([
      ["SessionEnd", 3],
      ["Stop", 1],
      ["Interrupt", 1],
    ]);
  });

  it.each([
    [[], "hooks must be object"],
    [
      { Nope: [] },
      "hooks.Nope is not a known member (known: PreToolUse, PermissionRequest, PostToolUse, PreCompact, PostCompact, SessionStart, SessionEnd, UserPromptSubmit, SubagentStart, SubagentStop, Stop, Interrupt, state)",
    ],
    [{ Stop: {} }, "hooks.Stop must be array"],
    [{ Stop: [{}] }, "hooks.Stop[0].hooks is required"],
    [{ Stop: [{ matcher: 1, hooks: [] }] }, "hooks.Stop[0].matcher must be string or null"],
    [
      { Stop: [{ hooks: [{ type: "shell" }] }] },
      'hooks.Stop[0].hooks[0].type must be one of "command", "mcp_tool", "prompt", "agent"',
    ],
    [{ Stop: [{ hooks: [{ type: "command" }] }] }, "hooks.Stop[0].hooks[0].command is required"],
    [{ Stop: [{ hooks: [command("a", { timeout: -1 })] }] }, "hooks.Stop[0].hooks[0].timeout must be >= 0"],
    [
      { Stop: [{ hooks: [command("a", { wait: 1 })] }] },
      "hooks.Stop[0].hooks[0].wait is not a known member (known: type, command, commandWindows, timeout, async, statusMessage, additionalContextLimit)",
    ],
  ])("refuses %j", (table, message) => {
    expect(read(table)).toEqual({ handlers: [], warnings: [], errors: [{ path: "/h/hooks.json", message }] });
  });

  it("skips with a warning what it understands and cannot do", () => {
    const { handlers, warnings, errors } = read({
      Stop: [{ hooks: [{ type: "prompt", prompt: "x" }, command(" "), command("real")] }],
    });
    expect(handlers.map(({ command: text }) => text)).toEqual(["real"]);
    expect(warnings).toHaveLength(2);
    expect(errors).toEqual([]);
  });
});

describe("loadHooks", () => {
  const table = (state: object) => ({ state, Stop: [{ hooks: [command("in config")] }] });

  it("lets run what is trusted as it is, enabled, or allowed wholesale", async () => {
    await writeFile(
      path.join(home, "hooks.json"),
      JSON.stringify({ hooks: { Stop: [{ hooks: [command("in file")] }] } }),
    );
    const load = async (state: object, bypassTrust = false) => {
      const loaded = await loadHooks({ home, table: table(state), projectFolders: [], bypassTrust });
      return {
        all: loaded.declarations.handlers.map((handler) => [handler.command, trustOf(handler, loaded.trust)]),
        runs: loaded.runnable.map((handler) => handler.command),
        handlers: loaded.declarations.handlers,
      };
    };
    const untrusted = await load({});
    expect(untrusted.all).toEqual([
      ["in file", "untrusted"],
      ["in config", "untrusted"],
    ]);
    expect(untrusted.runs).toEqual([]);
    const [first, second] = untrusted.handlers as unknown as [
      { key: string; hash: string },
      { key: string; hash: string },
    ];
    const trusted = await load({
      [first.key]: { trusted_hash: first.hash },
      [second.key]: { trusted_hash: "sha256:other" },
    });
    expect(trusted.all).toEqual([
      ["in file", "trusted"],
      ["in config", "modified"],
    ]);
    expect(trusted.runs).toEqual(["in file"]);
    expect((await load({ [first.key]: { trusted_hash: first.hash, enabled: false } })).runs).toEqual([]);
    expect((await load({ [first.key]: { enabled: false } }, true)).runs).toEqual(["in config"]);
  });

  it("reports a file that is no hooks file and goes on", async () => {
    await writeFile(path.join(home, "hooks.json"), '{"hooks":{},"extra":1}');
    const { declarations } = await loadHooks({ home, table: table({}), projectFolders: [], bypassTrust: false });
    expect(declarations.errors).toEqual([
      { path: path.join(home, "hooks.json"), message: "extra is not a known member (known: description, hooks)" },
    ]);
    expect(declarations.handlers).toHaveLength(1);
  });
});

describe("compileMatcher", () => {
  it.each([
    [undefined, "Bash", true],
    ["", "Bash", true],
    ["*", "Bash", true],
    ["Bash", "Bash", true],
    ["Bash", "BashX", false],
    ["Read|Bash", "Bash", true],
    ["Edit|Write", "apply_patch", true],
    ["apply_patch", "apply_patch", true],
    ["^mcp__.*", "mcp__a__b", true],
    ["as.", "Bash", true],
    ["^as.", "Bash", false],
  ])("%j on %s is %s", (matcher, subject, matched) => {
    expect(compileMatcher(matcher)!(subject)).toBe(matched);
  });

  it("knows what is no expression", () => expect(compileMatcher("(")).toBeUndefined());
});

it("spells every event in three ways", () => {
  expect(
    Object.entries(HOOK_EVENTS).map(([key, { name, label }]) => key === name && label.replaceAll("-", "_") === name),
  ).not.toContain(false);
  expect(HOOK_EVENTS.user_prompt_submit).toMatchObject({ configName: "UserPromptSubmit", label: "user-prompt-submit" });
});
