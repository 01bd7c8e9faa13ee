/** Questions to the person, at the session's port. */
import type { RequestUserInputResponse } from "@turnkit/protocol";
import type { ControlOutcome } from "@turnkit/tools";
import { describe, expect, test } from "vitest";
import { ask, idOf, plan, question, start, types } from "../../test/session-rig.js";
import type { Session, SessionOptions } from "../index.js";
import { type FakeReply, items, toolCall } from "../testing/index.js";
import type { CoreSession } from "./session.js";

describe("questions", () => {
  const answer: RequestUserInputResponse = { answers: { q: { answers: ["Yes"] } } };

  test("suspend the turn until the answer for it arrives", async () => {
    const { session, say, next, model, events } = await start([ask()]);
    const id = idOf(await say("go", plan));
    const asked = await next("request_user_input");
    expect(asked).toMatchObject({ call_id: "ask", turn_id: id, isBlocking: true, autoResolutionMs: null });
    expect(model.requests).toHaveLength(1);
    session.answer("ask", answer);
    session.answer(id, answer);
    await next("task_complete");
    expect(model.outputOf("ask")).toBe('{"answers":{"q":{"answers":["Yes"]}}}');
    expect(events.filter((event) => event.type === "request_user_input")).toHaveLength(1);
  });

  test("an answer given inside the listener counts: everything was in place before the event", async () => {
    const { session, say, next, model } = await start([ask()]);
    const seen: unknown[] = [];
    session.subscribe(({ msg }) => {
      if (msg.type !== "request_user_input") return;
      seen.push(session.incrementElicitation(), session.decrementElicitation());
      session.answer(msg.turn_id, answer);
    });
    await say("go", plan);
    await next("task_complete");
    expect(model.outputOf("ask")).toBe('{"answers":{"q":{"answers":["Yes"]}}}');
    expect(seen).toEqual([1, 0]);
  });

  test("the requests of a turn say from then on that a question was asked in it", async () => {
    const { session, say, next, model } = await start([ask()]);
    const marked = () => (session as CoreSession).lifecycle.active?.askedUser;
    const atTheEvent: unknown[] = [];
    session.subscribe(({ msg }) => {
      if (msg.type === "request_user_input") atTheEvent.push(marked());
    });
    const id = idOf(await say("go", plan));
    await next("request_user_input");
    session.answer(id, answer);
    await next("task_complete");
    await say("and now");
    await next("task_complete", 2);
    expect(atTheEvent).toEqual([true]);
    expect(model.requests.map(({ metadata }) => metadata.user_input_requested_during_turn)).toEqual([
      undefined,
      "true",
      undefined,
    ]);
  });

  test("an answer nobody waits for is dropped with a warning, and not kept for later", async () => {
    const { session, say, next, model, warnings } = await start([ask()]);
    session.answer("nobody", answer);
    expect(warnings).toEqual(["No pending user input found for sub_id: nobody"]);
    const id = idOf(await say("go", plan));
    session.answer(id, { answers: { early: { answers: [] } } });
    await next("request_user_input");
    expect(warnings).toHaveLength(2);
    session.answer(id, answer);
    session.answer(id, { answers: {} });
    await next("task_complete");
    expect(warnings).toHaveLength(3);
    expect(model.outputOf("ask")).toBe('{"answers":{"q":{"answers":["Yes"]}}}');
  });

  test("two calls of one response are asked one after the other, alone", async () => {
    const { session, say, next, model, events } = await start(
      [
        items(
          toolCall("request_user_input", { questions: [question] }, "ask-1"),
          toolCall("update_plan", { plan: [{ step: "s", status: "pending" }] }, "plan"),
          toolCall("request_user_input", { questions: [question] }, "ask-2"),
        ),
      ],
      { features: { defaultModeQuestions: true } },
    );
    const id = idOf(await say("go"));
    await next("request_user_input");
    await new Promise((resolve) => setImmediate(resolve));
    expect(types(events)).not.toContain("plan_update");
    session.answer(id, { answers: { one: { answers: ["1"] } } });
    const second = await next("request_user_input", 2);
    expect(second).toMatchObject({ call_id: "ask-2", isBlocking: false });
    session.answer(id, { answers: { two: { answers: ["2"] } } });
    await next("task_complete");
    expect([model.outputOf("ask-1"), model.outputOf("plan"), model.outputOf("ask-2")]).toEqual([
      '{"answers":{"one":{"answers":["1"]}}}',
      "Plan updated",
      '{"answers":{"two":{"answers":["2"]}}}',
    ]);
  });

  test("an interruption ends the wait in its own words; a late answer only warns", async () => {
    const { session, say, next, model, events, warnings } = await start([ask()]);
    const id = idOf(await say("go", plan));
    await next("request_user_input");
    await session.interrupt();
    expect(types(events).slice(-2)).toEqual(["token_count", "turn_aborted"]);
    session.answer(id, answer);
    expect(warnings).toEqual([`No pending user input found for sub_id: ${id}`]);
    await say("next");
    await next("task_complete");
    expect(model.outputOf("ask")).toMatch(/^aborted by user after 0\.\d s?s?$|^aborted by user after \d+\.\ds$/);
    expect(model.texts(1).at(-2)).toBe(
      "user: <turn_aborted>\nThe user interrupted the previous turn on purpose. Any running unified exec processes may still be running in the background. If any tools/commands were aborted, they may have partially executed.\n</turn_aborted>",
    );
  });

  test("an interruption is told before whoever waits for the person learns of it", async () => {
    const { session, say, next } = await start([ask()]);
    const id = idOf(await say("go", plan));
    await next("request_user_input");
    const atTheEnd: unknown[] = [];
    session.subscribe(({ msg }) => {
      if (msg.type === "turn_aborted")
        atTheEnd.push(session.snapshot().answers.length, session.snapshot().activeTurnId);
    });
    await session.interrupt();
    expect(atTheEnd).toEqual([0, id]);
    expect(session.snapshot().answers).toEqual([{ turnId: id, cause: "holderCleared" }]);
  });

  test("the cause of an answer is kept apart: submitted, empty, by time, by the client, cleared", async () => {
    const { session, say, next } = await start([ask("1"), ask("2"), ask("3"), ask("4"), ask("5")]);
    const id = idOf(await say("go", plan));
    await next("request_user_input", 1);
    session.answer(id, answer);
    await next("request_user_input", 2);
    session.answer(id, { answers: { q: { answers: [] } } });
    await next("request_user_input", 3);
    session.answer(id, { answers: {} }, "autoResolved");
    await next("request_user_input", 4);
    session.answer(id, { answers: {} }, "clientFailed");
    await next("request_user_input", 5);
    await session.interrupt();
    expect(session.snapshot().answers.map(({ cause }) => cause)).toEqual([
      "submitted",
      "submittedEmpty",
      "autoResolved",
      "clientFailed",
      "holderCleared",
    ]);
  });

  test("the log says why a shown question stays without an answer, and what came of it", async () => {
    const { session, say, next, told } = await start([ask("1"), ask("2")]);
    const id = idOf(await say("go", plan));
    await next("request_user_input", 1);
    expect(told).toEqual([`question 1 is shown; its answer is waited for under turn ${id}`]);
    session.answer(id, answer);
    await next("request_user_input", 2);
    await session.interrupt();
    expect(told.slice(1)).toEqual([
      `the wait for an answer to turn ${id} ended: submitted`,
      `question 2 is shown; its answer is waited for under turn ${id}`,
      `the wait for an answer to turn ${id} ended: holderCleared`,
    ]);
    expect(session.snapshot().questions).toEqual({ submitted: 1, holderCleared: 1 });
  });

  const malformed = items(toolCall("request_user_input", { questions: [{ id: "x" }] }, "ask"));
  test.each<[string, FakeReply, Partial<SessionOptions>, object, string]>([
    [
      "switchedOff",
      ask(),
      { features: { questionTool: false } },
      plan,
      "switchedOff (tools.experimental_request_user_input)",
    ],
    [
      "unavailableMode",
      ask(),
      {},
      {},
      "unavailableMode (mode default, default_mode_request_user_input false, root thread true)",
    ],
    [
      "notRootThread",
      ask(),
      { source: { subagent: "review" } },
      plan,
      "notRootThread (mode plan, default_mode_request_user_input false, root thread false)",
    ],
    [
      "invalidArguments",
      malformed,
      { features: { defaultModeQuestions: true } },
      {},
      "invalidArguments (mode default, default_mode_request_user_input true, root thread true)",
    ],
  ])("the log and the counts say why a question was not shown: %s", async (reason, reply, options, more, facts) => {
    const { session, say, next, told, events } = await start([reply], options);
    const id = idOf(await say("go", more));
    await next("task_complete");
    expect(types(events)).not.toContain("request_user_input");
    expect(told).toEqual([`question ask of turn ${id} is not shown: ${facts}`]);
    expect(session.snapshot()).toMatchObject({ questions: { [reason]: 1 }, answers: [] });
  });

  const outcomes = async (
    reply: FakeReply,
    act: (session: Session, id: string) => void,
    changes: Partial<SessionOptions> = {},
  ) => {
    const seen: ControlOutcome[] = [];
    const observer = {
      started() {},
      finished() {},
      controlFinished: (_: unknown, outcome: ControlOutcome) => seen.push(outcome),
    };
    const { session, say, next } = await start([reply], { observer, ...changes });
    const id = idOf(await say("go", plan));
    await Promise.race([next("request_user_input"), next("task_complete")]);
    act(session, id);
    await Promise.race([next("task_complete"), next("turn_aborted")]);
    return seen;
  };

  test("control outcomes: answered, refused, cancelled, interrupted, blocked", async () => {
    expect(await outcomes(ask(), (session, id) => session.answer(id, answer))).toEqual(["completed"]);
    const bad = items(toolCall("request_user_input", { questions: [{ id: "x" }] }, "ask"));
    expect(await outcomes(bad, () => {})).toEqual(["failed"]);
    expect(await outcomes(ask(), () => {}, { source: { subagent: "review" } })).toEqual(["failed"]);
    expect(await outcomes(ask(), (session) => void session.interrupt())).toEqual(["interrupted"]);
    const hooks = {
      preToolUse: async () => ({ type: "blocked", reason: "no", contexts: [] }) as const,
      postToolUse: async () => ({ contexts: [], blocked: false, feedback: undefined }),
      userPromptSubmit: async () => ({ blocked: false, contexts: [] }),
      stop: async () => ({ continuations: [], emptyBlock: false }),
    };
    expect(await outcomes(ask(), () => {}, { hooks })).toEqual(["rejected"]);
  });

  test("a sub-agent asks nobody, whatever its mode", async () => {
    const { say, next, model, events } = await start([ask()], { source: { internal: "x" } });
    await say("go", plan);
    await next("task_complete");
    expect(model.outputOf("ask")).toBe("request_user_input can only be used by the root thread");
    expect(types(events)).not.toContain("request_user_input");
  });

  test("the switch takes the tool out of the list and out of reach", async () => {
    const { say, next, model } = await start([ask()], { features: { questionTool: false } });
    await say("go", plan);
    await next("task_complete");
    expect(model.requests[0]?.tools.map(({ name }) => name)).not.toContain("request_user_input");
    expect(model.outputOf("ask")).toBe("unsupported call: request_user_input");
  });

  test("other agents can only be told apart by their source: Default mode refuses without feature, asks with it", async () => {
    const without = await start([ask()]);
    await without.say("go");
    await without.next("task_complete");
    expect(without.model.outputOf("ask")).toBe("request_user_input is unavailable in Default mode");
    expect(types(without.events)).not.toContain("request_user_input");
    expect(without.session.snapshot().answers).toEqual([]);
    const tool = without.model.requests[0]?.tools.find(({ name }) => name === "request_user_input");
    expect(tool?.description).toContain("This tool is only available in Plan mode.");
  });
});
