/** The session as its owner sees it: what becomes of an input, and how turns end. */
import type { Tool } from "@turnkit/tools";
import { describe, expect, test } from "vitest";
import { idOf, PLAN, request, start, types } from "../../test/session-rig.js";
import { InvalidRequestError, SessionClosedError } from "../index.js";
import { type FakeReply, Gate, items, say, toolCall } from "../testing/index.js";

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

  test("parent and root turn are those of the input that started the turn, never of what joined it", async () => {
    const gate = new Gate();
    const { say, next, model } = await start([gate.before(say_("one"))]);
    await say("go", {
      start: { parent_turn_id: "parent", root_turn_id: "root" },
      responsesapi_client_metadata: { own: "1", turn_id: "forged" },
    });
    await gate.reached;
    const id = idOf(
      await say("more", {
        start: { parent_turn_id: "other", root_turn_id: "other" },
        responsesapi_client_metadata: { own: "2" },
      }),
    );
    gate.open();
    await next("task_complete");
    await say("next");
    await next("task_complete", 2);
    const marks = { parent_turn_id: "parent", root_turn_id: "root", turn_id: id };
    expect(model.requests.map(({ metadata }) => metadata)).toEqual([
      expect.objectContaining({ ...marks, own: "1" }),
      expect.objectContaining({ ...marks, own: "2" }),
      { thread_id: expect.any(String), turn_id: expect.any(String) },
    ]);
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
    const [usage, rolledBack] = events.slice(-2);
    expect(rolledBack).toEqual({ type: "thread_rolled_back", num_turns: 1 });
    expect(usage).toMatchObject({
      type: "token_count",
      info: { last_token_usage: { input_tokens: 0, output_tokens: 0, total_tokens: expect.any(Number) } },
    });
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
