/** Hooks on prompts, at the session's port. */
import { describe, expect, test } from "vitest";
import { request, start, types } from "../../test/session-rig.js";
import { Gate, say } from "../testing/index.js";

describe("hooks on prompts", () => {
  const hooks = (blocks: (prompt: string) => boolean) => ({
    preToolUse: async () => ({ type: "proceed", updatedInput: undefined, contexts: [] }) as const,
    postToolUse: async () => ({ contexts: [], blocked: false, feedback: undefined }),
    userPromptSubmit: async (prompt: string) => ({ blocked: blocks(prompt), contexts: [`seen ${prompt}`] }),
    stop: async () => ({ continuations: [], emptyBlock: false }),
  });

  test("a blocked prompt ends the turn without a request; its contexts stay", async () => {
    const { say, next, model, events, session } = await start([], { hooks: hooks((prompt) => prompt === "bad") });
    const submission = await say("bad");
    expect(Object.keys(submission)).toEqual(["Started"]);
    await next("task_complete");
    expect(model.requests).toEqual([]);
    expect(types(events)).not.toContain("user_message");
    await session.submit(request("good"), "StartOrSteer");
    await next("task_complete", 2);
    expect(model.texts(0).slice(-3)).toEqual(["developer: seen bad", "user: good", "developer: seen good"]);
  });

  test("a steered prompt that is blocked is dropped, and the turn finishes", async () => {
    const gate = new Gate();
    const { say, next, model } = await start([gate.before(say_("one"))], {
      hooks: hooks((prompt) => prompt === "bad"),
    });
    await say("go");
    await gate.reached;
    expect(Object.keys(await say("bad"))).toEqual(["Steered"]);
    gate.open();
    await next("task_complete");
    expect(model.requests).toHaveLength(1);
  });

  test("a blocked and an accepted prompt of one drain go on with the accepted one", async () => {
    const gate = new Gate();
    const { say, next, model } = await start([gate.before(say_("one"))], {
      hooks: hooks((prompt) => prompt === "bad"),
    });
    await say("go");
    await gate.reached;
    await say("bad");
    await say("good");
    gate.open();
    await next("task_complete");
    expect(model.requests).toHaveLength(2);
    expect(model.texts(1)).toContain("user: good");
    expect(model.texts(1)).not.toContain("user: bad");
  });

  const say_ = say;

  test("items of programs never count as a person's input", async () => {
    const { session, next, model } = await start([], { hooks: hooks(() => true) });
    const context = { additional_context: { a: { value: "A", kind: "untrusted" as const } } };
    await session.submit({ ...request("bad"), ...context }, "StartOrSteer");
    await next("task_complete");
    expect(model.requests).toEqual([]);
  });

  test("one that breaks on input that came too late does not keep the turn from ending", async () => {
    const gate = new Gate();
    const breaking = {
      ...hooks(() => false),
      userPromptSubmit: async (prompt: string) => {
        if (prompt === "late") throw new Error("broken");
        return { blocked: false, contexts: [] };
      },
    };
    const { session, say, next, events, warnings } = await start([gate.before(say_("one"))], { hooks: breaking });
    await say("go");
    await gate.reached;
    await say("late");
    await session.interrupt();
    expect(types(events).at(-1)).toBe("turn_aborted");
    expect(warnings).toEqual([expect.stringContaining("was not kept: Error: broken")]);
    await say("next");
    await next("task_complete");
  });

  test("stop hooks go on with the turn", async () => {
    const asked: boolean[] = [];
    const { say, next, model, events } = await start([], {
      hooks: {
        ...hooks(() => false),
        stop: async ({ stopHookActive }) => {
          asked.push(stopHookActive);
          return asked.length === 1
            ? { continuations: [{ text: "a <b>", hookRunId: "run:1" }], emptyBlock: true }
            : { continuations: [], emptyBlock: false };
        },
      },
    });
    await say("go");
    await next("task_complete");
    expect(asked).toEqual([false, true]);
    expect(model.texts(1).at(-1)).toBe('user: <hook_prompt hook_run_id="run:1">a &lt;b&gt;</hook_prompt>');
    expect(events.find((event) => event.type === "warning")).toMatchObject({
      message: "Stop hook requested continuation without a prompt; ignoring the block.",
    });
  });
});
