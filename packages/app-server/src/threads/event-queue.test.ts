import { expect, it } from "vitest";
import { EventQueue } from "./event-queue.js";

const nextStep = () => new Promise<void>((resolve) => setImmediate(resolve));

it("runs at once, in order, also what is pushed while running", () => {
  const queue = new EventQueue();
  const seen: number[] = [];
  queue.push(() => {
    queue.push(() => seen.push(2));
    seen.push(1);
  });
  queue.push(() => seen.push(3));
  expect(seen).toEqual([1, 2, 3]);
});

it("holds back until every hold was released, and then waits one step", async () => {
  const queue = new EventQueue();
  const seen: string[] = [];
  const [first, second] = [queue.hold(), queue.hold()];
  queue.pushEarly(() => seen.push("early"));
  queue.push(() => seen.push("held"));
  queue.pushEarly(() => seen.push("behind"));
  first();
  first();
  await nextStep();
  expect(seen).toEqual(["early"]);
  second();
  expect(seen).toEqual(["early"]);
  await nextStep();
  expect(seen).toEqual(["early", "held", "behind"]);
});
