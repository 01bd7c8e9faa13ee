import { describe, expect, test } from "vitest";
import {
  assertValid,
  formatIssue,
  methodValidators,
  ValidationError,
  validate,
  validator,
  validators,
} from "./index.js";

function said(name: Parameters<typeof validate>[0], value: unknown, label = ""): string {
  const result = validate(name, value);
  return result.ok ? "ok" : result.issues.map((issue) => formatIssue(issue, label)).join(" | ");
}

describe("one issue that a person understands", () => {
  test.each([
    ["UserInput", { type: "text", text: 5 }, "text must be string"],
    ["UserInput", {}, "type is required"],
    ["UserInput", null, "value must be object"],
    [
      "UserInput",
      { type: "video" },
      'type must be one of "text", "image", "local_image", "audio", "local_audio", "skill", "mention"',
    ],
    [
      "UserInputList",
      [
        { type: "text", text: "a" },
        { type: "text", text: 5 },
      ],
      "[1].text must be string",
    ],
    ["TurnStartParams", { threadId: "t", input: [{ type: "text" }] }, "input[0].text is required"],
    ["TurnStartParams", { threadId: "t", input: "hello" }, "input must be array"],
    ["TurnStartParams", { threadId: "t", input: [], cwd: 5 }, "cwd must be string or null"],
    [
      "TurnStartParams",
      { threadId: "t", input: [], approvalPolicy: "sometimes" },
      'approvalPolicy must be one of "untrusted", "on-request", "never"',
    ],
    ["TurnInputMode", { Steer: {} }, "Steer.expected_turn_id is required"],
    ["TurnInputMode", 3, "value must be string or object"],
    ["RequestUserInputResponse", { answers: { a: { answers: [1] } } }, "answers.a.answers[0] must be string"],
    ["RequestUserInputResponse", { answers: { "a b": 1 } }, 'answers["a b"] must be object'],
    ["TextElement", { byte_range: { start: -1, end: 2 } }, "byte_range.start must be >= 0"],
    ["ThreadGoalGetResponse", { goal: {} }, "goal.threadId is required"],
  ] as const)("%s %j", (name, value, expected) => {
    expect(said(name, value)).toBe(expected);
  });

  test("a label goes before the path", () => {
    expect(said("UserInputList", [{ type: "text", text: 5 }], "params.input")).toBe(
      "params.input[0].text must be string",
    );
    expect(said("UserInputList", 5, "params.input")).toBe("params.input must be array");
  });
});

test("assertValid returns the value, or throws with its path", () => {
  const value = { type: "text", text: "hello" };
  expect(assertValid("UserInput", value)).toBe(value);
  const failure = (() => {
    try {
      assertValid("UserInputList", [{ type: "text" }], "params.input");
      return undefined;
    } catch (error) {
      return error;
    }
  })();
  expect(failure).toBeInstanceOf(ValidationError);
  expect(failure).toMatchObject({
    name: "ValidationError",
    message: "params.input[0].text is required",
    path: "params.input[0].text",
    schema: "UserInputList",
    issues: [{ path: "[0].text", message: "is required" }],
  });
});

test("guards, validators and tables", () => {
  expect(validators.UserInput({ type: "text", text: "hello" })).toBe(true);
  expect(validators.UserInput({ type: "text" })).toBe(false);
  expect(validator("NoParams")(undefined)).toEqual([]);
  expect(validator("NoParams")(5)).toEqual([{ path: "", message: "must be object or null" }]);
  const lookup = methodValidators({ "turn/start": { params: "TurnStartParams", result: "TurnStartResponse" } });
  expect(lookup("turn/start")?.params({ threadId: "t" })).toEqual([{ path: "input", message: "is required" }]);
  expect(lookup("turn/start")).toBe(lookup("turn/start"));
  expect(lookup("toString")).toBeUndefined();
  expect(() => validator("Nothing" as "UserInput")).toThrow("there is no schema named Nothing");
});

test("unknown members are ignored and kept", () => {
  const value = { type: "text", text: "hello", later: { a: 1 } };
  const result = validate("UserInput", value);
  expect(result).toEqual({ ok: true, value: { type: "text", text: "hello", later: { a: 1 } } });
});
