/** Commands of the person's and items handed in: beside a running turn, and without one. Real processes. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { ResponseItem } from "@turnkit/protocol";
import type { HostProcessEvent, ProcessHost } from "@turnkit/protocol/exec";
import { describe, expect, it } from "vitest";
import { type RigOptions, startRig as startAnyRig } from "./helpers.js";

const message = (text: string, role = "user"): ResponseItem =>
  ({ type: "message", role, content: [{ type: "input_text", text }] }) as ResponseItem;
const say = (text: string) => ({
  items: [{ type: "message", role: "assistant", id: `msg_${text}`, content: [{ type: "output_text", text }] }],
});

/** Login shells read the profile of a home folder: not the one of whoever runs the tests. */
const startRig = (options: RigOptions = {}) =>
  startAnyRig({
    ...options,
    session: {
      exec: {
        shell: { name: "bash", path: "/bin/bash" },
        environment: { PATH: process.env.PATH, HOME: "/no/such/home" },
      },
      ...options.session,
    },
  });

type Rig = Awaited<ReturnType<typeof startRig>>;
/** Texts of a request without what the program itself tells. */
const asked = (rig: Rig, at: number) => {
  const { input } = rig.model.calls.at(at)!.body as {
    input: { type: string; role?: string; content?: { text?: string }[] }[];
  };
  return input
    .filter(({ type, role }) => type === "message" && role !== "developer")
    .map(({ content }) => (content ?? []).map(({ text }) => text ?? "").join(""))
    .filter((text) => !text.startsWith("<environment_context>"));
};
const told = (command: string, exit: number, output: string) =>
  expect.stringMatching(
    new RegExp(
      `^<user_shell_command>\\n<command>\\n${command}\\n</command>\\n<result>\\nExit code: ${exit}\\nDuration: [0-9.]+ seconds\\nOutput:\\n${output}\\n</result>\\n</user_shell_command>$`,
    ),
  );

describe("a command of the person's", () => {
  it("is a turn of its own when nothing runs, and the model reads of it with the next turn", async () => {
    await using rig = await startRig({ responses: [say("a")] });
    const id = await rig.session.runShellCommand("printf hi; exit 3");
    await rig.seen("task_complete", (event) => event.turn_id === id);
    const kinds = rig.events.map(({ type }) => type);
    expect(kinds).toEqual([
      "task_started",
      "exec_command_begin",
      "exec_command_output_delta",
      "exec_command_end",
      "task_complete",
    ]);
    expect(await rig.seen("exec_command_end")).toMatchObject({
      source: "user_shell",
      exit_code: 3,
      aggregated_output: "hi",
      status: "failed",
    });
    await rig.turn("prompt");
    expect(asked(rig, 0)).toEqual([told("printf hi; exit 3", 3, "hi"), "prompt"]);
    const kept = (await rig.rollout()).find(({ payload }) => JSON.stringify(payload).includes("user_shell_command"));
    expect(kept).toMatchObject({
      payload: {
        internal_chat_message_metadata_passthrough: { turn_id: id, content_item_kinds: ["shell.user_command"] },
      },
    });
  });

  it("runs beside a running turn, which reads of it with its next request", async () => {
    await using rig = await startRig({ responses: [{ ...say("held"), hold: true }, say("b")] });
    const id = await rig.say("prompt");
    await rig.model.waitForHold();
    expect(await rig.session.runShellCommand("echo out; echo err >&2")).toBe(id);
    await rig.seen("exec_command_end");
    rig.model.release();
    await rig.seen("task_complete", (event) => event.turn_id === id);
    expect(asked(rig, 1)).toEqual(["prompt", "held", told("echo out; echo err >&2", 0, "(out\\nerr|err\\nout)\\n")]);
  });

  it("ends with an interruption, and says so before the mark of it", async () => {
    await using rig = await startRig({ responses: [say("a")] });
    await rig.session.runShellCommand("echo start; sleep 60");
    await rig.seen("exec_command_output_delta");
    await rig.session.interrupt();
    expect(await rig.seen("exec_command_end")).toMatchObject({
      exit_code: -1,
      aggregated_output: "command aborted by user",
    });
    await rig.turn("prompt");
    expect(asked(rig, 0)).toEqual([
      told("echo start; sleep 60", -1, "command aborted by user"),
      expect.stringMatching(/^<turn_aborted>/),
      "prompt",
    ]);
  });

  it("takes input meanwhile, which is answered after it", async () => {
    await using rig = await startRig({ responses: [say("a")] });
    const id = await rig.session.runShellCommand("until [ -e go ]; do sleep 0.05; done");
    await rig.seen("exec_command_begin");
    expect(await rig.say("steered")).toBe(id);
    await writeFile(path.join(rig.cwd, "go"), "");
    await rig.seen("task_complete", (event) => event.turn_id === id);
    expect(asked(rig, 0)).toEqual([expect.stringMatching(/^<user_shell_command>/), "steered"]);
  });

  it("that cannot be started says why", async () => {
    await using rig = await startRig({ settings: { cwd: "/no/such/folder" } });
    await rig.session.runShellCommand("true");
    const end = await rig.seen("exec_command_end");
    expect(end.exit_code).toBe(-1);
    expect(end.aggregated_output).toMatch(/^the command could not be started: .+/);
  });

  it("that has ended before anybody listens is seen to its end", async () => {
    const replayed = [
      { type: "output", seq: 1, stream: "stdout", bytes: Buffer.from("quick") },
      { type: "exited", seq: 2, exitCode: 0, sandboxDenied: false },
      { type: "closed", seq: 3 },
    ] as const;
    const host = {
      environment: async () => ({ shell: { name: "bash", path: "/bin/bash" }, cwd: "/", tempDir: "/tmp" }),
      start: async () => ({
        processId: "p",
        subscribe: (listener: (event: HostProcessEvent) => void) => {
          for (const event of replayed) listener(event);
          return () => {};
        },
      }),
      async [Symbol.asyncDispose]() {},
    } as unknown as ProcessHost;
    await using rig = await startRig({ session: { processHost: host } });
    await rig.session.runShellCommand("true");
    expect(await rig.seen("exec_command_end")).toMatchObject({ exit_code: 0, aggregated_output: "quick" });
  });

  it("without a process host is told to the model as a failure", async () => {
    await using rig = await startRig({ session: { processHost: null } });
    await rig.session.runShellCommand("true");
    expect((await rig.seen("exec_command_end")).aggregated_output).toBe("this session runs no commands");
  });
});

describe("items handed in", () => {
  it("are in the history and in the file at once when nothing runs", async () => {
    await using rig = await startRig({ responses: [say("a")] });
    await rig.session.injectItems([message("one"), message("two")]);
    expect(rig.session.snapshot().isMaterialized).toBe(true);
    expect((await rig.rollout()).map(({ type }) => type)).toEqual(["session_meta", "response_item", "response_item"]);
    expect(rig.events).toEqual([]);
    await rig.turn("prompt");
    expect(asked(rig, 0)).toEqual(["one", "two", "prompt"]);
  });

  it("are taken by a running turn, which asks again", async () => {
    await using rig = await startRig({ responses: [{ ...say("held"), hold: true }, say("b")] });
    const id = await rig.say("prompt");
    await rig.model.waitForHold();
    await rig.session.injectItems([message("more")]);
    rig.model.release();
    await rig.seen("task_complete", (event) => event.turn_id === id);
    expect(asked(rig, 1)).toEqual(["prompt", "held", "more"]);
  });

  it("are refused together when one of them is no item", async () => {
    await using rig = await startRig();
    const broken = { type: "message", role: "user" } as unknown as ResponseItem;
    await expect(rig.session.injectItems([message("one"), broken])).rejects.toThrow(/^items\[1\]\.?content /);
    expect(rig.session.snapshot().isMaterialized).toBe(false);
  });
});
