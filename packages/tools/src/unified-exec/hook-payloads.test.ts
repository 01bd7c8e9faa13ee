/** Which calls of commands hooks are shown, and as what. */
import { describe, expect, test } from "vitest";
import { during, setup } from "../../test/exec-test-rig.js";
import { callContext, functionToolCall } from "../testing/index.js";
import { createExecCommandTool } from "./exec-command.js";
import { createWriteStdinTool } from "./write-stdin.js";

function tools() {
  const rig = setup();
  const exec = createExecCommandTool({
    exec: rig.exec,
    authorizer: { authorize: async () => ({ type: "run", sandbox: null }) },
    defaultShell: { name: "bash", path: "/bin/bash" },
    resolveShell: async (path) => ({ name: "bash", path }),
    loginAllowed: true,
    additionalPermissions: false,
    environment: () => ({}),
    resolvePath: (base, path) => `${base}/${path}`,
  });
  const write = createWriteStdinTool({ exec: rig.exec });
  const run = (args: object, callId = "exec-call", ms = 400) =>
    during(rig.clock, exec.run(functionToolCall("exec_command", args, callId), callContext()), ms);
  const poll = (args: object, callId: string, ms = 5_000) =>
    during(rig.clock, write.run(functionToolCall("write_stdin", args, callId), callContext()), ms);
  return { ...rig, exec, write, run, poll };
}

describe("before a call", () => {
  test("exec_command is Bash with its command; what cannot be parsed is not shown", () => {
    const { exec } = tools();
    expect(exec.preToolUse(functionToolCall("exec_command", { cmd: "ls", tty: true }))).toEqual({
      toolName: "Bash",
      toolUseId: "call-1",
      toolInput: { command: "ls" },
    });
    expect(exec.preToolUse(functionToolCall("exec_command", "not json"))).toBeUndefined();
    expect(exec.preToolUse(functionToolCall("exec_command", {}))).toBeUndefined();
  });

  test("write_stdin is not shown", () => {
    expect(tools().write.preToolUse(functionToolCall("write_stdin", { session_id: 1 }))).toBeUndefined();
  });

  test("a rewrite replaces the command alone, and needs one", () => {
    const { exec } = tools();
    const call = functionToolCall("exec_command", { cmd: "ls", tty: true });
    expect(exec.withUpdatedInput(call, { command: "pwd" })).toEqual(
      functionToolCall("exec_command", { cmd: "pwd", tty: true }),
    );
    for (const wrong of [{}, { command: 1 }, null])
      expect(() => exec.withUpdatedInput(call, wrong)).toThrow(
        "hook returned updatedInput without string field `command`",
      );
  });
});

describe("after a call", () => {
  test("a command that has ended is shown with its output alone, whatever its code", async () => {
    const { host, run } = tools();
    host.onStart = (process) => {
      process.print("out\n");
      process.exit(3);
    };
    expect((await run({ cmd: "build" }, "first", 0)).postToolUse).toEqual({
      toolName: "Bash",
      toolUseId: "first",
      toolInput: { command: "build" },
      toolResponse: "out\n",
    });
  });

  test("a live one is shown by nobody, then once, under its first call, by the call that sees the end", async () => {
    const { host, run, poll } = tools();
    const started = await run({ cmd: "serve", tty: true, yield_time_ms: 250 }, "first");
    expect(started).toMatchObject({ success: true, postToolUse: undefined });
    const session_id = Number(/session ID (\d+)/.exec(started.body as string)?.[1]);
    expect((await poll({ session_id }, "second")).postToolUse).toBeUndefined();
    host.processes[0]!.print("bye");
    host.processes[0]!.exit(0);
    expect((await poll({ session_id }, "third")).postToolUse).toEqual({
      toolName: "Bash",
      toolUseId: "first",
      toolInput: { command: "serve" },
      toolResponse: "bye",
    });
  });

  test("what hooks see is cut as for the model", async () => {
    const { host, run } = tools();
    host.onStart = (process) => {
      process.print("x".repeat(1_000));
      process.exit(0);
    };
    const { toolResponse } = (await run({ cmd: "flood", max_output_tokens: 10 }, "first", 0)).postToolUse!;
    expect(toolResponse).toMatch(/^Warning: truncated output \(original token count: 250\)/);
  });
});
