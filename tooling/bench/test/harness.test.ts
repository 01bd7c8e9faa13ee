import { expect, test } from "vitest";
import { interleave } from "../src/measure.mjs";
import { childEnvironment } from "../src/programs.mjs";
import { asJson, missed, table } from "../src/report.mjs";
import { quantile, summarize } from "../src/statistics.mjs";

test("variants take turns, and warm-up rounds are not counted", async () => {
  const order: string[] = [];
  const samples = await interleave(2, {
    a: (round) => {
      order.push(`a${round}`);
      return round;
    },
    b: async (round) => {
      order.push(`b${round}`);
      return 10 + round;
    },
  });
  expect(order).toEqual(["a-1", "b-1", "a0", "b0", "a1", "b1"]);
  expect(samples).toEqual({ a: [0, 1], b: [10, 11] });
});

test("work that returns nothing is timed", async () => {
  const { a } = await interleave(3, { a: () => {} }, { warmUp: 0 });
  expect(a).toHaveLength(3);
  for (const ms of a) expect(ms).toBeGreaterThanOrEqual(0);
});

test("quantiles", () => {
  expect(quantile([3, 1, 2], 0.5)).toBe(2);
  expect(summarize([5, 1, 9, 7])).toEqual({ median: 7, min: 1, p95: 9, count: 4 });
});

test("the table shows medians, the ratio and whether the bound is met", () => {
  const rows = [
    {
      work: "turn",
      unit: "ms",
      samples: { ours: [10, 12, 11], genuine: [40, 44, 42] },
      bound: { of: "genuine", most: 0.3 },
    },
    { work: "rate", unit: "turns/s", samples: { ours: [50], genuine: [20] }, bound: { of: "genuine", least: 4 } },
    { work: "alone", unit: "ms", samples: { ours: [1] }, bound: { of: "genuine", most: 1 } },
  ];
  expect(table(rows).split("\n")).toEqual(
    [
      "work   unit     ours (min)  genuine (min)  ratio   bound",
      "turn   ms      11.0 (10.0)    42.0 (40.0)  0.26x  <= 0.3      ok",
      "rate   turns/s        50.0           20.0  2.50x    >= 4  MISSED",
      "alone  ms             1.00",
    ].map((line) => expect.stringMatching(new RegExp(`^${line.replace(/[.()]/g, "\\$&").replace(/ +/g, " +")}$`))),
  );
  expect(missed(rows).map(({ work }) => work)).toEqual(["rate"]);
  expect(asJson("x", rows).rows[0]!.variants).toEqual({
    ours: { median: 11, min: 10, p95: 12, count: 3 },
    genuine: { median: 42, min: 40, p95: 44, count: 3 },
  });
});

test("children get no extra certificates", () => {
  expect(childEnvironment({ A: "1" })).toMatchObject({ A: "1" });
  expect(childEnvironment()).not.toHaveProperty("NODE_EXTRA_CA_CERTS");
});
