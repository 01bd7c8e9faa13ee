import { expect, it } from "vitest";
import { mapSideBySide } from "./side-by-side.js";

const tick = () => new Promise((resolve) => setImmediate(resolve));

it("keeps the order, and never has more under way than it may", async () => {
  let running = 0;
  let most = 0;
  const values = Array.from({ length: 50 }, (_, at) => at);
  const results = await mapSideBySide(values, 4, async (value) => {
    most = Math.max(most, ++running);
    for (let ticks = value % 5; ticks >= 0; ticks--) await tick();
    running--;
    return value * 2;
  });
  expect(results).toEqual(values.map((value) => value * 2));
  expect(most).toBe(4);
  expect(await mapSideBySide([], 4, async () => 1)).toEqual([]);
});

it("throws the first failure and begins nothing after it", async () => {
  const begun: number[] = [];
  const work = async (value: number) => {
    begun.push(value);
    await tick();
    if (value === 1) throw new Error("no");
  };
  await expect(mapSideBySide([0, 1, 2, 3, 4, 5], 2, work)).rejects.toThrow("no");
  await tick();
  await tick();
  expect(begun.length).toBeLessThan(5);
});
