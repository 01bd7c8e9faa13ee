import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { HookRunSummary } from "@turnkit/protocol";
import type { ToolTurn } from "@turnkit/tools";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { systemClock } from "../clock.js";
import { readHooksTable } from "./hook-config.js";
import { HookRunner } from "./hook-runner.js";
import { CommandSessionHooks, hookShell } from "./session-hooks.js";

let folder: string;
let events: (readonly ["start" | "end", HookRunSummary])[];
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "session-hooks-"));
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(async () => {
  events = [];
  await rm(path.join(folder, "released"), { force: true });
});

function hooks(table: unknown, isRootThread = true) {
  const { handlers, errors } = readHooksTable(table, "/h/hooks.json", "user");
  expect(errors).toEqual([]);
  const runner = new HookRunner({
    handlers,
    clock: systemClock,
    logger: { warn: () => {}, info: () => {} },
    shell: "/bin/sh",
    environment: process.env,
    spillFolder: path.join(folder, "spilled"),
    reportStart: (_, run) => events.push(["start", run]),
    reportEnd: (_, run) => events.push(["end", run]),
  });
  const session = new CommandSessionHooks(runner, () => ({
    sessionId: "session",
    transcriptPath: "/t.jsonl",
    cwd: folder,
    model: "m",
    bypassesPermissions: true,
    isRootThread,
  }));
  return { session, runner };
}

const command = (text: string, more: object = {}) => ({ hooks: [{ type: "command", command: text, ...more }] });
const says = (value: unknown) => command(`cat >/dev/null; cat <<'END'\n${JSON.stringify(value)}\nEND`);
const signal = new AbortController().signal;
const turn: ToolTurn = { id: "t", mode: "default", cwd: "/", isRootThread: true, outputTokenLimit: 1 };
const bash = { toolName: "Bash", toolUseId: "call", toolInput: { command: "ls" } };

/** A process that has ended and that nobody has asked about yet does not count. */
async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  return stat !== undefined && !/\) Z /.test(stat);
}

describe("hooks that run as commands", () => {
  it("get their event as JSON", async () => {
    const { session } = hooks({
      UserPromptSubmit: [command("cat > input.json")],
      PostToolUse: [command("cat > tool.json")],
    });
    await session.userPromptSubmit("do it", "t", signal);
    expect(JSON.parse(await readFile(path.join(folder, "input.json"), "utf8"))).toEqual({
      session_id: "session",
      turn_id: "t",
      transcript_path: "/t.jsonl",
      cwd: folder,
      hook_event_name: "UserPromptSubmit",
      model: "m",
      permission_mode: "bypassPermissions",
      prompt: "do it",
    });
    await session.postToolUse({ ...bash, toolResponse: "out" }, turn, signal);
    expect(JSON.parse(await readFile(path.join(folder, "tool.json"), "utf8"))).toMatchObject({
      hook_event_name: "PostToolUse",
      tool_name: "Bash",
      tool_input: { command: "ls" },
      tool_use_id: "call",
      tool_response: "out",
    });
  });

  /** A command that lasts until the test has seen another one end. */
  const untilReleased = "until [ -e released ]; do sleep 0.02; done";
  async function releaseAfterFirstEnd(): Promise<void> {
    await vi.waitFor(() => expect(events.some(([when]) => when === "end")).toBe(true), { timeout: 20_000 });
    await writeFile(path.join(folder, "released"), "");
  }

  it("PreCompact, PostCompact and SessionStart get what the reference gives them", async () => {
    const file = (name: string) => path.join(folder, `${name}.json`);
    const keeps = (name: string) => [command(`cat > ${file(name)}`)];
    const { session } = hooks({
      PreCompact: keeps("pre"),
      PostCompact: keeps("post"),
      SessionStart: keeps("start"),
    });
    expect(await session.preCompact("auto", "t", signal)).toBe(true);
    await session.postCompact("manual", "t", signal);
    await session.sessionStart("compact", "t", signal);
    const read = async (name: string) => JSON.parse(await readFile(file(name), "utf8"));
    const common = { session_id: "session", transcript_path: "/t.jsonl", cwd: folder, model: "m" };
    expect(await read("pre")).toEqual({ ...common, turn_id: "t", hook_event_name: "PreCompact", trigger: "auto" });
    expect(await read("post")).toEqual({ ...common, turn_id: "t", hook_event_name: "PostCompact", trigger: "manual" });
    expect(await read("start")).toEqual({
      ...common,
      hook_event_name: "SessionStart",
      permission_mode: "bypassPermissions",
      source: "compact",
    });
  });

  it("PreCompact may stop the compaction", async () => {
    const { session } = hooks({ PreCompact: [says({ continue: false, stopReason: "no" })] });
    expect(await session.preCompact("auto", "t", signal)).toBe(false);
  });

  it("report their start and end, in configured order", async () => {
    const { session } = hooks({
      PreToolUse: [{ ...command(`${untilReleased}; exit 7`), matcher: "Bash" }, command("exit 0")],
    });
    const outcome = session.preToolUse(bash, turn, signal);
    await releaseAfterFirstEnd();
    await outcome;
    expect(events.map(([when, run]) => [when, run.id, run.status, run.entries])).toEqual([
      ["start", "pre-tool-use:0:/h/hooks.json:call", "running", []],
      ["start", "pre-tool-use:1:/h/hooks.json:call", "running", []],
      ["end", "pre-tool-use:1:/h/hooks.json:call", "completed", []],
      ["end", "pre-tool-use:0:/h/hooks.json:call", "failed", [{ kind: "error", text: "hook exited with code 7" }]],
    ]);
  });

  it("block a tool by the first reason in order, whoever is quicker", async () => {
    const { session } = hooks({
      PreToolUse: [command("cat >/dev/null; sleep 0.1; echo slow >&2; exit 2"), command("echo quick >&2; exit 2")],
    });
    expect(await session.preToolUse(bash, turn, signal)).toEqual({ type: "blocked", reason: "slow", contexts: [] });
  });

  it("rewrite by the last to end, and run only where their matcher says", async () => {
    const rewrite = (text: string, before: string) => {
      const output = JSON.stringify({
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "allow",
          updatedInput: { command: text },
        },
      });
      return { ...command(`${before}; echo '${output}'`), matcher: "Bash" };
    };
    const { session } = hooks({ PreToolUse: [rewrite("late", untilReleased), rewrite("early", "true")] });
    const outcome = session.preToolUse(bash, turn, signal);
    await releaseAfterFirstEnd();
    expect(await outcome).toMatchObject({
      updatedInput: { value: { command: "late" } },
    });
    expect(await session.preToolUse({ ...bash, toolName: "update_plan" }, turn, signal)).toMatchObject({
      updatedInput: undefined,
    });
  });

  it("are ended with everything they started when their time is up", async () => {
    const { session } = hooks({ UserPromptSubmit: [command("sleep 60 & echo $! > child; wait", { timeout: 1 })] });
    const outcome = await session.userPromptSubmit("x", "t", signal);
    expect(outcome).toEqual({ blocked: false, contexts: [] });
    expect(events.at(-1)![1]).toMatchObject({ status: "failed", entries: [{ text: "hook timed out after 1s" }] });
    const child = Number(await readFile(path.join(folder, "child"), "utf8"));
    await vi.waitFor(async () => expect(await isAlive(child)).toBe(false));
  });

  it.each(["sleep 60", "exec 0<&-; sleep 60", "head -c 1 >/dev/null; sleep 60"])(
    "are ended when their time is up though more input waits than they read: %s",
    async (text) => {
      const { session } = hooks({ UserPromptSubmit: [command(text, { timeout: 1 })] });
      const outcome = await session.userPromptSubmit("x".repeat(1_000_000), "t", signal);
      expect(outcome).toEqual({ blocked: false, contexts: [] });
      expect(events.at(-1)![1]).toMatchObject({ status: "failed", entries: [{ text: "hook timed out after 1s" }] });
    },
  );

  it.each(["true", "exec 0<&-", "head -c 1 >/dev/null"])("need not read what they are told: %s", async (text) => {
    const { session } = hooks({ UserPromptSubmit: [command(text)] });
    await session.userPromptSubmit("x".repeat(1_000_000), "t", signal);
    expect(events.at(-1)![1]).toMatchObject({ status: "completed", entries: [] });
  });

  it("that no process can be given fail, and nothing else does", async () => {
    const { session } = hooks({ UserPromptSubmit: [command("echo a\0b")] });
    expect(await session.userPromptSubmit("x", "t", signal)).toEqual({ blocked: false, contexts: [] });
    expect(events.at(-1)![1]).toMatchObject({
      status: "failed",
      entries: [{ text: expect.stringMatching(/null bytes/) }],
    });
  });

  it("leave helpers alone that they started on purpose", async () => {
    const { session } = hooks({ UserPromptSubmit: [command("sleep 60 & echo $! > helper; echo ready")] });
    expect(await session.userPromptSubmit("x", "t", signal)).toEqual({ blocked: false, contexts: ["ready"] });
    const helper = Number(await readFile(path.join(folder, "helper"), "utf8"));
    expect(await isAlive(helper)).toBe(true);
    process.kill(helper, "SIGKILL");
  });

  it("end with their turn", async () => {
    const abort = new AbortController();
    const { session } = hooks({ UserPromptSubmit: [command("sleep 60")] });
    const outcome = session.userPromptSubmit("x", "t", abort.signal);
    await vi.waitFor(() => expect(events).toHaveLength(1));
    abort.abort();
    expect(await outcome).toEqual({ blocked: false, contexts: [] });
  });

  it("need not read their input", async () => {
    const { session } = hooks({ UserPromptSubmit: [command("exec 0<&-; exit 0")] });
    expect(await session.userPromptSubmit("x".repeat(1_000_000), "t", signal)).toEqual({
      blocked: false,
      contexts: [],
    });
    expect(events.at(-1)![1].status).toBe("completed");
  });

  it("have long texts cut and kept in a file", async () => {
    const { session } = hooks({
      UserPromptSubmit: [command("head -c 20000 /dev/zero | tr '\\0' 'x'"), command("echo short")],
    });
    const { contexts } = await session.userPromptSubmit("x", "t", signal);
    const [file] = await readdir(path.join(folder, "spilled"));
    const saved = path.join(folder, "spilled", file!);
    expect(contexts[0]).toMatch(new RegExp(`tokens truncated…x+\n\nFull hook output saved to: ${saved}$`));
    expect((await readFile(saved, "utf8")).length).toBe(20_000);
    expect(contexts[1]).toBe("short");
  });
});

describe("decisions of a session", () => {
  it("Stop: every block is a prompt to go on with, under the id of its run; a stop outweighs them", async () => {
    const { session } = hooks({
      Stop: [says({ decision: "block", reason: "one" }), says({ decision: "block", reason: "two" })],
    });
    const ask = { turnId: "t", stopHookActive: false, lastMessage: null };
    expect(await session.stop(ask, signal)).toEqual({
      continuations: [
        { text: "one", hookRunId: "stop:0:/h/hooks.json" },
        { text: "two", hookRunId: "stop:1:/h/hooks.json" },
      ],
      emptyBlock: false,
    });
    const stopped = hooks({ Stop: [says({ decision: "block", reason: "one" }), says({ continue: false })] });
    expect(await stopped.session.stop(ask, signal)).toEqual({ continuations: [], emptyBlock: false });
  });

  it("sub-agents have their own stop event, and no Interrupt", async () => {
    const { session } = hooks(
      { SubagentStop: [says({ decision: "block", reason: "more" })], Interrupt: [command("exit 1")] },
      false,
    );
    const outcome = await session.stop({ turnId: "t", stopHookActive: true, lastMessage: "m" }, signal);
    expect(outcome.continuations).toHaveLength(1);
    events = [];
    await session.interrupted("t");
    expect(events).toEqual([]);
  });

  it("PostToolUse: a block withholds, a stop replaces", async () => {
    const block = hooks({ PostToolUse: [says({ decision: "block", reason: "no" })] });
    expect(await block.session.postToolUse({ ...bash, toolResponse: "" }, turn, signal)).toEqual({
      contexts: [],
      blocked: true,
      feedback: "no",
    });
    const stop = hooks({ PostToolUse: [says({ continue: false, stopReason: "enough" })] });
    expect(await stop.session.postToolUse({ ...bash, toolResponse: "" }, turn, signal)).toEqual({
      contexts: [],
      blocked: false,
      feedback: "enough",
    });
  });

  it("PermissionRequest: a denial outweighs an approval", async () => {
    const decide = (decision: object) => says({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } });
    const request = { toolName: "Bash", toolInput: {}, turnId: "t" };
    const both = hooks({
      PermissionRequest: [decide({ behavior: "allow" }), decide({ behavior: "deny", message: "no" })],
    });
    expect(await both.session.permissionRequest(request, signal)).toEqual({ decision: "deny", message: "no" });
    const one = hooks({ PermissionRequest: [decide({ behavior: "allow" })] });
    expect(await one.session.permissionRequest(request, signal)).toEqual({ decision: "allow", message: undefined });
  });

  it("hooks in the background decide nothing; what they say is told later", async () => {
    const { session, runner } = hooks({ UserPromptSubmit: [command("echo late", { async: true })] });
    expect(await session.userPromptSubmit("x", "t", signal)).toEqual({ blocked: false, contexts: [] });
    await runner.backgroundIdle();
    expect(events).toEqual([]);
    expect(session.takeBackgroundContexts()).toEqual(["late"]);
    expect(session.takeBackgroundContexts()).toEqual([]);
  });

  it("SessionEnd ends what still runs in the background", async () => {
    const { session } = hooks({
      UserPromptSubmit: [command("sleep 60", { async: true })],
      SessionEnd: [command("cat > end.json")],
    });
    await session.userPromptSubmit("x", "t", signal);
    await session.sessionEnd();
    expect(JSON.parse(await readFile(path.join(folder, "end.json"), "utf8"))).toEqual({
      session_id: "session",
      transcript_path: "/t.jsonl",
      cwd: folder,
      hook_event_name: "SessionEnd",
      reason: "other",
    });
  });
});

it("uses shells that take a command line, else the plain one", async () => {
  await writeFile(path.join(folder, "x"), "");
  expect([hookShell("/bin/zsh"), hookShell("/usr/bin/nu"), hookShell(undefined)]).toEqual([
    "/bin/zsh",
    "/bin/sh",
    "/bin/sh",
  ]);
});
