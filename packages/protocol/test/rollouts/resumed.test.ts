/** What 0.171.0 made of each file it resumed, against ours: turns, statuses, item kinds, model input. */
import { describe, expect, test } from "vitest";
import type { ResponseItem } from "../../src/index.js";
import { convertRollout, projectThread, rebuildModelInput, resolveHistory } from "../../src/rollout/index.js";
import { ancestorsOf, bytesOf, type ResumedRow, read, resumed, text, versions } from "./corpus.js";

/** Files of which the reference shows less than there is. */
const droppedByReference: Readonly<Record<string, string>> = {
  "0.39.0/proto.jsonl": "the entered_review_mode event of its time is refused",
  "0.42.0/proto.jsonl": "the entered_review_mode event of its time is refused",
  "0.98.0/as-plan.jsonl": "item_completed without times is refused, and the plan with it",
  "0.104.0/as-extended.jsonl": "exec_command_end, dynamic_tool_call_response and error of their time are refused",
  "0.110.0/as-extended.jsonl": "exec_command_end, dynamic_tool_call_response and error of their time are refused",
  "0.116.0/as-extended.jsonl": "exec_command_end, dynamic_tool_call_response and error of their time are refused",
  "0.122.0/as-extended.jsonl": "exec_command_end, dynamic_tool_call_response and error of their time are refused",
  "0.128.0/as-extended.jsonl": "exec_command_end, dynamic_tool_call_response and error of their time are refused",
  "0.153.0/as-fork-2.jsonl": "the turns a fork inherits are sent to the model but not shown",
  "0.155.0/as-fork-2.jsonl": "the turns a fork inherits are sent to the model but not shown",
  "0.166.0/as-fork-2.jsonl": "the turns a fork inherits are sent to the model but not shown",
  "0.171.0/as-fork-2.jsonl": "the turns a fork inherits are sent to the model but not shown",
};

const rows = resumed.filter((row) => row.resume === "ok");

async function load(row: ResumedRow) {
  const records = await read(text(row.from, row.file));
  const history = await resolveHistory(records, ancestorsOf(row.from, row.file));
  expect(history.missing).toEqual([]);
  return { records, inherited: history.inherited };
}

function kind(item: ResponseItem): string {
  if (item.type === "message" || item.type === "additional_tools") return `${item.type}:${item.role}`;
  return item.type;
}

/**
 * The reference's request begins with developer items of its own and ends with context and the new message; between
 * them must lie our input, whole and in order.
 */
function isInside(own: readonly string[], theirs: readonly string[]): boolean {
  const before = /^(message:developer|additional_tools:developer|configuration_update)$/;
  const after = /^(message:developer|message:user|additional_tools:developer|configuration_update)$/;
  for (let start = 0; start + own.length <= theirs.length; start++) {
    const end = start + own.length;
    if (own.every((one, index) => theirs[start + index] === one) && theirs.slice(end).every((one) => after.test(one))) {
      return true;
    }
    if (!before.test(theirs[start] as string)) return false;
  }
  return false;
}

test("the table is whole", () => {
  expect({ rows: resumed.length, resumed: rows.length }).toEqual({ rows: 259, resumed: 250 });
  expect(new Set(resumed.map((row) => row.from)).size).toBe(versions.length);
});

describe.each([...new Set(rows.map((row) => row.from))])("%s", (version) => {
  const own = rows.filter((row) => row.from === version);

  test("turns, statuses and kinds of items", async () => {
    for (const row of own) {
      const { records, inherited } = await load(row);
      const thread = projectThread(records, { inherited });
      const name = `${row.from}/${row.file}`;
      const ours = thread.turns.map(({ status, items }) => ({ status, items: items.map((item) => item.type) }));
      const theirs = row.turns.map(({ status, items }) => ({ status, items: [...items] }));
      if (name in droppedByReference) {
        expect({ name, differs: JSON.stringify(ours) !== JSON.stringify(theirs) }).toEqual({ name, differs: true });
        const count = (turns: { items: string[] }[]) => turns.reduce((sum, turn) => sum + turn.items.length, 0);
        expect(count(ours)).toBeGreaterThan(count(theirs));
      } else {
        expect({ name, turns: ours }).toEqual({ name, turns: theirs });
      }
      expect({
        name,
        preview: thread.preview,
        cliVersion: thread.cliVersion,
        historyMode: thread.historyMode,
        forkedFromId: thread.forkedFromId,
      }).toEqual({
        name,
        preview: row.thread.preview,
        cliVersion: row.thread.cliVersion,
        historyMode: row.thread.historyMode,
        forkedFromId: row.thread.forkedFromId,
      });
    }
  });

  test("model input", async () => {
    for (const row of own) {
      const { records, inherited } = await load(row);
      const ours = rebuildModelInput(records, { inherited }).map(kind);
      const theirs = row.input.map((entry) => entry.split(" ")[0] as string);
      expect({ file: row.file, ours, theirs, inside: isInside(ours, theirs) }).toMatchObject({ inside: true });
    }
  });

  test("converted to 0.150 they are the same threads", async () => {
    for (const row of own) {
      const { records, inherited } = await load(row);
      const converted = await convertRollout(bytesOf(text(row.from, row.file)), {
        load: ancestorsOf(row.from, row.file),
      });
      expect(converted.losses).toEqual([]);
      const again = await read(`${converted.lines.join("\n")}\n`);
      expect(again.every((record) => record.kind === "line")).toBe(true);
      const shown = (thread: ReturnType<typeof projectThread>) =>
        thread.turns.map(({ status, items }) => ({ status, items: items.map((item) => item.type) }));
      expect({ file: row.file, turns: shown(projectThread(again)) }).toEqual({
        file: row.file,
        turns: shown(projectThread(records, { inherited })),
      });
      const kept = rebuildModelInput(records, { inherited }).filter(
        (item) => item.type !== "additional_tools" && item.type !== "configuration_update",
      );
      expect(rebuildModelInput(again).map(kind)).toEqual(kept.map(kind));
    }
  });
});
