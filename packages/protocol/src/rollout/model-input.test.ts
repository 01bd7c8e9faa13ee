import { describe, expect, it } from "vitest";
import type { ResponseItem } from "../agent/response-item.js";
import { rebuildModelHistory, rebuildModelInput } from "./model-input.js";
import type { RolloutRecord } from "./records.js";

const message = (role: string, text: string): ResponseItem =>
  ({ type: "message", role, content: [{ type: "input_text", text }] }) as ResponseItem;

let line = 0;
function record(type: string, payload: unknown): RolloutRecord {
  line += 1;
  return {
    kind: "line",
    line,
    value: { timestamp: "2026-01-01T00:00:00Z", type, payload },
  } as unknown as RolloutRecord;
}
const started = (id: string) => record("event_msg", { type: "task_started", turn_id: id, model_context_window: null });
const turn = (text: string) => [
  started(text),
  record("response_item", message("user", text)),
  record("response_item", message("assistant", `re ${text}`)),
];
const compacted = (...kept: string[]) =>
  record("compacted", {
    message: "summary",
    replacement_history: [...kept, "summary"].map((text) => message("user", text)),
  });
const rolledBack = (turns: number) => record("event_msg", { type: "thread_rolled_back", num_turns: turns });
const texts = (records: readonly RolloutRecord[]) =>
  rebuildModelInput(records).map((item) =>
    item.type === "message" ? item.content.map((part) => ("text" in part ? part.text : "")).join("") : item.type,
  );

describe("rolling back over a compaction", () => {
  const summary = record("response_item", message("assistant", "summary"));
  const manual = [...turn("a"), ...turn("b"), started("c"), summary, compacted("a", "b"), ...turn("d"), ...turn("e")];

  it.each([
    { turns: 1, left: ["a", "b", "summary", "d", "re d"] },
    { turns: 2, left: ["a", "b", "summary"] },
    { turns: 3, left: ["a", "re a", "b", "re b"] },
    { turns: 4, left: ["a", "re a"] },
    { turns: 9, left: [] },
  ])("of $turns turns leaves $left", ({ turns, left }) => {
    expect(texts([...manual, rolledBack(turns)])).toEqual(left);
  });

  it("counts a compaction inside a turn with its turn", () => {
    const records = [
      ...turn("a"),
      ...turn("b"),
      compacted("a", "b"),
      record("response_item", message("assistant", "on")),
    ];
    expect(texts([...records, rolledBack(1)])).toEqual(["a", "re a"]);
  });

  it("counts a compaction before a turn's message with that turn", () => {
    const message_ = record("response_item", message("user", "b"));
    const records = [...turn("a"), started("b"), compacted("a"), message_];
    expect(texts([...records, rolledBack(1)])).toEqual(["a", "summary"]);
  });

  it("goes back over several compactions", () => {
    const records = [...turn("a"), started("x"), compacted("a"), ...turn("b"), started("y"), compacted("a", "b")];
    expect(texts([...records, rolledBack(3)])).toEqual(["a", "re a"]);
  });

  it("says how much of the history stands for what was compacted", () => {
    const { items, replaced } = rebuildModelHistory(manual);
    expect([replaced?.standIns, replaced?.ownTurn, items.length]).toEqual([3, true, 7]);
  });
});
