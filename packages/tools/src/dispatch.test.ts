/** Every way a call can end, and what the observer, the hooks and the model learn of it. */
import { describe, expect, test } from "vitest";
import { functionHookPayload, withFunctionArguments } from "./arguments.js";
import { dispatch } from "./dispatch.js";
import type { ControlOutcome, LifecycleOutcome, PostToolUseOutcome, PreToolUseOutcome, ToolHooks } from "./ports.js";
import { ToolRegistry } from "./registry.js";
import { callContext, functionToolCall, settle } from "./testing/index.js";
import { FatalToolError, RespondToModel, type Tool, ToolAborted, type ToolOutput } from "./tool.js";

const PROCEED: PreToolUseOutcome = { type: "proceed", updatedInput: undefined, contexts: [] };
const PASS: PostToolUseOutcome = { contexts: [], blocked: false, feedback: undefined };

function setup(options: {
  run?: Tool["run"];
  before?: PreToolUseOutcome;
  after?: PostToolUseOutcome;
  changes?: Partial<Tool>;
  hooks?: boolean;
  /** Run while the hooks are asked. */
  duringBefore?: () => void;
  duringAfter?: () => void;
  /** Runs when the outcome is told. */
  told?: () => void;
}) {
  const log: string[] = [];
  const ends: [LifecycleOutcome, ControlOutcome | undefined][] = [];
  const controls: ControlOutcome[] = [];
  const calls: string[] = [];
  const contexts: string[] = [];
  const output: ToolOutput = {
    body: "out",
    success: true,
    postToolUse: { toolName: "t", toolUseId: "call-1", toolInput: {}, toolResponse: "out" },
  };
  const tool: Tool = {
    spec: { type: "function", name: "t", description: "", strict: false, parameters: {} },
    exposure: "direct",
    supportsParallelCalls: true,
    isControl: true,
    accepts: (payload) => payload.kind === "function",
    preToolUse: functionHookPayload,
    withUpdatedInput: withFunctionArguments,
    async run(call, context) {
      log.push("run");
      calls.push((call.payload as { arguments: string }).arguments);
      return options.run ? await options.run(call, context) : output;
    },
    ...options.changes,
  };
  const hooks: ToolHooks = {
    async preToolUse(payload) {
      log.push(`pre ${payload.toolName}`);
      options.duringBefore?.();
      return options.before ?? PROCEED;
    },
    async postToolUse(payload) {
      log.push(`post ${String(payload.toolResponse)}`);
      options.duringAfter?.();
      return options.after ?? PASS;
    },
  };
  const context = callContext();
  const start = (call = functionToolCall("t", { a: 1 })) =>
    dispatch(call, context, {
      registry: new ToolRegistry([tool]),
      hooks: options.hooks === false ? undefined : hooks,
      observer: {
        started: () => log.push("started"),
        finished: (_, outcome) => {
          log.push(`finished ${outcome.type}`);
          ends.push([outcome, undefined]);
          options.told?.();
        },
        controlFinished: (_, outcome) => controls.push(outcome),
      },
      recordContexts: (texts) => contexts.push(...texts),
    });
  return { start, log, ends, controls, calls, contexts, context };
}

describe("before the handler", () => {
  test("an unknown tool is told to the model", async () => {
    const { start, log } = setup({});
    expect(await start(functionToolCall("nope", {}))).toEqual({
      body: "unsupported call: nope",
      success: false,
      postToolUse: undefined,
    });
    expect(await start({ callId: "c", name: "nope", payload: { kind: "custom", input: "" } })).toMatchObject({
      body: "unsupported custom tool call: nope",
    });
    expect(log).toEqual([]);
  });

  test("a payload of the wrong kind is fatal", async () => {
    const { start } = setup({});
    await expect(start({ callId: "c", name: "t", payload: { kind: "custom", input: "" } })).rejects.toThrow(
      new FatalToolError("tool t invoked with incompatible payload"),
    );
  });

  test("a hook's block is Blocked and Rejected; the handler does not run", async () => {
    const { start, log, ends, controls, contexts } = setup({
      before: { type: "blocked", reason: "no", contexts: ["why"] },
    });
    expect(await start()).toMatchObject({ body: "Tool call blocked by PreToolUse hook: no. Tool: t", success: false });
    expect(ends.map(([outcome]) => outcome)).toEqual([{ type: "blocked" }]);
    expect(controls).toEqual(["rejected"]);
    expect(log).toEqual(["pre t", "started", "finished blocked"]);
    expect(contexts).toEqual(["why"]);
  });

  test("a blocked command is named", async () => {
    const { start } = setup({
      before: { type: "blocked", reason: "no", contexts: [] },
      changes: { preToolUse: () => ({ toolName: "Bash", toolUseId: "x", toolInput: { command: "rm x" } }) },
    });
    expect(await start()).toMatchObject({ body: "Command blocked by PreToolUse hook: no. Command: rm x" });
  });

  test.each([
    ["apply_patch", { command: "*** Begin Patch" }, "Command blocked by PreToolUse hook: no. Command: *** Begin Patch"],
    ["Bash", { command: 1 }, "Tool call blocked by PreToolUse hook: no. Tool: Bash"],
    ["Bash", undefined, "Tool call blocked by PreToolUse hook: no. Tool: Bash"],
    ["other", { command: "ls" }, "Tool call blocked by PreToolUse hook: no. Tool: other"],
  ])("a blocked call of %s with %j", async (toolName, toolInput, body) => {
    const { start } = setup({
      before: { type: "blocked", reason: "no", contexts: [] },
      changes: { preToolUse: () => ({ toolName, toolUseId: "x", toolInput }) },
    });
    expect(await start()).toMatchObject({ body, success: false });
  });

  test("a call that is not shown to hooks runs without them; what hooks say of others is recorded", async () => {
    const silent = setup({ changes: { preToolUse: () => undefined } });
    await silent.start();
    expect(silent.log).toEqual(["started", "run", "post out", "finished completed"]);
    const told = setup({ before: { type: "proceed", updatedInput: undefined, contexts: ["a", "b"] } });
    await told.start();
    expect(told.contexts).toEqual(["a", "b"]);
  });

  test("a rewrite replaces the arguments", async () => {
    const { start, calls } = setup({
      before: { type: "proceed", updatedInput: { value: { b: 2 } }, contexts: [] },
    });
    await start();
    expect(calls).toEqual(['{"b":2}']);
  });

  test("a rewrite that does not fit is Failed without the handler", async () => {
    const { start, ends, controls, log } = setup({
      before: { type: "proceed", updatedInput: { value: 1 }, contexts: [] },
      changes: {
        withUpdatedInput: () => {
          throw new RespondToModel("does not fit");
        },
      },
    });
    expect(await start()).toMatchObject({ body: "does not fit", success: false });
    expect(ends.map(([outcome]) => outcome)).toEqual([{ type: "failed", handlerExecuted: false }]);
    expect(controls).toEqual(["failed"]);
    expect(log).toEqual(["pre t", "started", "finished failed"]);
  });

  test("a rewrite that breaks ends the turn", async () => {
    const { start, ends } = setup({
      before: { type: "proceed", updatedInput: { value: 1 }, contexts: [] },
      changes: {
        withUpdatedInput: () => {
          throw new Error("broken");
        },
      },
    });
    await expect(start()).rejects.toThrow("broken");
    expect(ends.map(([outcome]) => outcome)).toEqual([{ type: "failed", handlerExecuted: false }]);
  });
});

describe("the handler", () => {
  test("success is Completed; hooks run before and after", async () => {
    const { start, log, ends, controls } = setup({});
    expect(await start()).toMatchObject({ body: "out", success: true });
    expect(log).toEqual(["pre t", "started", "run", "post out", "finished completed"]);
    expect(ends.map(([outcome]) => outcome)).toEqual([{ type: "completed", success: true }]);
    expect(controls).toEqual(["completed"]);
  });

  test("an output without success is Completed for the lifecycle, Failed for control, and no hook sees it", async () => {
    const { start, log, ends, controls } = setup({
      run: async () => ({
        body: "bad",
        success: false,
        postToolUse: { toolName: "t", toolUseId: "x", toolInput: {}, toolResponse: "bad" },
      }),
    });
    await start();
    expect(ends.map(([outcome]) => outcome)).toEqual([{ type: "completed", success: false }]);
    expect(controls).toEqual(["failed"]);
    expect(log).not.toContain("post bad");
  });

  test("an error for the model is Failed; no hook runs after it", async () => {
    const { start, log, ends, controls } = setup({
      run: async () => {
        throw new RespondToModel("wrong");
      },
    });
    expect(await start()).toEqual({ body: "wrong", success: false, postToolUse: undefined });
    expect(ends.map(([outcome]) => outcome)).toEqual([{ type: "failed", handlerExecuted: true }]);
    expect(controls).toEqual(["failed"]);
    expect(log.some((line) => line.startsWith("post"))).toBe(false);
  });

  test("any other error ends the turn", async () => {
    const { start, controls } = setup({
      run: async () => {
        throw new FatalToolError("broken");
      },
    });
    await expect(start()).rejects.toThrow("broken");
    expect(controls).toEqual(["failed"]);
  });

  test("a tool that is no control tool reports no control outcome", async () => {
    const { start, controls, ends } = setup({ changes: { isControl: false } });
    await start();
    expect(ends).toHaveLength(1);
    expect(controls).toEqual([]);
  });
});

describe("after the handler", () => {
  test("a block withholds the result", async () => {
    const { start, ends } = setup({ after: { contexts: [], blocked: true, feedback: "the reason" } });
    expect(await start()).toMatchObject({ body: "the reason", success: false });
    expect(ends.map(([outcome]) => outcome)).toEqual([{ type: "completed", success: true }]);
    const silent = setup({ after: { contexts: [], blocked: true, feedback: undefined } });
    expect(await silent.start()).toMatchObject({ body: "PostToolUse hook blocked the tool result" });
  });

  test("feedback without a block replaces what the model reads; contexts come first", async () => {
    const { start, contexts } = setup({ after: { contexts: ["c"], blocked: false, feedback: "instead" } });
    expect(await start()).toMatchObject({ body: "instead", success: true });
    expect(contexts).toEqual(["c"]);
  });

  test("without hooks nothing is asked", async () => {
    const { start, log, controls } = setup({ hooks: false });
    expect(await start()).toMatchObject({ body: "out" });
    expect(controls).toEqual(["completed"]);
    expect(log).toEqual(["started", "run", "finished completed"]);
  });
});

describe("an interruption", () => {
  test("of a running handler is Aborted and Interrupted, once", async () => {
    let finish: (output: ToolOutput) => void = () => {};
    const { start, context, ends, controls } = setup({
      run: () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
    });
    const result = start();
    await settle();
    context.abort.abort();
    await expect(result).rejects.toBeInstanceOf(ToolAborted);
    finish({ body: "late", success: true, postToolUse: undefined });
    await settle();
    expect(ends.map(([outcome]) => outcome)).toEqual([{ type: "aborted" }]);
    expect(controls).toEqual(["interrupted"]);
  });

  test("after the outcome was reached the output stands", async () => {
    const { start, context, ends } = setup({ told: () => context.abort.abort() });
    expect(await start()).toMatchObject({ body: "out" });
    expect(ends.map(([outcome]) => outcome)).toEqual([{ type: "completed", success: true }]);
  });

  test("before the start nothing runs, and control was never begun", async () => {
    const { start, context, log, controls } = setup({});
    context.abort.abort();
    await expect(start()).rejects.toBeInstanceOf(ToolAborted);
    await settle();
    expect(log).toEqual(["pre t", "started", "finished aborted"]);
    expect(controls).toEqual([]);
  });

  test("while hooks are asked before: nothing they say counts, and nothing runs", async () => {
    const all = setup({
      before: { type: "blocked", reason: "no", contexts: ["unheard"] },
      duringBefore: () => all.context.abort.abort(),
    });
    await expect(all.start()).rejects.toBeInstanceOf(ToolAborted);
    await settle();
    expect([all.log, all.contexts, all.controls]).toEqual([["pre t", "started", "finished aborted"], [], []]);
  });

  test("while hooks are asked after: nothing they say counts, and the call is Interrupted", async () => {
    const all = setup({
      after: { contexts: ["unheard"], blocked: false, feedback: "unheard" },
      duringAfter: () => all.context.abort.abort(),
    });
    await expect(all.start()).rejects.toBeInstanceOf(ToolAborted);
    await settle();
    expect([all.ends.map(([outcome]) => outcome.type), all.contexts, all.controls]).toEqual([
      ["aborted"],
      [],
      ["interrupted"],
    ]);
  });

  test("of a call that no hook sees before it starts: it does not run", async () => {
    const { start, context, log } = setup({ hooks: false });
    context.abort.abort();
    await expect(start()).rejects.toBeInstanceOf(ToolAborted);
    await settle();
    expect(log).toEqual(["started", "finished aborted"]);
  });

  test("is not waited for by calls that have ended", async () => {
    const { start, context } = setup({});
    let listening = 0;
    const signal = context.signal as AbortSignal;
    const { addEventListener, removeEventListener } = AbortSignal.prototype;
    signal.addEventListener = (...given: Parameters<typeof addEventListener>) => {
      if (given[0] === "abort" && given[1]) listening += 1;
      addEventListener.apply(signal, given);
    };
    signal.removeEventListener = (...given: Parameters<typeof removeEventListener>) => {
      if (given[0] === "abort" && given[1]) listening -= 1;
      removeEventListener.apply(signal, given);
    };
    await start();
    expect(listening).toBe(0);
  });
});
