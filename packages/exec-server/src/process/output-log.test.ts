import { expect, test } from "vitest";
import { OutputLog, RETAINED_BYTES, RETAINED_CHUNKS } from "./output-log.js";

test("one sequence for output and both endings, in the order they came", () => {
  const log = new OutputLog();
  log.output("stdout", Buffer.from("a"));
  log.exit(3, false);
  log.output("stderr", Buffer.from("b"));
  log.close();
  expect(log.events().map((event) => ("seq" in event ? [event.type, event.seq] : []))).toEqual([
    ["output", 1],
    ["exited", 2],
    ["output", 3],
    ["closed", 4],
  ]);
  expect(log.nextSeq).toBe(5);
  expect([...log.after(1)].map(({ seq }) => seq)).toEqual([3]);
});

test("keeps the newest megabyte in whole chunks", () => {
  const log = new OutputLog();
  for (let index = 0; index < 200; index++) log.output("pty", Buffer.alloc(8192));
  const kept = [...log.after(0)];
  expect(kept.length).toBe(RETAINED_BYTES / 8192);
  expect(kept.at(-1)?.seq).toBe(200);
  expect(kept[0]?.seq).toBe(200 - kept.length + 1);
});

test("keeps the newest 50,000 chunks", () => {
  const log = new OutputLog();
  for (let index = 0; index < RETAINED_CHUNKS + 5_000; index++) log.output("pty", Buffer.alloc(1));
  expect([...log.after(0)].length).toBe(RETAINED_CHUNKS);
  expect(log.after(0).next().value?.seq).toBe(5_001);
});
