/** Shortening a history: on request, by itself, when a provider refuses it, and everything that can go wrong on the way. */
import type { ResponseItem, TokenUsage } from "@turnkit/protocol";
import { describe, expect, it } from "vitest";
import { ModelError } from "../src/index.js";
import { listedModel } from "../src/model/model-catalogue.js";
import type { SessionHooks } from "../src/session/session-options.js";
import { assistantMessage, type FakeReply, Gate, items, say, toolCall } from "../src/testing/index.js";
import { idOf, request, start, types } from "./session-rig.js";

const usage = (total: number): TokenUsage => ({
  input_tokens: total,
  cached_input_tokens: 0,
  cache_write_input_tokens: 0,
  output_tokens: 0,
  reasoning_output_tokens: 0,
  total_tokens: total,
});

/** A response that costs this many tokens. */
function costing(total: number, ...response: readonly ResponseItem[]): FakeReply {
  return async function* () {
    yield { type: "created" };
    for (const item of response) yield { type: "itemDone", item };
    yield { type: "completed", usage: usage(total), endTurn: undefined };
  };
}

function failing(error: Error): FakeReply {
  // biome-ignore lint/correctness/useYield: a stream that fails before it says anything
  return async function* () {
    throw error;
  };
}

const tooLong = () => new ModelError("too long", { retryable: false, info: "context_window_exceeded" });
const PLAN = "update_plan";
const planCall = (id: string) => toolCall(PLAN, { plan: [{ step: "a", status: "pending" }] }, id);
const note = (text: string) => expect.stringMatching(new RegExp(`^user: The earlier part[^]*\\n\\n${text}$`));
/** Without what the program itself tells. */
const said = (texts: readonly string[]) =>
  texts.filter((text) => !text.startsWith("developer:") && !text.startsWith("user: <environment_context>"));

async function compacted(rig: Awaited<ReturnType<typeof start>>): Promise<string> {
  const id = await rig.session.compact();
  await rig.next("task_complete", rig.events.filter((event) => event.type === "task_complete").length + 1);
  return id;
}

async function turn(rig: Awaited<ReturnType<typeof start>>, text: string): Promise<void> {
  const done = rig.events.filter((event) => event.type === "task_complete").length;
  await rig.say(text);
  await rig.next("task_complete", done + 1);
}

describe("compaction on request", () => {
  it("keeps the user's messages and puts a note in the place of the rest", async () => {
    const rig = await start([say("first answer"), say("THE NOTE"), say("second answer")]);
    await using _ = rig.session;
    await turn(rig, "first prompt");
    rig.events.length = 0;
    const id = await compacted(rig);
    expect(types(rig.events)).toEqual([
      "task_started",
      "item_started",
      "token_count",
      "token_count",
      "token_count",
      "item_completed",
      "context_compacted",
      "warning",
      "task_complete",
    ]);
    expect(rig.events.at(-1)).toMatchObject({ turn_id: id, last_agent_message: null });
    expect(rig.model.requests[1]).toMatchObject({ tools: [], outputSchema: undefined });
    expect(said(rig.model.texts(1))).toEqual([
      "user: first prompt",
      "assistant: first answer",
      expect.stringMatching(/^user: The conversation so far is about to be replaced/),
    ]);
    await turn(rig, "second prompt");
    expect(said(rig.model.texts(2))).toEqual(["user: first prompt", note("THE NOTE"), "user: second prompt"]);
    expect(rig.model.texts(2).some((text) => text.startsWith("user: <environment_context>"))).toBe(true);
  });

  it("does not take an earlier note for something the user said", async () => {
    const rig = await start([say("a"), say("NOTE ONE"), say("NOTE TWO"), say("b")]);
    await using _ = rig.session;
    await turn(rig, "prompt");
    await compacted(rig);
    await compacted(rig);
    await turn(rig, "next");
    expect(said(rig.model.texts(3))).toEqual(["user: prompt", note("NOTE TWO"), "user: next"]);
  });

  it("asks with the configured prompt", async () => {
    const rig = await start([say("a"), say("NOTE")], { compaction: { prompt: "Sum it up." } });
    await using _ = rig.session;
    await turn(rig, "prompt");
    await compacted(rig);
    expect(rig.model.texts(1).at(-1)).toBe("user: Sum it up.");
  });

  it("counts what the summary cost and estimates what the new history costs", async () => {
    const rig = await start([costing(100, assistantMessage("a")), costing(900, assistantMessage("NOTE"))]);
    await using _ = rig.session;
    await turn(rig, "prompt");
    await compacted(rig);
    const info = rig.session.snapshot().tokenUsage;
    expect(info?.total_token_usage.total_tokens).toBe(1000);
    expect(info?.last_token_usage).toMatchObject({ input_tokens: 0, output_tokens: 0 });
    expect(info?.last_token_usage.total_tokens).toBeGreaterThan(0);
  });

  it("takes no input, says why, and keeps what is said as it is", async () => {
    const gate = new Gate();
    const rig = await start([say("a"), gate.before(say("NOTE")), say("b")]);
    await using _ = rig.session;
    await turn(rig, "prompt");
    const id = await rig.session.compact();
    await gate.reached;
    const reason = { ActiveTurnNotSteerable: { turn_kind: "compact" } };
    expect(await rig.session.submit(request("x"), { Steer: { expected_turn_id: id } })).toEqual({
      NotSubmitted: { reason },
    });
    expect(await rig.say("x")).toEqual({ NotSubmitted: { reason } });
    expect(await rig.session.submit(request("x"), "StartIfIdle")).toEqual({ NotSubmitted: { reason: "NotIdle" } });
    gate.open();
    await rig.next("context_compacted");
  });

  it("takes the place of a running turn, whose input is kept", async () => {
    const gate = new Gate();
    const rig = await start([gate.before(say("never")), say("NOTE"), say("b")]);
    await using _ = rig.session;
    const running = idOf(await rig.say("running"));
    await gate.reached;
    await compacted(rig);
    const aborted = await rig.next("turn_aborted");
    expect(aborted).toMatchObject({ turn_id: running, reason: "replaced" });
    await turn(rig, "next");
    expect(said(rig.model.texts(2))).toEqual(["user: running", note("NOTE"), "user: next"]);
  });
});

describe("a compaction that fails", () => {
  it.each([
    {
      name: "refused",
      reply: failing(new ModelError("bad thing", { retryable: false, info: "other" })),
      error: "bad thing",
    },
    { name: "empty", reply: items(), error: "The conversation was not shortened: the model wrote no summary." },
    { name: "blank", reply: say("  \n"), error: "The conversation was not shortened: the model wrote no summary." },
  ])("$name: reports one error and leaves the history as it was", async ({ reply, error }) => {
    const rig = await start([say("first answer"), reply, say("second answer")]);
    await using _ = rig.session;
    await turn(rig, "first prompt");
    await compacted(rig);
    expect(rig.events.filter((event) => event.type === "error")).toEqual([expect.objectContaining({ message: error })]);
    expect(types(rig.events)).not.toContain("context_compacted");
    await turn(rig, "second prompt");
    expect(said(rig.model.texts(2))).toEqual(["user: first prompt", "assistant: first answer", "user: second prompt"]);
  });

  it("interrupted: leaves the history as it was, with the mark of the interruption", async () => {
    const gate = new Gate();
    const rig = await start([say("first answer"), gate.before(say("NOTE")), say("second answer")]);
    await using _ = rig.session;
    await turn(rig, "first prompt");
    await rig.session.compact();
    await gate.reached;
    await rig.session.interrupt();
    expect(await rig.next("turn_aborted")).toMatchObject({ reason: "interrupted" });
    await turn(rig, "second prompt");
    expect(said(rig.model.texts(2))).toEqual([
      "user: first prompt",
      "assistant: first answer",
      expect.stringMatching(/^user: <turn_aborted>/),
      "user: second prompt",
    ]);
  });

  it("tries a broken stream again", async () => {
    const cut = new ModelError("cut", { retryable: true, info: "other" });
    const rig = await start([say("a"), failing(cut), say("NOTE"), say("b")]);
    rig.model.streamRetries = 1;
    await using _ = rig.session;
    await turn(rig, "prompt");
    await compacted(rig);
    expect(types(rig.events)).toContain("stream_error");
    await turn(rig, "next");
    expect(said(rig.model.texts(3))).toEqual(["user: prompt", note("NOTE"), "user: next"]);
  });

  it("leaves the oldest items out of the request when even the request is too long", async () => {
    const rig = await start([say("a"), failing(tooLong()), failing(tooLong()), say("NOTE"), say("b")]);
    await using _ = rig.session;
    await turn(rig, "prompt");
    await compacted(rig);
    const lengths = rig.model.requests.slice(1, 4).map(({ input }) => input.length);
    expect(lengths[1]).toBeLessThan(lengths[0]!);
    expect(lengths[2]).toBeLessThan(lengths[1]!);
    await turn(rig, "next");
    expect(said(rig.model.texts(4))).toEqual(["user: prompt", note("NOTE"), "user: next"]);
  });

  it("ends with the provider's error when nothing is left to leave out", async () => {
    const rig = await start([say("a")]);
    rig.model.fallback = failing(tooLong());
    await using _ = rig.session;
    await turn(rig, "prompt");
    await compacted(rig);
    expect(await rig.next("error")).toMatchObject({ codex_error_info: "context_window_exceeded" });
    expect(rig.model.requests.at(-1)?.input).toHaveLength(1);
  });
});

describe("compaction by itself", () => {
  const limit = { compaction: { tokenLimit: 500 } };

  it("happens before a turn when the last one filled the window", async () => {
    const rig = await start(
      [costing(500, assistantMessage("a")), costing(40, assistantMessage("NOTE")), costing(50, assistantMessage("b"))],
      limit,
    );
    await using _ = rig.session;
    await turn(rig, "first");
    await turn(rig, "second");
    expect(rig.model.requests).toHaveLength(3);
    expect(said(rig.model.texts(2))).toEqual(["user: first", note("NOTE"), "user: second"]);
    const started = rig.events.findIndex(
      (event) => event.type === "item_started" && event.item.type === "ContextCompaction",
    );
    const message = rig.events.findLastIndex((event) => event.type === "user_message");
    expect(started).toBeLessThan(message);
  });

  it("does not happen one token below the limit", async () => {
    const rig = await start([costing(499, assistantMessage("a")), say("b")], limit);
    await using _ = rig.session;
    await turn(rig, "first");
    await turn(rig, "second");
    expect(types(rig.events)).not.toContain("context_compacted");
  });

  it("happens between two requests of a turn, which learns again where it is", async () => {
    const rig = await start(
      [costing(600, planCall("p")), costing(40, assistantMessage("NOTE")), costing(50, assistantMessage("done"))],
      limit,
    );
    await using _ = rig.session;
    await turn(rig, "only prompt");
    const texts = rig.model.texts(2);
    expect(said(texts)).toEqual(["user: only prompt", note("NOTE")]);
    expect(texts.findIndex((text) => text.startsWith("user: <environment_context>"))).toBeLessThan(
      texts.indexOf("user: only prompt"),
    );
    await turn(rig, "next");
    expect(rig.model.texts(3).filter((text) => text.startsWith("user: <environment_context>"))).toHaveLength(1);
  });

  it("takes nine tenths of the window for the limit, whatever is configured above it", async () => {
    const options = { modelContextWindow: 1000, compaction: { tokenLimit: 5000 } };
    const rig = await start([costing(900, assistantMessage("a")), say("NOTE"), say("b")], options);
    await using _ = rig.session;
    await turn(rig, "first");
    expect(rig.session.snapshot().tokenUsage?.model_context_window).toBe(950);
    await turn(rig, "second");
    expect(types(rig.events)).toContain("context_compacted");
  });

  it("takes the limit of the model in a catalogue, and what is configured before it", async () => {
    const models = [listedModel({ slug: "gpt-5", context_window: 10_000, auto_compact_token_limit: 300 })];
    const rig = await start([costing(400, assistantMessage("a")), say("NOTE"), say("b")], { models });
    await using _ = rig.session;
    await turn(rig, "first");
    await turn(rig, "second");
    expect(types(rig.events)).toContain("context_compacted");
    const other = await start([costing(400, assistantMessage("a")), say("b")], { models, ...limit });
    await using __ = other.session;
    await turn(other, "first");
    await turn(other, "second");
    expect(types(other.events)).not.toContain("context_compacted");
  });

  it("counts outputs that came after the last answer", async () => {
    const rig = await start([costing(100, planCall("p")), say("NOTE"), say("done")], {
      compaction: { tokenLimit: 103 },
    });
    await using _ = rig.session;
    await turn(rig, "prompt");
    expect(types(rig.events)).toContain("context_compacted");
  });

  it("happens once when the provider refuses the history as too long, and the request is made again", async () => {
    const rig = await start([say("a"), failing(tooLong()), say("NOTE"), say("b")]);
    await using _ = rig.session;
    await turn(rig, "first");
    await turn(rig, "second");
    expect(rig.events.filter((event) => event.type === "error")).toEqual([]);
    expect(said(rig.model.texts(3))).toEqual(["user: first", "user: second", note("NOTE")]);
  });

  it("does not go round in circles: a second refusal ends the turn, and the next turn begins with a compaction", async () => {
    const rig = await start([failing(tooLong()), say("NOTE"), failing(tooLong()), say("NOTE 2"), say("b")]);
    await using _ = rig.session;
    await turn(rig, "first");
    expect(rig.events.filter((event) => event.type === "error")).toHaveLength(1);
    await turn(rig, "second");
    expect(said(rig.model.texts(4))).toEqual(["user: first", note("NOTE 2"), "user: second"]);
  });
});

describe("hooks around a compaction", () => {
  function hooksOf(allow: boolean, calls: string[]): SessionHooks {
    const nothing = async () => ({ blocked: false, contexts: [] });
    return {
      preToolUse: async () => ({ type: "proceed", updatedInput: undefined, contexts: [] }),
      postToolUse: async () => ({ contexts: [], blocked: false, feedback: undefined }),
      userPromptSubmit: nothing,
      stop: async () => ({ continuations: [], emptyBlock: false }),
      sessionStart: async (source) => {
        calls.push(`start ${source}`);
        return await nothing();
      },
      preCompact: async (trigger) => {
        calls.push(`pre ${trigger}`);
        return allow;
      },
      postCompact: async (trigger) => {
        calls.push(`post ${trigger}`);
      },
    };
  }

  it("run in order, and the next turn is told that it begins after one", async () => {
    const calls: string[] = [];
    const rig = await start([say("a"), say("NOTE"), say("b")], { hooks: hooksOf(true, calls) });
    await using _ = rig.session;
    await turn(rig, "first");
    await compacted(rig);
    await turn(rig, "second");
    expect(calls).toEqual(["start startup", "pre manual", "post manual", "start compact"]);
  });

  it("may stop it: the turn ends as interrupted and nothing changes", async () => {
    const calls: string[] = [];
    const rig = await start([say("a"), say("b")], { hooks: hooksOf(false, calls) });
    await using _ = rig.session;
    await turn(rig, "first");
    await rig.session.compact();
    expect(await rig.next("turn_aborted")).toMatchObject({ reason: "interrupted" });
    await turn(rig, "second");
    expect(said(rig.model.texts(1))).toEqual(["user: first", "assistant: a", "user: second"]);
  });

  it("may stop one before a turn: what the user sent is kept", async () => {
    const rig = await start([costing(500, assistantMessage("a")), say("b")], {
      hooks: hooksOf(false, []),
      compaction: { tokenLimit: 500 },
    });
    await using _ = rig.session;
    await turn(rig, "first");
    await rig.say("second");
    await rig.next("turn_aborted");
    expect(rig.events.filter((event) => event.type === "user_message")).toHaveLength(2);
  });
});
