/** Mutated lines never crash the server, and every line that is a request gets exactly one reply. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatId, parseMessage } from "@turnkit/rpc";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createInProcessAppServer } from "../src/in-process.js";
import { FakeHost } from "./fake-host.js";

const lineCount = process.env.TURNKIT_SOAK === "1" ? 50_000 : 1_200;

const threadId = fc.constantFrom(
  "00000000-0000-7000-8000-000000000001",
  "nope",
  "",
  "01a22db4-eb18-7a30-b419-aa902ae17000",
);
const params = fc.oneof(
  fc.record({
    threadId,
    input: fc.array(fc.record({ type: fc.constantFrom("text", "image", "video"), text: fc.string() })),
  }),
  fc.record({ threadId, expectedTurnId: fc.string(), input: fc.jsonValue() }),
  fc.record({ threadId, turnId: fc.string() }),
  fc.record({ threadId, includeTurns: fc.boolean() }),
  fc.record({ cwd: fc.string() }),
  fc.jsonValue(),
);
const method = fc.constantFrom(
  "initialize",
  "thread/start",
  "thread/read",
  "thread/resume",
  "thread/list",
  "thread/unsubscribe",
  "turn/start",
  "turn/steer",
  "thread/queue/add",
  "model/list",
  "foo/bar",
  "item/tool/requestUserInput",
);
const id = fc.oneof({ arbitrary: fc.nat(), weight: 6 }, fc.string(), fc.double(), fc.constant(null));
const message = fc.oneof(
  { arbitrary: fc.record({ id, method, params }), weight: 4 },
  fc.record({ id, method, params, result: fc.jsonValue() }, { requiredKeys: [] }),
);
/** A line, and a place and a byte to damage it with. */
const line = fc
  .tuple(
    message,
    fc.option(
      fc.tuple(fc.double({ min: 0, max: 0.999, noNaN: true }), fc.constantFrom("", "{", '"', ",", "9", "\\", "\u2028")),
    ),
  )
  .map(([value, damage]) => {
    const text = JSON.stringify(value);
    if (damage === null) return text;
    const at = Math.floor(damage[0] * text.length);
    return text.slice(0, at) + damage[1] + text.slice(at + 1);
  });

it(`${lineCount} damaged lines`, { timeout: 600_000 }, async () => {
  const host = new FakeHost();
  await using server = createInProcessAppServer({
    home: mkdtempSync(join(tmpdir(), "fuzz-")),
    host: async () => host.host,
  });
  const replies = new Map<string, number>();
  const { transport } = server;
  transport.onMessage((text) => {
    const reply = parseMessage(text);
    if (reply.kind !== "result" && reply.kind !== "error") return;
    const id = formatId(reply.id);
    replies.set(id, (replies.get(id) ?? 0) + 1);
  });
  transport.send('{"id":"hello","method":"initialize","params":{"clientInfo":{"name":"fuzz","version":"1"}}}');
  const expected = new Map<string, number>();
  const lines = fc.sample(line, { numRuns: lineCount, seed: Number(process.env.TURNKIT_SEED ?? 1) });
  for (const [index, text] of lines.entries()) {
    const sent = parseMessage(text);
    // turn/interrupt replies with its turn; it is left out so that every request here has a reply of its own.
    if (sent.kind === "request") expected.set(formatId(sent.id), (expected.get(formatId(sent.id)) ?? 0) + 1);
    transport.send(text);
    // Also the pace of a real client: bursts, but not without end.
    if (index % 50 === 49)
      await expect.poll(() => total(replies) - 1, { timeout: 30_000, interval: 1 }).toBe(total(expected));
  }
  await expect.poll(() => total(replies) - 1, { timeout: 30_000 }).toBe(total(expected));
  replies.delete('"hello"');
  expect(Object.fromEntries(replies)).toEqual(Object.fromEntries(expected));
  expect(total(expected)).toBeGreaterThan(lineCount / 8);
});

const total = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0);
