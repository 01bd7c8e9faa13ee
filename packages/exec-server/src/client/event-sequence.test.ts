import type { ProcessReadResponse } from "@turnkit/protocol/exec";
import fc from "fast-check";
import { expect, test } from "vitest";
import { EventSequence, type SequencedEvent } from "./event-sequence.js";

const output = (seq: number, size = 1): SequencedEvent => ({
  type: "output",
  seq,
  stream: "stdout",
  bytes: Buffer.alloc(size, seq),
});
const exited = (seq: number): SequencedEvent => ({ type: "exited", seq, exitCode: 3, sandboxDenied: false });
const closed = (seq: number): SequencedEvent => ({ type: "closed", seq });

function collect() {
  const events: SequencedEvent[] = [];
  const sequence = new EventSequence((event) => events.push(event));
  return { events, sequence };
}

function replay(seqs: readonly number[], more: Partial<ProcessReadResponse>): ProcessReadResponse {
  const chunks = seqs.map((seq) => ({
    seq,
    stream: "stdout" as const,
    chunk: Buffer.alloc(1, seq).toString("base64"),
  }));
  return { chunks, nextSeq: 1, exited: false, exitCode: null, closed: false, failure: null, ...more };
}

test("any order with any duplicates comes out once and in order", () => {
  const all = [output(1), output(2), exited(3), output(4), output(5), closed(6)];
  fc.assert(
    fc.property(fc.shuffledSubarray([...all, ...all], { minLength: 12 }), (shuffled) => {
      const { events, sequence } = collect();
      for (const event of shuffled) expect(sequence.add(event)).toBe(true);
      expect(events).toEqual(all);
    }),
  );
});

test("has room for 256 events and a megabyte that come early", () => {
  const { sequence } = collect();
  for (let seq = 2; seq < 258; seq++) expect(sequence.add(output(seq))).toBe(true);
  expect(sequence.add(output(258))).toBe(false);
  expect(sequence.add(output(2))).toBe(true);
  const { sequence: big } = collect();
  expect(big.add(output(2, 1 << 20))).toBe(true);
  expect(big.add(output(3))).toBe(false);
});

test("finds the endings that a replay does not carry", () => {
  const cases: [string, readonly number[], Partial<ProcessReadResponse>, SequencedEvent[]][] = [
    ["running", [1, 2], { nextSeq: 3 }, [output(1), output(2)]],
    ["exited last", [1, 2], { nextSeq: 4, exited: true, exitCode: 3 }, [output(1), output(2), exited(3)]],
    ["exited between", [1, 3], { nextSeq: 4, exited: true, exitCode: 3 }, [output(1), exited(2), output(3)]],
    [
      "closed",
      [1, 3],
      { nextSeq: 5, exited: true, exitCode: 3, closed: true },
      [output(1), exited(2), output(3), closed(4)],
    ],
    ["silent", [], { nextSeq: 3, exited: true, exitCode: 3, closed: true }, [exited(1), closed(2)]],
  ];
  for (const [name, seqs, more, wanted] of cases) {
    const { events, sequence } = collect();
    sequence.addReplay(replay(seqs, more));
    expect(events, name).toEqual(wanted);
  }
});

test("uses what came early when a replay leaves it out", () => {
  const { events, sequence } = collect();
  sequence.add(output(3));
  sequence.add(exited(4));
  sequence.addReplay(replay([1, 2], { nextSeq: 3 }));
  expect(events).toEqual([output(1), output(2), output(3), exited(4)]);
});

test("a gap in the replay is an error that names how far it was to go", () => {
  for (const [seqs, more] of [
    [[4, 5], { nextSeq: 6 }],
    [[1, 4], { nextSeq: 5, exited: true, exitCode: 0 }],
    [[3], { nextSeq: 6, exited: true, exitCode: 0, closed: true }],
  ] as const) {
    const { events, sequence } = collect();
    expect(() => sequence.addReplay(replay(seqs, more))).toThrow(
      `process events are no longer retained while recovering through sequence ${more.nextSeq - 1}`,
    );
    expect(events).toEqual([]);
  }
});
