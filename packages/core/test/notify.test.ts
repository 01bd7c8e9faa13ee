/** The person's own program after a turn: real processes, the real session. */
import { existsSync } from "node:fs";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { coveringStdio, LocalHost } from "@turnkit/exec-server/local-host";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { configOfText } from "../src/config/config.js";
import { ModelError, type SessionOptions } from "../src/index.js";
import type { TurnNotification } from "../src/session/turn-notifier.js";
import { type FakeReply, Gate, items, say } from "../src/testing/index.js";
import { start } from "./session-rig.js";

let place: string;
beforeEach(async () => {
  place = await mkdtemp(path.join(tmpdir(), "turnkit-notify-"));
  // What it was given goes into a file named after the turn, which is moved into place whole.
  await writeFile(
    path.join(place, "program"),
    `#!/bin/sh
for last; do :; done
turn=$(printf %s "$last" | sed 's/.*"turn-id":"\\([^"]*\\)".*/\\1/')
output=$(readlink /proc/$$/fd/1)
links=$(for each in /proc/$$/fd/*; do readlink "$each"; done | tr '\\n' ' ')
printf '%s\\n' "$#" "$1" "$last" "$output" "$links" > "${place}/$turn.part"
mv "${place}/$turn.part" "${place}/$turn"
`,
    { mode: 0o755 },
  );
});
afterEach(() => removeFolder(place));

async function open(replies: Parameters<typeof start>[0], options: Partial<SessionOptions> = {}) {
  const command = [path.join(place, "program"), "--first"];
  const rig = await start(replies, { notify: { command }, originator: "a_client", ...options });
  return { ...rig, idOfTurn: async (count: number) => (await rig.next("task_complete", count)).turn_id };
}

/** What was logged until the session's end. The failure of a start is reported a tick after it. */
async function closed({ session, warnings }: Awaited<ReturnType<typeof open>>): Promise<readonly string[]> {
  await session.shutdown();
  await setImmediate();
  return warnings;
}

const notified = (turnId: string) => vi.waitUntil(() => existsSync(path.join(place, turnId)), { timeout: 20_000 });

async function argumentsOf(turnId: string): Promise<string[]> {
  await notified(turnId);
  return (await readFile(path.join(place, turnId), "utf8")).trimEnd().split("\n");
}

test("it gets one more argument, with all that was said in the thread", async () => {
  const rig = await open([say("first answer"), items()]);
  await rig.say("one");
  const first = await rig.idOfTurn(1);
  const [count, given, json] = await argumentsOf(first);
  expect([count, given]).toEqual(["2", "--first"]);
  const same = { type: "agent-turn-complete", "thread-id": rig.session.threadId, cwd: "/", client: "a_client" };
  expect(JSON.parse(json!)).toEqual({
    ...same,
    "turn-id": first,
    "input-messages": ["one"],
    "last-assistant-message": "first answer",
  });
  await rig.say('two "quoted"\n<lines>');
  const second = await rig.idOfTurn(2);
  expect(JSON.parse((await argumentsOf(second))[2]!)).toEqual({
    ...same,
    "turn-id": second,
    "input-messages": ["one", 'two "quoted"\n<lines>'],
    "last-assistant-message": null,
  });
});

test("turns that failed, were interrupted or stopped, or are a helper's, are not told of", async () => {
  // A program that is not there cannot be started without a word in the log.
  const notify = { command: [path.join(place, "gone")] };
  const refusing = {
    preToolUse: async () => ({ type: "proceed", updatedInput: undefined, contexts: [] }) as const,
    postToolUse: async () => ({ contexts: [], blocked: false, feedback: undefined }),
    userPromptSubmit: async () => ({ blocked: true, contexts: [] }),
    stop: async () => ({ continuations: [], emptyBlock: false }),
  };
  const failure: FakeReply = () => {
    throw new ModelError("refused", { info: "bad_request", retryable: false });
  };
  const gate = new Gate();
  const failed = await open([failure], { notify });
  const stopped = await open([], { notify, hooks: refusing });
  const helper = await open([say("done")], { notify, source: { subagent: "review" } });
  for (const rig of [failed, stopped, helper]) {
    await rig.say("go");
    await rig.idOfTurn(1);
  }
  expect((await failed.next("task_complete")).error).toBeDefined();
  const interrupted = await open([gate.before(say("late"))], { notify });
  await interrupted.say("go");
  await gate.reached;
  await interrupted.session.interrupt();
  for (const rig of [failed, stopped, helper, interrupted]) expect(await closed(rig)).toEqual([]);
});

test("one that cannot be started is logged and disturbs nothing", async () => {
  const missing = await open([say("hi")], { notify: { command: [path.join(place, "gone")] } });
  await missing.say("go");
  await missing.idOfTurn(1);
  expect(await closed(missing)).toEqual([expect.stringMatching(/^the program of notify was not started: .*ENOENT/)]);
  // Longer than the system lets an argument be.
  const long = await open([say("hi")], { notify: { command: ["true", "x".repeat(2 * 1024 * 1024)] } });
  await long.say("go");
  await long.idOfTurn(1);
  expect(await closed(long)).toEqual([expect.stringMatching(/^the program of notify was not started: .*E2BIG/)]);
});

test("a long conversation loses its oldest messages, and a long message its middle", async () => {
  const rig = await open([say("a"), say("b"), say("c".repeat(300_000))]);
  const told = async (turn: number) =>
    JSON.parse((await argumentsOf(await rig.idOfTurn(turn)))[2]!) as TurnNotification;
  await rig.say("1".repeat(70_000));
  await told(1);
  await rig.say("2".repeat(70_000));
  expect((await told(2))["input-messages"]).toEqual(["2".repeat(70_000)]);
  await rig.say("\u0001".repeat(200_000));
  const { "input-messages": messages, "last-assistant-message": answer } = await told(3);
  expect(messages).toEqual([expect.stringMatching(/^\u0001+…\d+ tokens truncated…\u0001+$/)]);
  expect(answer).toMatch(/^c+…\d+ tokens truncated…c+$/);
  expect(await closed(rig)).toEqual([]);
});

test.runIf(process.platform === "linux")("it inherits neither terminals nor output of this process", async () => {
  await using host = new LocalHost();
  const environment = { PATH: "/usr/bin:/bin" };
  await host.start({ processId: "terminal", argv: ["sleep", "60"], cwd: "/", env: environment, tty: true });
  const notify = { command: [path.join(place, "program"), "-"], environment, coverDescriptors: coveringStdio };
  const rig = await open([say("hi")], { notify });
  await rig.say("go");
  const [, , , output, links] = await argumentsOf(await rig.idOfTurn(1));
  expect(output).toBe("/dev/null");
  expect(links?.split(" ").filter((link) => /ptmx|pts\//.test(link))).toEqual([]);
});

test("the key is a list of texts", () => {
  expect(configOfText('notify = ["a", "b"]', "config.toml").notify).toEqual(["a", "b"]);
  expect(configOfText("", "config.toml").notify).toEqual([]);
  for (const value of ['"a"', '["a", 1]'])
    expect(() => configOfText(`notify = ${value}`, "config.toml")).toThrow("config.toml:1: notify");
});
