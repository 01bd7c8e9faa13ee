import { describe, expect, it } from "vitest";
import type { ServerNotification } from "../../client/app-connection.js";
import { historyCells } from "./item-cells.js";
import type { ReasoningShown } from "./reasoning-shown.js";
import { emptyTranscript, reduceTranscript } from "./transcript-state.js";

const ids = { threadId: "t", turnId: "u", itemId: "r" };
const item = { type: "reasoning", id: "r", summary: ["One.", "Two."], content: ["raw one", "raw two"] };

/** Everything that the server tells of one thought. */
const THOUGHT = [
  { method: "item/started", params: { ...ids, item: { type: "reasoning", id: "r", summary: [], content: [] } } },
  { method: "item/reasoning/summaryPartAdded", params: { ...ids, summaryIndex: 0 } },
  { method: "item/reasoning/summaryTextDelta", params: { ...ids, summaryIndex: 0, delta: "One." } },
  { method: "item/reasoning/summaryPartAdded", params: { ...ids, summaryIndex: 1 } },
  { method: "item/reasoning/summaryTextDelta", params: { ...ids, summaryIndex: 1, delta: "Two." } },
  { method: "item/reasoning/textDelta", params: { ...ids, contentIndex: 0, delta: "raw one" } },
] as unknown as ServerNotification[];
const END = { method: "item/completed", params: { ...ids, item } } as unknown as ServerNotification;

function shown(reasoning: ReasoningShown, notifications: readonly ServerNotification[]) {
  const { live, done } = notifications.reduce(reduceTranscript, { ...emptyTranscript, reasoning });
  return [...done, ...live.map(({ cell }) => cell)].map((cell) => (cell.kind === "reasoning" ? cell.text : cell.kind));
}

describe.each([
  ["summary", "One.\n\nTwo.", "One.\n\nTwo."],
  ["raw", "raw one", "raw one\n\nraw two"],
] as const)("%s", (reasoning, streaming, ended) => {
  it("is what streams in and what is there at the end", () => {
    expect(shown(reasoning, THOUGHT)).toEqual([streaming]);
    expect(shown(reasoning, [...THOUGHT, END])).toEqual([ended]);
  });

  it("is what a thread read from disk shows", () => {
    const turn = { id: "u", items: [item], status: "completed", error: null };
    expect(historyCells([turn as never], reasoning)).toEqual([{ kind: "reasoning", itemId: "r", text: ended }]);
  });
});

it("hidden thoughts are not shown at all", () => {
  expect(shown("hidden", [...THOUGHT, END])).toEqual([]);
  expect(shown("hidden", THOUGHT)).toEqual([]);
  expect(historyCells([{ id: "u", items: [item], status: "completed", error: null } as never], "hidden")).toEqual([]);
});

it("a summary stands in where the thoughts themselves are not told", () => {
  const end = { method: "item/completed", params: { ...ids, item: { ...item, content: [] } } };
  expect(shown("raw", [THOUGHT[0]!, end as unknown as ServerNotification])).toEqual(["One.\n\nTwo."]);
});
