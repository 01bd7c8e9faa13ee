import { expect, it } from "vitest";
import { ageText } from "./thread-rows.js";

const now = Date.UTC(2026, 11, 1, 12);

it.each([
  [0, "just now"],
  [59, "just now"],
  [-30, "just now"],
  [60, "1 min ago"],
  [59 * 60 + 59, "59 min ago"],
  [3_600, "1 h ago"],
  [86_399, "23 h ago"],
  [86_400, "1 d ago"],
  [7 * 86_400 - 1, "6 d ago"],
  [7 * 86_400, "2026-11-24"],
])("%d seconds earlier is %s", (seconds, text) => {
  expect(ageText(now - seconds * 1000, now)).toBe(text);
  expect(text.length).toBeLessThanOrEqual(10);
});
