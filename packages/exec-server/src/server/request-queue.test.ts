import { expect, test } from "vitest";
import { RequestQueue } from "./request-queue.js";

function gate() {
  let open: () => void = () => {};
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}

function queue(slots: number) {
  const order: string[] = [];
  const requests = new RequestQueue(slots, () => {});
  const run = (name: string, method: string, processId?: string, until?: Promise<void>, parks = false) =>
    requests.run(method, true, processId, (park) => {
      order.push(name);
      if (parks) park();
      return until ?? name;
    });
  return { order, run };
}

test("one slot: strictly in order", async () => {
  const { order, run } = queue(1);
  const first = gate();
  const one = run("one", "fs/readFile", undefined, first.promise);
  const two = run("two", "environment/status");
  const three = run("three", "process/terminate", "p");
  expect(order).toEqual(["one"]);
  first.open();
  await Promise.all([one, two, three]);
  expect(order).toEqual(["one", "two", "three"]);
});

test("one slot: endings overtake a parked read, but not a write to the same process", async () => {
  const { order, run } = queue(1);
  const read = gate();
  const all = [
    run("read", "process/read", "a", read.promise, true),
    run("write a", "process/write", "a"),
    run("terminate a", "process/terminate", "a"),
    run("read b", "process/read", "b"),
    run("signal b", "process/signal", "b"),
  ];
  expect(order).toEqual(["read", "signal b"]);
  read.open();
  await Promise.all(all);
  expect(order).toEqual(["read", "signal b", "write a", "terminate a", "read b"]);
});

test("several slots: at most that many, and cheap methods do not wait", async () => {
  const { order, run } = queue(2);
  const gates = [gate(), gate(), gate()];
  const all = gates.map(({ promise }, index) => run(`long ${index}`, "fs/readFile", undefined, promise));
  expect(run("status", "environment/status")).toBe("status");
  expect(order).toEqual(["long 0", "long 1", "status"]);
  for (const { open } of gates) open();
  await Promise.all(all);
  expect(order).toEqual(["long 0", "long 1", "status", "long 2"]);
});

test("work that throws gives its slot back", async () => {
  const requests = new RequestQueue(1, () => {});
  const failing = requests.run("fs/readFile", true, undefined, () => {
    throw new Error("broken");
  });
  await expect(failing).rejects.toThrow("broken");
  expect(requests.run("fs/readFile", true, undefined, () => "next")).toBe("next");
});

test("twenty thousand requests that are done at once do not grow the stack", async () => {
  const requests = new RequestQueue(1, () => {});
  const first = gate();
  let count = 0;
  const all = [requests.run("fs/readFile", true, undefined, () => first.promise)];
  for (let index = 0; index < 20_000; index++)
    all.push(requests.run("environment/status", true, undefined, () => ++count));
  first.open();
  await Promise.all(all);
  expect(count).toBe(20_000);
});
