/** Every hook event as whole sessions fire it, with commands that write down what they are told. */
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { functionCall, message } from "@turnkit/core/scripted-model";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { afterAll, expect, test } from "vitest";
import { createResponsesClient, createSession, loadHooks, type SessionOptions } from "../src/index.js";
import { FileThreadStore, readThread } from "../src/rollout/index.js";
import { provider, type Rig, settings, startRig } from "./helpers.js";

const EVENTS = [
  ...["SessionStart", "UserPromptSubmit", "PreToolUse", "PermissionRequest", "PostToolUse"],
  ...["PreCompact", "PostCompact", "Stop", "Interrupt", "SessionEnd", "SubagentStart", "SubagentStop"],
];

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => removeFolder(folder))));

type Told = { hook_event_name: string } & Record<string, unknown>;

async function hooks(folder: string, table: Record<string, unknown> = {}) {
  const log = path.join(folder, "told.jsonl");
  const record = { hooks: [{ type: "command", command: `{ cat; echo; } >> ${log}` }] };
  const file = { hooks: { ...Object.fromEntries(EVENTS.map((event) => [event, [record]])), ...table } };
  await writeFile(path.join(folder, "hooks.json"), JSON.stringify(file));
  const loaded = await loadHooks({ home: folder, table: {}, projectFolders: [], bypassTrust: true });
  expect(loaded.declarations.errors).toEqual([]);
  const told = async () =>
    (await readFile(log, "utf8").catch(() => ""))
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Told);
  // Nobody's profile: a login shell would read it for every hook.
  const environment = { PATH: process.env.PATH, HOME: folder, SHELL: "/bin/sh" };
  return {
    session: { commandHooks: { handlers: loaded.runnable, environment } } satisfies Partial<SessionOptions>,
    told,
    names: async () => (await told()).map(({ hook_event_name: name }) => name),
    lastly: async (name: string) => (await told()).findLast((each) => each.hook_event_name === name),
  };
}

async function rigWithHooks(more: Partial<SessionOptions> = {}, table: Record<string, unknown> = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), "turnkit-hooks-"));
  folders.push(folder);
  const hook = await hooks(folder, table);
  const rig = await startRig({ session: { ...hook.session, ...more } });
  return { rig, hook };
}

async function again(rig: Rig, more: Partial<SessionOptions>) {
  const stored = await readThread(rig.session.snapshot().rolloutPath!);
  return await createSession({
    modelClient: createResponsesClient({ provider: provider(rig.model), environment: {}, userAgent: "test" }),
    store: new FileThreadStore(rig.home),
    settings: settings(rig.cwd),
    history: stored.history,
    threadId: rig.session.threadId,
    ...more,
  });
}

test("a turn with a command fires its events in order, the first after SessionStart", async () => {
  const { rig, hook } = await rigWithHooks();
  rig.model.push(
    { items: [functionCall("exec_command", { cmd: "echo hi", login: false }, "call")] },
    { items: [message("done")] },
    { items: [message("again")] },
  );
  await rig.turn("go");
  await rig.turn("more");
  expect(await hook.names()).toEqual([
    ...["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"],
    ...["UserPromptSubmit", "Stop"],
  ]);
  const { rolloutPath, threadId } = rig.session.snapshot();
  const shared = { session_id: threadId, transcript_path: rolloutPath, cwd: rig.cwd };
  const inTurn = { ...shared, model: "gpt-5.4", permission_mode: "bypassPermissions", turn_id: expect.any(String) };
  expect(await hook.lastly("SessionStart")).toEqual({
    ...shared,
    model: "gpt-5.4",
    permission_mode: "bypassPermissions",
    hook_event_name: "SessionStart",
    source: "startup",
  });
  expect(await hook.lastly("PostToolUse")).toEqual({
    ...inTurn,
    hook_event_name: "PostToolUse",
    tool_name: "Bash",
    tool_input: { command: "echo hi" },
    tool_use_id: "call",
    tool_response: "hi\n",
  });
  expect(await hook.lastly("Stop")).toMatchObject({
    ...inTurn,
    stop_hook_active: false,
    last_assistant_message: "again",
  });
  await rig[Symbol.asyncDispose]();
  expect(await hook.lastly("SessionEnd")).toEqual({ ...shared, hook_event_name: "SessionEnd", reason: "other" });
  expect((await hook.names()).filter((name) => name === "SessionEnd")).toHaveLength(1);
});

test("SessionStart says how the session began: startup, clear, resume, compact", async () => {
  const { rig, hook } = await rigWithHooks({ startSource: "clear" });
  const source = async () => (await hook.lastly("SessionStart"))?.source;
  rig.model.push({ items: [message("one")] }, { items: [message("summary")] }, { items: [message("two")] });
  await rig.turn("go");
  expect(await source()).toBe("clear");
  const compaction = await rig.session.compact();
  await rig.seen("task_complete", ({ turn_id }) => turn_id === compaction);
  await rig.turn("on");
  expect(await source()).toBe("compact");
  expect((await hook.names()).slice(3, 5)).toEqual(["PreCompact", "PostCompact"]);
  expect(await hook.lastly("PreCompact")).toMatchObject({ trigger: "manual" });
  await rig.session.shutdown();
  const second = await again(rig, hook.session);
  rig.model.push({ items: [message("three")] });
  const done = new Promise<void>((resolve) => second.subscribe(({ msg }) => msg.type === "task_complete" && resolve()));
  await second.submit(
    { input: { UserInput: { content: [{ type: "text", text: "x", text_elements: [] }], client_id: null } } },
    "StartOrSteer",
  );
  await done;
  expect(await source()).toBe("resume");
  await second.shutdown();
  expect((await hook.names()).filter((name) => name === "SessionEnd")).toHaveLength(2);
  await rig[Symbol.asyncDispose]();
});

test("what SessionStart says the model reads once, before the first words; a stop ends the turn unasked", async () => {
  const says = { hooks: [{ type: "command", command: "cat > /dev/null; echo from the start" }] };
  const { rig } = await rigWithHooks({}, { SessionStart: [says] });
  rig.model.push({ items: [message("one")] }, { items: [message("two")] });
  await rig.turn("go");
  await rig.turn("on");
  const texts = JSON.stringify(rig.model.calls.at(-1)!.body);
  expect(texts.split("from the start")).toHaveLength(2);
  expect(texts.indexOf("from the start")).toBeLessThan(texts.indexOf('"go"'));
  await rig[Symbol.asyncDispose]();

  const stops = {
    hooks: [{ type: "command", command: `cat > /dev/null; echo '{"continue":false,"stopReason":"no"}'` }],
  };
  const { rig: stopped } = await rigWithHooks({}, { SessionStart: [stops] });
  await stopped.turn("go");
  expect(stopped.model.calls).toEqual([]);
  stopped.model.push({ items: [message("later")] });
  await stopped.turn("again");
  expect(stopped.model.calls).toHaveLength(1);
  await stopped[Symbol.asyncDispose]();
});

test("PermissionRequest comes before the person and may answer; Interrupt follows an interruption", async () => {
  const denies = {
    matcher: "Bash",
    hooks: [
      {
        type: "command",
        command: `cat > /dev/null; echo '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"not today"}}}'`,
      },
    ],
  };
  const { rig, hook } = await rigWithHooks(
    { settings: settings("/tmp", { approval_policy: "untrusted" }) },
    { PermissionRequest: [denies] },
  );
  rig.model.push(
    { items: [functionCall("exec_command", { cmd: "echo hi", login: false }, "call")] },
    { items: [message("done")] },
  );
  await rig.turn("go");
  expect(rig.events.filter(({ type }) => type === "exec_approval_request")).toEqual([]);
  expect(rig.outputOf("call")).toContain("not today");
  rig.model.push({ items: [functionCall("exec_command", { cmd: "sleep 600", login: false }, "long")] });
  await rig.session.updateSettings({ approval_policy: "never" });
  await rig.say("long");
  await rig.seen("exec_command_begin");
  await rig.session.interrupt();
  expect((await hook.names()).at(-1)).toBe("Interrupt");
  expect((await hook.lastly("Interrupt"))?.permission_mode).toBe("bypassPermissions");
  await rig[Symbol.asyncDispose]();
});

test("sub-agents have events of their own", async () => {
  const { rig, hook } = await rigWithHooks({ source: { subagent: "review" } });
  rig.model.push({ items: [message("done")] });
  await rig.turn("go");
  expect(await hook.names()).toEqual(["SubagentStart", "UserPromptSubmit", "SubagentStop"]);
  await rig[Symbol.asyncDispose]();
});

test("exit code 2 blocks, a long context is kept in a file, and one in the background is told later", async () => {
  const blocks = {
    matcher: "Bash",
    hooks: [{ type: "command", command: "cat > /dev/null; echo forbidden >&2; exit 2" }],
  };
  const long = { hooks: [{ type: "command", command: "cat > /dev/null; seq 1 20000" }] };
  const later = { hooks: [{ type: "command", async: true, command: "cat > /dev/null; echo from the background" }] };
  const { rig } = await rigWithHooks({}, { PreToolUse: [blocks], SessionStart: [long], UserPromptSubmit: [later] });
  rig.model.push(
    { items: [functionCall("exec_command", { cmd: "echo hi", login: false }, "call")] },
    { items: [message("done")] },
  );
  await rig.turn("go");
  expect(rig.outputOf("call")).toBe("Command blocked by PreToolUse hook: forbidden. Command: echo hi");
  const spilled = /Full hook output saved to: ([^"\\]+)/.exec(JSON.stringify(rig.model.calls[0]!.body))?.[1];
  expect((await readFile(spilled!, "utf8")).trim().split("\n")).toHaveLength(20_000);
  for (let at = 0; !JSON.stringify(rig.model.calls.at(-1)!.body).includes("from the background"); at++) {
    expect(at).toBeLessThan(100);
    rig.model.push({ items: [message(`turn ${at}`)] });
    await rig.turn(`again ${at}`);
  }
  await rig[Symbol.asyncDispose]();
});
