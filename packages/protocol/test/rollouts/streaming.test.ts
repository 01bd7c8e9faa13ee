/** Framing and size: lines end at a line feed only, chunks may lie anywhere, a long file takes little memory. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { collectRollout, type RolloutRecord, readRollout, validateRollout } from "../../src/rollout/index.js";
import { bytesOf, text } from "./corpus.js";

const soak = process.env.TURNKIT_SOAK === "1";
const line = (message: string) =>
  `{"timestamp":"2026-01-01T00:00:00Z","type":"event_msg","payload":{"type":"warning","message":"${message}"}}`;
const head =
  '{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"t","timestamp":"2026-01-01T00:00:00Z","cwd":"/","originator":"o","cli_version":"0.150.0"}}';

describe("framing", () => {
  test("chunks may be cut anywhere, inside characters too", async () => {
    const bytes = Buffer.from(`${head}\n${line("é👍\u2028x")}\r\n\n${line("b")}`);
    const whole = await collectRollout(bytesOf(bytes));
    expect(whole.map((record) => [record.kind, record.line, record.end])).toEqual([
      ["line", 1, head.length + 1],
      ["line", 2, bytes.length - line("b").length - 1],
      ["line", 4, bytes.length],
    ]);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 12 }), async (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const parts = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
        expect(await collectRollout(bytesOf(...parts))).toEqual(whole);
      }),
      { numRuns: 60 },
    );
  });

  test.each([1, 3, 10, 100])("a producer may reuse its buffer of %i bytes", async (size) => {
    const bytes = Buffer.from(`${head}\n${line("b")}\n`);
    async function* reused(): AsyncGenerator<Uint8Array> {
      const buffer = Buffer.alloc(size);
      for (let at = 0; at < bytes.length; at += size) {
        const length = bytes.copy(buffer, 0, at, Math.min(at + size, bytes.length));
        yield buffer.subarray(0, length);
      }
    }
    expect(await collectRollout(reused())).toEqual(await collectRollout(bytesOf(bytes)));
  });

  test("an overlong line is one loss, and the rest is read", async () => {
    const content = `${head}\n${line("x".repeat(5000))}\n${line("b")}\n`;
    const records = await collectRollout(bytesOf(content.slice(0, 3000), content.slice(3000)), { maxLineBytes: 1000 });
    expect(records.map((record) => record.kind)).toEqual(["line", "loss", "line"]);
    expect(records[1]).toMatchObject({ line: 2, reason: `the line has ${line("x".repeat(5000)).length} bytes` });
  });

  test("values that are not lines are losses with a reason", async () => {
    const records = await collectRollout(bytesOf(`${head}\n[1]\n5\n"x"\n{}\n{"type":"event_msg","payload":{}}\n`));
    expect(records.filter((record) => record.kind === "loss").map((record) => [record.line, record.reason])).toEqual([
      [2, "value must be object"],
      [3, "value must be object"],
      [4, "value must be object"],
      [5, "type is required"],
      [6, "payload.type is required"],
    ]);
  });

  test("a stream that fails is reported, not thrown", async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(`${head}\n`);
      throw new Error("disk gone");
    }
    const records: RolloutRecord[] = [];
    for await (const record of readRollout(failing())) records.push(record);
    expect(records.at(-1)).toEqual({ kind: "loss", line: 0, end: 0, reason: "reading stopped: disk gone" });
    expect(records).toHaveLength(2);
  });
});

test("a long file is read in little memory", async () => {
  const block = Buffer.from(text("0.150.0", "exec-default.jsonl").split("\n").slice(1).join("\n"));
  const bytes = soak ? 1024 ** 3 : 48 * 1024 ** 2;
  let most = 0;
  async function* long(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`${head}\n`);
    for (let sent = 0; sent < bytes; sent += block.length) {
      yield block;
      most = Math.max(most, process.memoryUsage().rss);
    }
  }
  const before = process.memoryUsage().rss;
  const report = await validateRollout(long());
  expect(report.ok).toBe(true);
  expect(report.lines).toBeGreaterThan(bytes / 20_000);
  expect(most - before).toBeLessThan(150 * 1024 ** 2);
});
