import { expect, it } from "vitest";
import { lineText, plain, wrapLine } from "./style.js";

const wrapped = (text: string, width: number): string[] => wrapLine([plain(text)], width).map(lineText);

it.each([
  ["at spaces", "one two three", 8, ["one two", "three"]],
  ["a path between folders", "~/sessions/2026/rollout-01.jsonl", 20, ["~/sessions/2026/", "rollout-01.jsonl"]],
  ["a path after the words before it", "see /usr/share/doc/a-long-name", 16, ["see", "/usr/share/doc/", "a-long-name"]],
  ["a name that is longer than a row", "~/abcdefghijklmnop", 10, ["~/abcdefgh", "ijklmnop"]],
  ["wide letters", "漢字漢字漢字", 5, ["漢字", "漢字", "漢字"]],
])("breaks %s", (_, text, width, rows) => {
  expect(wrapped(text, width)).toEqual(rows);
});
