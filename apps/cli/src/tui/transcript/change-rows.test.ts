import { expect, it } from "vitest";
import { changeRows } from "./change-rows.js";

it.each([
  ["add", "one\n-two\n\n", ["+one", "+-two", "+"]],
  ["add", "no end", ["+no end"]],
  ["add", "", []],
  ["delete", "+++ one\n\ttwo\n", ["-+++ one", "-    two"]],
  [
    "update",
    "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- old\n+++ new\n same\n",
    ["@@ -1,2 +1,2 @@", "--- old", "+++ new", " same"],
  ],
  ["update", "@@ -1 +1 @@\n-a\n+b\n", ["@@ -1 +1 @@", "-a", "+b"]],
])("%s of %j", (kind, diff, rows) => {
  expect(changeRows({ kind, diff })).toEqual(rows);
});
