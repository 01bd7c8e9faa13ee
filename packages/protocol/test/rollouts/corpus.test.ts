/** Every file of the corpus: read without a loss, written back as it was, validated as today's shape. */
import { decompress } from "fzstd";
import { describe, expect, test } from "vitest";
import { readRolloutLine } from "../../src/legacy/index.js";
import {
  formatRecord,
  parseRolloutFileName,
  projectThread,
  type RolloutRecord,
  rebuildModelInput,
} from "../../src/rollout/index.js";
import { validators } from "../../src/validate/index.js";
import { bundle, plainFiles, read, text, versions } from "./corpus.js";

/** Lines of versions after 0.150, or of features that ended before it: nothing here reads them. */
const opaqueTypes = ["response_item/ghost_snapshot", "state"];

async function* unzstd(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of source) parts.push(part);
  yield decompress(Buffer.concat(parts));
}

test("the corpus is whole", () => {
  expect(versions).toHaveLength(36);
  expect([versions[0], versions.at(-1)]).toEqual(["0.8.0", "0.171.0"]);
  expect(versions.reduce((sum, version) => sum + plainFiles(version).length, 0)).toBe(646);
});

/** Looking at 50,000 lines one `expect` at a time takes longer than reading them: what is wrong is gathered first. */
function faults(record: RolloutRecord): string[] {
  if (record.kind === "loss") return [record.reason];
  if (record.kind === "opaque") return opaqueTypes.includes(record.type) ? [] : [`unknown type ${record.type}`];
  if (!validators.RolloutLine(record.value)) return ["not today's shape"];
  const again = readRolloutLine(JSON.parse(JSON.stringify(record.value)));
  if (!again.ok) return ["not read again"];
  if (again.upgraded.length > 0) return [`upgraded again: ${again.upgraded}`];
  return JSON.stringify(again.value) === JSON.stringify(record.value) ? [] : ["read again as something else"];
}

describe.each(versions)("%s", (version) => {
  test("no loss, round trips, today's shape", async () => {
    for (const file of plainFiles(version)) {
      const content = text(version, file);
      const records = await read(content);
      const wrong = records.flatMap((record) => faults(record).map((fault) => ({ file, line: record.line, fault })));
      expect(wrong).toEqual([]);
      expect({ file, same: records.map(formatRecord).join("\n") === content.trimEnd() }).toEqual({ file, same: true });
    }
  });

  test("every file projects to valid turns and valid input", async () => {
    for (const file of plainFiles(version)) {
      const records = await read(text(version, file));
      const thread = projectThread(records);
      expect({
        file,
        named: thread.threadId !== null,
        turns: thread.turns.filter((turn) => !validators.Turn(turn)),
        input: rebuildModelInput(records).filter((item) => !validators.ResponseItem(item)),
      }).toEqual({ file, named: true, turns: [], input: [] });
    }
  });
});

test("compressed files read as the plain ones", async () => {
  const compressed = versions.flatMap((version) =>
    Object.entries(bundle(version)).flatMap(([file, content]) => (file.endsWith(".zst") ? [content] : [])),
  );
  expect(compressed).toHaveLength(5);
  for (const content of compressed) {
    const packed = Buffer.from(content, "base64");
    const records = await read(packed, { decompress: unzstd });
    expect(records.length).toBeGreaterThan(5);
    expect(records.every((record) => record.kind !== "loss")).toBe(true);
    expect(await read(packed)).toEqual([
      { kind: "loss", line: 0, end: 0, reason: "the file is compressed and there is no decompressor" },
    ]);
    const cut = await read(packed.subarray(0, packed.length / 2), { decompress: unzstd });
    expect(cut.at(-1)).toMatchObject({ kind: "loss", reason: expect.stringContaining("reading stopped") });
  }
});

test("names tell the thread, the file and the time", () => {
  const thread = "01a22dcc-463f-7dd0-a008-6ade2c54bf77";
  const revert = "01a22dcc-0000-7dd0-a008-6ade2c54bf77";
  expect(parseRolloutFileName(`/a/b/rollout-2026-11-30T18-51-31-${thread}.jsonl`)).toEqual({
    threadId: thread,
    startedAt: "2026-11-30T18-51-31",
    compressed: false,
  });
  expect(parseRolloutFileName(`rollout-2026-11-30T18-51-31-${thread}_${revert}.jsonl.zst`)).toEqual({
    threadId: thread,
    rolloutId: revert,
    startedAt: "2026-11-30T18-51-31",
    compressed: true,
  });
  expect(parseRolloutFileName(`${thread}.jsonl`)).toBeUndefined();
});
