import { expect, it } from "vitest";
import { experimentalRefusal } from "./experimental.js";

it.each([
  ["collaborationMode/list", {}, "collaborationMode/list requires experimentalApi capability"],
  [
    "turn/start",
    { threadId: "t", input: [], additionalContext: {} },
    "turn/start.additionalContext requires experimentalApi capability",
  ],
  ["thread/resume", { threadId: "t", path: "/x" }, "thread/resume.path requires experimentalApi capability"],
  [
    "thread/start",
    { mockExperimentalField: "x" },
    "thread/start.mockExperimentalField requires experimentalApi capability",
  ],
])("%s refuses", (method, params, message) => {
  expect(experimentalRefusal(method, params)).toMatchObject({ code: -32600, message });
});

it.each([
  ["turn/start", { threadId: "t", input: [], collaborationMode: null }],
  ["thread/resume", { threadId: "t", excludeTurns: false }],
  ["thread/list", undefined],
])("%s lets %j pass", (method, params) => {
  expect(experimentalRefusal(method, params)).toBeNull();
});
