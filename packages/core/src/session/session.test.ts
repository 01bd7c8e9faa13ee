/** The session as its owner sees it: a model without a server, no processes, no disk. */
import type { EventMsg, RequestUserInputResponse, TurnInputRequest, UserInput } from "@turnkit/protocol";
import type { ControlOutcome, Logger, Tool } from "@turnkit/tools";
import { describe, expect, test } from "vitest";
import { createSession, InvalidRequestError, type Session, SessionClosedError, type SessionOptions } from "../index.js";
import { FakeModel, type FakeReply, Gate, items, say, toolCall } from "../testing/index.js";

const question = { id: "q", header: "H", question: "Q?", options: [{ label: "Yes", description: "d" }] };
const ask = (callId = "ask") => items(toolCall("request_user_input", { questions: [question] }, callId));
const PLAN = {
  mode: "plan" as const,
  settings: { model: "gpt-5", reasoning_effort: null, developer_instructions: null },
};

function request(text: string | readonly UserInput[], changes: Partial<TurnInputRequest> = {}): TurnInputRequest {
  const content = typeof text === "string" ? [{ type: "text" as const, text, text_elements: [] }] : [...text];
  return { input: { UserInput: { content, client_id: null } }, ...changes };
}

async function start(replies: readonly FakeReply[], options: Partial<SessionOptions> = {}) {
  const model = new FakeModel(...replies);
  const warnings: string[] = [];
  const logger: Logger = { warn: (message) => warnings.push(message), info: () => {} };
  const session = await createSession({
    modelClient: model,
    logger,
    settings: {
      model: "gpt-5",
      model_provider_id: "p",
      cwd: "/",
      approval_policy: "never",
      sandbox_policy: { type: "danger-full-access" },
      collaboration_mode: { ...PLAN, mode: "default" },
    },
    ...options,
  });
  const events: EventMsg[] = [];
  session.subscribe(({ msg }) => events.push(msg));
  const next = <Kind extends EventMsg["type"]>(kind: Kind, count = 1) =>
    new Promise<Extract<EventMsg, { type: Kind }>>((resolve) => {
      const look = () => {
        const found = events.filter((event) => event.type === kind)[count - 1];
        if (found) {
          unsubscribe();
          resolve(found as never);
        }
      };
      const unsubscribe = session.subscribe(look);
      look();
    });
  const say_ = (text: string, changes: Partial<TurnInputRequest> = {}) =>
    session.submit(request(text, changes), "StartOrSteer");
  return { session, model, events, next, say: say_, warnings };
}

const types = (events: readonly EventMsg[]) => events.map((event) => event.type);
const plan = { thread_settings: { collaboration_mode: PLAN } };
const idOf = (submission: object) => Object.values(submission)[0].turn_id as string;

describe("an input becomes a turn, or joins one", () => {
  test("the answer comes before anything else happens", async () => {
    const { say, events, next, session } = await start([]);
    const submission = await say("hi");
    expect(events).toEqual([]);
    const completed = await next("task_complete");
    expect(submission).toEqual({ Started: { turn_id: completed.turn_id } });
    expect(session.snapshot().activeTurnId).toBeNull();
  });

  test("what is steered is asked after the running response, each part by itself", async () => {
    const gate = new Gate();
    const { say, model, next, events } = await start([gate.before(say_("one"))]);
    const id = idOf(await say("first"));
    await gate.reached;
    expect([await say("second"), await say("third")]).toEqual([
      { Steered: { turn_id: id } },
      { Steered: { turn_id: id } },
    ]);
    gate.open();
    await next("task_complete");
    expect(model.texts(1).slice(-4)).toEqual(["user: first", "assistant: one", "user: second", "user: third"]);
    expect(types(events).filter((type) => type === "task_started")).toHaveLength(1);
  });

  const say_ = say;

  test("empty input starts a turn without a message, and is refused by a running one", async () => {
    const gate = new Gate();
    const { session, model, events, next } = await start([gate.before(say("one"))]);
    expect(Object.keys(await session.submit(request([]), "StartOrSteer"))).toEqual(["Started"]);
    await gate.reached;
    expect(await session.submit(request([]), "StartOrSteer")).toEqual({ NotSubmitted: { reason: "EmptyInput" } });
    gate.open();
    await next("task_complete");
    expect(model.requests).toHaveLength(1);
    expect(model.texts(0).filter((text) => !text.includes("<"))).toEqual([]);
    expect(types(events)).not.toContain("user_message");
  });

  test("one empty text is not empty", async () => {
    const { session, next, events } = await start([]);
    await session.submit(request(""), "StartOrSteer");
    await next("task_complete");
    expect(events.find((event) => event.type === "user_message")).toMatchObject({ message: "" });
  });

  test("refused input changes no settings; bad settings are an error", async () => {
    const gate = new Gate();
    const { session, say, next } = await start([gate.before(say_("one"))]);
    await say("go");
    await gate.reached;
    const before = session.snapshot().settings;
    const empty = await session.submit({ ...request([]), thread_settings: { model: "other" } }, "StartOrSteer");
    expect(empty).toEqual({ NotSubmitted: { reason: "EmptyInput" } });
    await expect(say("x", { thread_settings: { model: 3 as never } })).rejects.toThrow(
      new InvalidRequestError("request.thread_settings.model must be string"),
    );
    await expect(
      say("x", { thread_settings: { permissions: "p", sandbox_policy: { type: "read-only" } } }),
    ).rejects.toThrow("`permissions` cannot be combined with `sandboxPolicy`");
    expect(session.snapshot().settings).toBe(before);
    gate.open();
    await next("task_complete");
  });

  test("settings that come with steered input hold from the next turn on", async () => {
    const gate = new Gate();
    const { session, say, next, model } = await start([gate.before(say_("one"))]);
    await say("go");
    await gate.reached;
    await say("more", { thread_settings: { model: "later" } });
    expect(session.snapshot().settings.model).toBe("later");
    gate.open();
    await next("task_complete");
    await say("again");
    await next("task_complete", 2);
    expect(model.requests.map(({ model: name }) => name)).toEqual(["gpt-5", "gpt-5", "later"]);
  });

  test("a model nothing is known of is warned of once, and the model is told that it follows another", async () => {
    const { say, next, events, model } = await start([]);
    await say("1");
    await next("task_complete", 1);
    await say("2", { thread_settings: { model: "unheard-of" } });
    await next("task_complete", 2);
    await say("3");
    await next("task_complete", 3);
    expect(events.flatMap((event) => (event.type === "warning" ? [event.message] : []))).toEqual([
      "Model metadata for `unheard-of` not found. Defaulting to fallback metadata; this can degrade performance and cause issues.",
    ]);
    expect(model.texts(1).filter((text) => text.startsWith("developer: <model_switch>"))).toHaveLength(1);
    expect(model.texts(2).filter((text) => text.startsWith("developer: <model_switch>"))).toHaveLength(1);
  });

  test("input that joins at the very end is still answered", async () => {
    const { session, say, next, model, events } = await start([]);
    let joined = false;
    session.subscribe(({ msg }) => {
      // The last thing that is reported before the turn has nothing left to do.
      if (msg.type !== "token_count" || joined) return;
      joined = true;
      void Promise.resolve()
        .then(() => undefined)
        .then(() => undefined)
        .then(() => say("just in time"));
    });
    await say("go");
    await next("task_complete");
    await new Promise((resolve) => setImmediate(resolve));
    const turns = events.filter((event) => event.type === "task_started").length;
    if (turns === 2) await next("task_complete", 2);
    expect(model.requests).toHaveLength(2);
    expect(model.texts(1)).toContain("user: just in time");
  });

  test("an output schema belongs to the turn it began with", async () => {
    const gate = new Gate();
    const { say, next, model } = await start([gate.before(say_("one"))]);
    await say("go", { start: { final_output_json_schema: { type: "object", a: 1 } } });
    await gate.reached;
    expect(await say("x", { start: { final_output_json_schema: { type: "array" } } })).toEqual({
      NotSubmitted: { reason: "ActiveTurnOutputSchemaMismatch" },
    });
    expect(Object.keys(await say("y", { start: { final_output_json_schema: { a: 1, type: "object" } } }))).toEqual([
      "Steered",
    ]);
    gate.open();
    await next("task_complete");
    await say("later");
    await next("task_complete", 2);
    expect(model.requests.map(({ outputSchema }) => outputSchema !== undefined)).toEqual([true, true, false]);
  });

  test("only a person's input can steer", async () => {
    const { session } = await start([]);
    const item = { input: { ResponseItem: { type: "message" as const, role: "user", content: [] } } };
    await expect(session.submit(item, "StartOrSteer")).rejects.toThrow("only user input can steer a turn");
    await expect(session.submit(item, { Steer: { expected_turn_id: "x" } })).rejects.toThrow(InvalidRequestError);
  });

  test("recovery keeps the turn's id, adds no message, and is allowed in Plan mode", async () => {
    const { session, next, events, model } = await start([]);
    await session.updateSettings({ collaboration_mode: PLAN });
    expect(await session.submit(request([]), "StartIfIdle")).toEqual({ NotSubmitted: { reason: "PlanMode" } });
    expect(await session.recover("turn-x")).toEqual({ Started: { turn_id: "turn-x" } });
    expect(await next("task_complete")).toMatchObject({ turn_id: "turn-x" });
    expect(types(events)).not.toContain("user_message");
    expect(model.requests).toHaveLength(1);
  });

  test("another agent's message starts an idle session, and reaches a running turn", async () => {
    const gate = new Gate();
    const { session, model, next } = await start([gate.before(say_("one"))]);
    const letter = (content: string, trigger: boolean) => ({
      author: "a",
      recipient: "b",
      content,
      trigger_turn: trigger,
    });
    session.deliver(letter("not yet", false));
    session.deliver(letter("go", true));
    await gate.reached;
    session.deliver(letter("and more", false));
    gate.open();
    await next("task_complete");
    const contents = model.requests.map(({ input }) =>
      input.flatMap((item) =>
        item.type === "agent_message" ? item.content.map((part) => (part as { text: string }).text) : [],
      ),
    );
    // After the final answer the rest waits for the next turn.
    expect(contents).toEqual([["not yet", "go"]]);
    session.deliver(letter("last", true));
    await next("task_complete", 2);
    expect(model.requests).toHaveLength(2);
    expect(JSON.stringify(model.requests[1]?.input)).toContain("and more");
  });

  test("a turn is refused to automatic work while another agent's trigger waits", async () => {
    const gate = new Gate();
    const { session, say, next } = await start([gate.before(say_("one"))]);
    await say("go");
    await gate.reached;
    session.deliver({ author: "a", recipient: "b", content: "go", trigger_turn: true });
    expect(await session.submit(request("x"), "StartIfIdle")).toEqual({
      NotSubmitted: { reason: "PendingTriggerTurn" },
    });
    gate.open();
    await next("task_complete");
  });
});

describe("additional context", () => {
  const entry = (value: string, kind: "untrusted" | "application" = "untrusted") => ({ value, kind });

  test("goes before the input in key order, once, and again when it returns", async () => {
    const { say, model, next } = await start([]);
    const own = (at: number) => model.texts(at).filter((text) => !/environment_context|permissions/.test(text));
    await say("1", { additional_context: { b: entry("B"), a: entry("A", "application") } });
    await next("task_complete");
    expect(own(0)).toEqual(["developer: <a>A</a>", "user: <external_b>B</external_b>", "user: 1"]);
    await say("2", { additional_context: { a: entry("A", "application"), b: entry("B2") } });
    await next("task_complete", 2);
    expect(own(1).slice(4)).toEqual(["user: <external_b>B2</external_b>", "user: 2"]);
    await say("3", { additional_context: { b: entry("B2") } });
    await next("task_complete", 3);
    expect(own(2).slice(7)).toEqual(["user: 3"]);
    await say("4", { additional_context: { a: entry("A", "application") } });
    await next("task_complete", 4);
    expect(own(3).slice(9)).toEqual(["developer: <a>A</a>", "user: 4"]);
  });
});

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

describe("ends", () => {
  test("a failing model is one error and one completion, and the next turn works", async () => {
    const { say, next, events } = await start([
      async function* () {
        yield { type: "created" };
        throw new Error("boom");
      },
    ]);
    await say("go");
    expect(await next("task_complete")).toMatchObject({
      last_agent_message: null,
      error: { message: "boom", codex_error_info: "other" },
    });
    expect(types(events).slice(-3)).toEqual(["token_count", "error", "task_complete"]);
    await say("again");
    expect(await next("task_complete", 2)).not.toHaveProperty("error");
  });

  test("a tool that breaks ends the turn with its words, after the other outputs", async () => {
    const broken: Tool = {
      spec: { type: "function", name: "broken", description: "", strict: false, parameters: {} },
      exposure: "direct",
      supportsParallelCalls: true,
      isControl: false,
      accepts: () => true,
      preToolUse: () => undefined,
      withUpdatedInput: (call) => call,
      run: async () => {
        throw new Error("gone");
      },
    };
    const { say, next, model } = await start(
      [items(toolCall("broken", {}, "b"), toolCall("update_plan", { plan: [] }, "p"))],
      { tools: [broken] },
    );
    await say("go");
    expect(await next("task_complete")).toMatchObject({ error: { message: "gone" } });
    await say("again");
    await next("task_complete", 2);
    expect([model.outputOf("b"), model.outputOf("p")]).toEqual(["aborted", "Plan updated"]);
  });

  test("interrupting twice, or nothing, resolves; the turn ends once", async () => {
    const gate = new Gate();
    const { session, say, events } = await start([gate.before(say_("one"))]);
    await session.interrupt();
    await say("go");
    await gate.reached;
    await Promise.all([session.interrupt(), session.interrupt()]);
    expect(types(events).filter((type) => type === "turn_aborted" || type === "task_complete")).toEqual([
      "turn_aborted",
    ]);
  });

  const say_ = say;

  test("a turn that is interrupted before it began still begins and ends", async () => {
    const { session, say, events, model } = await start([]);
    await say("go");
    await session.interrupt();
    expect(types(events)).toEqual(["task_started", "item_started", "item_completed", "user_message", "turn_aborted"]);
    expect(model.requests).toEqual([]);
  });

  test("a model that does not stop is cut off after 100 ms", async () => {
    let release: () => void = () => {};
    const stuck: FakeReply = async function* () {
      yield { type: "created" };
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      yield {
        type: "itemDone",
        item: { type: "message", role: "assistant", content: [{ type: "output_text", text: "words too late" }] },
      };
    };
    const { session, say, next, events, model } = await start([stuck]);
    await say("go");
    await next("user_message");
    await new Promise((resolve) => setImmediate(resolve));
    await session.interrupt();
    const ended = types(events).length;
    release();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(types(events).length).toBe(ended);
    await say("next");
    await next("task_complete");
    expect(JSON.stringify(model.requests[1]?.input)).not.toContain("words too late");
  });

  test("what was steered into an interrupted turn is kept", async () => {
    const gate = new Gate();
    const { session, say, next, model } = await start([gate.before(say_("one"))]);
    await say("go");
    await gate.reached;
    await say("and this");
    await session.interrupt();
    await say("next");
    await next("task_complete");
    expect(model.texts(1).filter((text) => text.startsWith("user: ") && !text.includes("<"))).toEqual([
      "user: go",
      "user: and this",
      "user: next",
    ]);
  });

  test("rollback forgets the newest turns, and needs an idle session", async () => {
    const { session, say, next, model, events } = await start([]);
    await say("one");
    await next("task_complete", 1);
    await say("two");
    await next("task_complete", 2);
    await expect(session.rollback(0)).rejects.toThrow("num_turns must be >= 1");
    await session.rollback(1);
    expect(events.at(-1)).toEqual({ type: "thread_rolled_back", num_turns: 1 });
    const gate = new Gate();
    model.replies.push(gate.before(say_("three")));
    await say("three");
    await gate.reached;
    await expect(session.rollback(1)).rejects.toThrow("Cannot rollback while a turn is in progress.");
    gate.open();
    await next("task_complete", 3);
    expect(model.texts(2).filter((text) => !text.includes("<"))).toEqual([
      "user: one",
      "assistant: done",
      "user: three",
    ]);
  });

  test("a session that is shut down takes nothing more, and its events end", async () => {
    const { session, say } = await start([]);
    const seen: string[] = [];
    const reading = (async () => {
      for await (const { msg } of session.events()) seen.push(msg.type);
    })();
    await session.shutdown();
    await session.shutdown();
    await reading;
    expect(seen).toEqual(["shutdown_complete"]);
    await expect(say("x")).rejects.toBeInstanceOf(SessionClosedError);
  });

  test("a listener that throws hurts nobody", async () => {
    const { session, say, next, warnings } = await start([]);
    session.subscribe(() => {
      throw new Error("mine");
    });
    await say("go");
    await next("task_complete");
    expect(warnings[0]).toBe("an event listener failed: Error: mine");
  });

  test("elicitations of the owner are counted and cannot go below zero", async () => {
    const { session } = await start([]);
    expect([session.incrementElicitation(), session.incrementElicitation(), session.decrementElicitation()]).toEqual([
      1, 2, 1,
    ]);
    session.decrementElicitation();
    expect(() => session.decrementElicitation()).toThrow(InvalidRequestError);
  });
});
