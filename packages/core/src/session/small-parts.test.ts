/** The session's small parts, each by itself. */
import type { ResponseItem } from "@turnkit/protocol";
import { describe, expect, test } from "vitest";
import { textElementsOf, userMessageEvent } from "../context/user-message.js";
import { normalizeHistory } from "../history/normalize.js";
import { ProposedPlanParser, splitProposedPlan } from "../turn/proposed-plan.js";
import { ReadWriteLock } from "../turn/read-write-lock.js";
import { Elicitations } from "./elicitations.js";
import { PendingAnswers } from "./pending-answers.js";
import { previewSettings } from "./thread-settings.js";

describe("a pending answer", () => {
  const silent = { warn() {}, info() {} };

  test("a second registration in a turn takes the first one's place, with one warning", async () => {
    const warnings: string[] = [];
    const answers = new PendingAnswers({ warn: (message) => warnings.push(message), info() {} });
    const first = answers.register("t");
    const second = answers.register("t");
    expect(await first).toBeUndefined();
    expect(warnings).toEqual(["Overwriting existing pending user input for sub_id: t"]);
    expect(answers.answer("t", { answers: {} }, "submitted")).toBe(true);
    expect(await second).toEqual({ answers: {} });
    expect(answers.outcomes.map(({ cause }) => cause)).toEqual(["holderCleared", "submitted"]);
  });

  test("is answered or cleared once; afterwards nobody waits, and what ended it is told", async () => {
    const warnings: string[] = [];
    const told: string[] = [];
    const answers = new PendingAnswers({
      warn: (message) => warnings.push(message),
      info: (message) => told.push(message),
    });
    expect(answers.answer("t", { answers: {} }, "submitted")).toBe(false);
    const first = answers.register("t");
    expect(answers.answer("t", { answers: {} }, "submitted")).toBe(true);
    expect([answers.has("t"), answers.answer("t", { answers: {} }, "submitted")]).toEqual([false, false]);
    expect(await first).toEqual({ answers: {} });
    const second = answers.register("t");
    answers.clear("t");
    answers.clear("t");
    expect(await second).toBeUndefined();
    expect([answers.has("t"), answers.answer("t", { answers: {} }, "autoResolved")]).toEqual([false, false]);
    expect(answers.outcomes.map(({ cause }) => cause)).toEqual(["submitted", "holderCleared"]);
    expect(told).toEqual([
      "the wait for an answer to turn t ended: submitted",
      "the wait for an answer to turn t ended: holderCleared",
    ]);
    expect(warnings).toEqual(Array(3).fill("No pending user input found for sub_id: t"));
  });

  test("the newest hundred ends are kept one by one, all of them are counted", () => {
    const answers = new PendingAnswers(silent);
    for (let at = 0; at < 101; at++) {
      void answers.register(`t${at}`);
      answers.answer(`t${at}`, { answers: {} }, at === 0 ? "clientFailed" : "submitted");
    }
    answers.record.notShown("t", "c", "unavailableMode", "mode default");
    answers.record.notShown("t", "c", "unavailableMode", "mode default");
    expect([answers.outcomes.length, answers.outcomes[0], answers.outcomes.at(-1)]).toEqual([
      100,
      { turnId: "t1", cause: "submitted" },
      { turnId: "t100", cause: "submitted" },
    ]);
    expect(answers.record.counts).toEqual({ clientFailed: 1, submitted: 100, unavailableMode: 2 });
  });

  test("turns do not see each other's", async () => {
    const answers = new PendingAnswers(silent);
    const one = answers.register("1");
    const two = answers.register("2");
    answers.clear("1");
    expect(await one).toBeUndefined();
    expect(answers.has("2")).toBe(true);
    answers.answer("2", { answers: { a: { answers: ["x"] } } }, "submitted");
    expect(await two).toEqual({ answers: { a: { answers: ["x"] } } });
    expect(answers.outcomes).toEqual([
      { turnId: "1", cause: "holderCleared" },
      { turnId: "2", cause: "submitted" },
    ]);
  });
});

test("elicitations tell only the first and the last", () => {
  const elicitations = new Elicitations();
  const heard: boolean[] = [];
  const stop = elicitations.onChange((paused) => heard.push(paused));
  const one = elicitations.hold();
  const two = elicitations.hold();
  elicitations.increment();
  one();
  one();
  expect(elicitations.paused).toBe(true);
  two();
  expect(elicitations.paused).toBe(true);
  expect(elicitations.decrement()).toBe(0);
  expect(elicitations.decrement()).toBeUndefined();
  expect(heard).toEqual([true, false]);
  stop();
  elicitations.hold();
  expect(heard).toHaveLength(2);
});

describe("the lock of a response's calls", () => {
  const signal = new AbortController().signal;

  test("readers go together, a writer alone, in the order they came", async () => {
    const lock = new ReadWriteLock();
    const order: string[] = [];
    const enter = async (name: string, exclusive: boolean) => {
      const leave = await lock.acquire(exclusive, signal);
      order.push(`+${name}`);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`-${name}`);
      leave?.();
    };
    await Promise.all([enter("r1", false), enter("r2", false), enter("w", true), enter("r3", false)]);
    expect(order).toEqual(["+r1", "+r2", "-r1", "-r2", "+w", "-w", "+r3", "-r3"]);
  });

  test("one that gives up lets the others pass", async () => {
    const lock = new ReadWriteLock();
    const leave = await lock.acquire(true, signal);
    const abort = new AbortController();
    const writer = lock.acquire(true, abort.signal);
    const reader = lock.acquire(false, signal);
    abort.abort();
    expect(await writer).toBeUndefined();
    leave?.();
    expect(await reader).toBeTypeOf("function");
    expect(await lock.acquire(false, abort.signal)).toBeUndefined();
  });
});

describe("a proposed plan", () => {
  test.each([
    ["a\n<proposed_plan>\np\n</proposed_plan>\nb", { text: "a\nb", plan: "p\n" }],
    ["<proposed_plan>\np\n</proposed_plan>", { text: "", plan: "p\n" }],
    ["no plan", { text: "no plan", plan: undefined }],
    ["<proposed_plan> inline", { text: "<proposed_plan> inline", plan: undefined }],
    ["  <proposed_plan>  \nx\n", { text: "", plan: "x\n" }],
    ["<proposed_plan>\n<nested>\n</proposed_plan>\n", { text: "", plan: "<nested>\n" }],
    ["a <proposed_plan>\nb", { text: "a <proposed_plan>\nb", plan: undefined }],
    ["", { text: "", plan: undefined }],
  ])("%j", (message, expected) => {
    expect(splitProposedPlan(message)).toEqual(expected);
    const parser = new ProposedPlanParser();
    const pieces = [...message].flatMap((character) => parser.push(character)).concat(parser.end());
    const joined = (type: string) =>
      pieces
        .filter((piece) => piece.type === type)
        .map((piece) => piece.text)
        .join("");
    expect([joined("text"), joined("plan")]).toEqual([expected.text, expected.plan ?? ""]);
  });
});

describe("a history fit for a model", () => {
  const call = (id: string): ResponseItem => ({ type: "function_call", call_id: id, name: "n", arguments: "{}" });
  const output = (id: string): ResponseItem => ({ type: "function_call_output", call_id: id, output: "o" });
  const all = { modalities: ["text", "image", "audio"] as const };

  test("answers what was never answered, right after it, and drops answers without a call", () => {
    const items = [output("x"), call("1"), call("2"), output("2"), { type: "other" } as const];
    expect(normalizeHistory(items, all)).toEqual([
      call("1"),
      { type: "function_call_output", call_id: "1", output: "aborted" },
      call("2"),
      output("2"),
    ]);
    const custom: ResponseItem = { type: "custom_tool_call", call_id: "c", name: "apply_patch", input: "" };
    expect(normalizeHistory([custom], all)[1]).toEqual({
      type: "custom_tool_call_output",
      call_id: "c",
      output: "aborted",
    });
  });

  test("replaces what the model cannot take", () => {
    const message: ResponseItem = {
      type: "message",
      role: "user",
      content: [
        { type: "input_image", image_url: "data:x", detail: "high" },
        { type: "input_audio", audio_url: "data:y" },
        { type: "input_text", text: "t" },
      ],
    };
    expect(normalizeHistory([message], { modalities: ["text"] })).toEqual([
      {
        ...message,
        content: [
          { type: "input_text", text: "image content omitted because you do not support image input" },
          { type: "input_text", text: "audio content omitted because you do not support audio input" },
          { type: "input_text", text: "t" },
        ],
      },
    ]);
    expect(normalizeHistory([message], all)[0]).toBe(message);
  });
});

describe("a person's message", () => {
  test("joins texts, moves their elements by bytes, and fills placeholders in", () => {
    const content = [
      { type: "text" as const, text: "é", text_elements: [{ byte_range: { start: 0, end: 2 }, placeholder: null }] },
      { type: "mention" as const, name: "m", path: "p" },
      {
        type: "text" as const,
        text: "a@f b",
        text_elements: [
          { byte_range: { start: 1, end: 3 }, placeholder: null },
          { byte_range: { start: 0, end: 99 } },
          { byte_range: { start: 4, end: 5 }, placeholder: "own" },
        ],
      },
    ];
    expect(textElementsOf(content)).toEqual([
      { byte_range: { start: 0, end: 2 }, placeholder: "é" },
      { byte_range: { start: 3, end: 5 }, placeholder: "@f" },
      { byte_range: { start: 2, end: 101 }, placeholder: null },
      { byte_range: { start: 6, end: 7 }, placeholder: "own" },
    ]);
    expect(userMessageEvent(content, "cid")).toMatchObject({ message: "éa@f b", client_id: "cid" });
  });

  test("keeps attachments apart, with details only as far as they say something", () => {
    const event = userMessageEvent(
      [
        { type: "image", image_url: "u1" },
        { type: "image", image_url: "u2", detail: "low" },
        { type: "image", image_url: "u3" },
        { type: "local_image", path: "/l" },
        { type: "audio", audio_url: "a" },
        { type: "local_audio", path: "/la" },
        { type: "skill", name: "s", path: "/s" },
      ],
      null,
    );
    expect(event).toEqual({
      type: "user_message",
      message: "",
      images: ["u1", "u2", "u3"],
      image_details: [null, "low"],
      local_images: ["/l"],
      audio: ["a"],
      local_audio: ["/la"],
      text_elements: [],
    });
  });
});

describe("settings", () => {
  const current = {
    model: "m",
    model_provider_id: "p",
    cwd: "/",
    approval_policy: "never" as const,
    sandbox_policy: { type: "danger-full-access" as const },
    collaboration_mode: { mode: "default" as const, settings: { model: "m", developer_instructions: null } },
  };
  const features = { defaultModeQuestions: false };

  test("a mode without instructions gets ours, and its model holds", () => {
    const next = previewSettings(
      current,
      { collaboration_mode: { mode: "plan", settings: { model: "n", developer_instructions: null } } },
      features,
    );
    expect(next.model).toBe("n");
    expect(next.collaboration_mode.settings.developer_instructions).toMatch(/^# Plan Mode/);
    const own = previewSettings(
      current,
      { collaboration_mode: { mode: "plan", settings: { model: "n", developer_instructions: "mine" } } },
      features,
    );
    expect(own.collaboration_mode.settings.developer_instructions).toBe("mine");
  });

  test("a model or effort reaches the mode too; nothing given changes nothing", () => {
    const next = previewSettings(current, { model: "n", effort: "high" }, features);
    expect(next).toMatchObject({
      model: "n",
      reasoning_effort: "high",
      collaboration_mode: { settings: { model: "n", reasoning_effort: "high" } },
    });
    expect(previewSettings(current, undefined, features)).toBe(current);
    expect(previewSettings(current, {}, features)).toEqual(current);
  });
});
