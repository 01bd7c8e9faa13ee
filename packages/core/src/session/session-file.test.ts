/** What a session keeps on disk, at the session's port: when it is there, and what happens when it cannot be written. */
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { start, types } from "../../test/session-rig.js";
import { createSession } from "../index.js";
import { FileThreadStore, readThread } from "../rollout/index.js";
import { FakeModel, Gate, items, say, toolCall } from "../testing/index.js";
import type { SessionHooks } from "./session-options.js";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), "turnkit-session-file-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const lines = (file: string) =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map(
      (line) => JSON.parse(line) as { type: string; payload: { type?: string; turn_id?: string; message?: string } },
    );

const events = (file: string, type: string) =>
  lines(file).flatMap(({ payload }) => (payload.type === type ? [payload] : []));

test("a turn is in the file before its end is told, completed or interrupted; nothing is there before the first words", async () => {
  const gate = new Gate();
  const {
    session,
    say: send,
    next,
  } = await start([say("one"), gate.before(say("two"))], {
    store: new FileThreadStore(home),
  });
  const file = session.snapshot().rolloutPath!;
  const atEnd: (string | undefined)[] = [];
  session.subscribe(({ msg }) => {
    if (msg.type === "task_complete" || msg.type === "turn_aborted") atEnd.push(lines(file).at(-1)?.payload.type);
  });
  await session.flush();
  expect([existsSync(file), session.snapshot().isMaterialized]).toEqual([false, false]);
  await send("go");
  await next("task_complete");
  await send("again");
  await gate.reached;
  await session.interrupt();
  expect(atEnd).toEqual(["task_complete", "turn_aborted"]);
  await session.shutdown();
});

test("a file that cannot be written is a warning, and is written as soon as it can be", async () => {
  await writeFile(path.join(home, "sessions"), "no folder");
  const { session, say: send, next, events: seen } = await start([], { store: new FileThreadStore(home) });
  const file = session.snapshot().rolloutPath!;
  await send("one");
  await next("task_complete");
  const warning = seen.find((event) => event.type === "warning");
  expect(warning).toMatchObject({
    message: expect.stringMatching(
      /^Failed to save the conversation transcript; Turnkit will continue retrying\. Error: E(NOTDIR|EXIST)/,
    ),
  });
  expect(types(seen).indexOf("warning")).toBeLessThan(types(seen).indexOf("task_complete"));
  await rm(path.join(home, "sessions"));
  await send("two");
  await next("task_complete", 2);
  expect(seen.filter((event) => event.type === "warning")).toHaveLength(1);
  expect(events(file, "user_message").map(({ message }) => message)).toEqual(["one", "two"]);
  expect(events(file, "task_complete")).toHaveLength(2);
  expect(lines(file)[0]?.type).toBe("session_meta");
  await session.shutdown();
});

test("a thread that another program writes is not gone on with", async () => {
  const { session, say: send, next } = await start([], { store: new FileThreadStore(home) });
  await send("one");
  await next("task_complete");
  const file = session.snapshot().rolloutPath!;
  await session.shutdown();
  const { history, meta } = await readThread(file);
  const lock = path.join(home, "tmp/session-locks", `${path.basename(file)}.lock`);
  await writeFile(lock, `${process.ppid}\n`);
  const resume = () =>
    createSession({
      modelClient: new FakeModel(),
      store: new FileThreadStore(home),
      settings: session.snapshot().settings,
      history,
      threadId: meta!.id,
    });
  await expect(resume()).rejects.toMatchObject({ name: "SessionInUseError", pid: process.ppid });
  await rm(lock);
  const second = await resume();
  expect(await readdir(path.dirname(lock))).toEqual([path.basename(lock)]);
  await second.shutdown();
  expect(await readdir(path.dirname(lock))).toEqual([]);
});

test("a question that was open when the program ended is answered as aborted", async () => {
  const question = { id: "q", header: "H", question: "Q?", options: [{ label: "Yes", description: "d" }] };
  const {
    session,
    say: send,
    next,
  } = await start([items(toolCall("request_user_input", { questions: [question] }, "ask"))], {
    store: new FileThreadStore(home),
    features: { defaultModeQuestions: true },
  });
  await send("go");
  await next("request_user_input");
  await session.flush();
  const stored = await readThread(session.snapshot().rolloutPath!);
  expect(stored.history.items.slice(-2)).toMatchObject([
    { type: "function_call", call_id: "ask" },
    { type: "function_call_output", call_id: "ask", output: "aborted" },
  ]);
  expect(events(session.snapshot().rolloutPath!, "request_user_input")).toEqual([]);
  await session.shutdown();
});

describe("hooks that fail", () => {
  const hooks = (fail: () => Promise<never>): SessionHooks => ({
    preToolUse: async () => ({ type: "proceed", updatedInput: undefined, contexts: [] }),
    postToolUse: async () => ({ contexts: [], blocked: false, feedback: undefined }),
    userPromptSubmit: async () => ({ blocked: false, contexts: [] }),
    stop: async () => ({ continuations: [], emptyBlock: false }),
    interrupted: fail,
    sessionEnd: fail,
  });

  test.each([
    ["later", () => Promise.reject(new Error("broken"))],
    [
      "at once",
      () => {
        throw new Error("broken");
      },
    ],
  ] as const)("%s keep neither a turn nor a session from ending, nor the file from being whole", async (_, fail) => {
    const gate = new Gate();
    const store = new FileThreadStore(home);
    const rig = await start([gate.before(say("one")), say("two")], { store, hooks: hooks(fail) });
    const file = rig.session.snapshot().rolloutPath!;
    await rig.say("go");
    await gate.reached;
    await rig.session.interrupt();
    expect(rig.session.snapshot().activeTurnId).toBeNull();
    await rig.say("again");
    await rig.next("task_complete");
    await rig.session.shutdown();
    expect(types(rig.events).at(-1)).toBe("shutdown_complete");
    expect(rig.warnings.filter((warning) => warning.includes("broken"))).toEqual([
      "the hooks of an interruption failed: Error: broken",
      "the hooks of the session's end failed: Error: broken",
    ]);
    expect(lines(file).at(-1)?.payload.type).toBe("task_complete");
    // Its lock is free again.
    const { history } = await readThread(file);
    await using next = await createSession({
      modelClient: new FakeModel(),
      settings: rig.session.snapshot().settings,
      store,
      history,
      threadId: rig.session.threadId,
    });
    expect(next.snapshot().rolloutPath).toBe(file);
  });
});
