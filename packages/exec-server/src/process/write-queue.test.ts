import { expect, test } from "vitest";
import { WriteQueue } from "./write-queue.js";

/** A sink that takes one chunk at a time, when told to. */
function slowSink() {
  const written: string[] = [];
  let finish: (() => void) | undefined;
  let fail: ((error: Error) => void) | undefined;
  const queue = new WriteQueue((bytes) => {
    written.push(Buffer.from(bytes).toString());
    return new Promise((resolve, reject) => {
      finish = resolve;
      fail = reject;
    });
  });
  const settle = async (error?: Error) => {
    if (error) fail?.(error);
    else finish?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { queue, written, settle };
}

test("keeps order, and lets 129 wait before a writer has to", async () => {
  const { queue, written, settle } = slowSink();
  for (let index = 0; index < 129; index++) {
    expect(queue.reserve()).toBe(true);
    queue.send(Buffer.from(String(index)));
  }
  const waiting = queue.reserve();
  expect(waiting).toBeInstanceOf(Promise);
  await settle();
  expect(await waiting).toBe(true);
  queue.send(Buffer.from("last"));
  for (let index = 0; index < 129; index++) await settle();
  expect(written).toEqual([...Array.from({ length: 129 }, (_, index) => String(index)), "last"]);
});

test("after the reader is gone writes are taken and vanish", async () => {
  const { queue, written, settle } = slowSink();
  for (const text of ["one", "two"]) {
    expect(queue.reserve()).toBe(true);
    queue.send(Buffer.from(text));
  }
  await settle(new Error("EPIPE"));
  expect(queue.reserve()).toBe(true);
  queue.send(Buffer.from("three"));
  expect(written).toEqual(["one"]);
});

test("after a termination writers are refused, waiting ones too", async () => {
  const { queue } = slowSink();
  for (let index = 0; index < 129; index++) {
    await queue.reserve();
    queue.send(Buffer.from("x"));
  }
  const waiting = queue.reserve();
  queue.refuse();
  expect(await waiting).toBe(false);
  expect(queue.reserve()).toBe(false);
});

test("ends after what was sent", async () => {
  const { queue, settle } = slowSink();
  await queue.reserve();
  queue.send(Buffer.from("x"));
  let ended = false;
  queue.end(() => {
    ended = true;
  });
  expect(ended).toBe(false);
  await settle();
  expect(ended).toBe(true);
});
