import type { ModeKind, RequestUserInputResponse } from "@turnkit/protocol";
import { describe, expect, test } from "vitest";
import type { UserQuestion } from "./ports.js";
import { ToolRegistry } from "./registry.js";
import {
  createRequestUserInputTool,
  describeModes,
  modesAllowingQuestions,
  parseRequestUserInputArgs,
} from "./request-user-input.js";
import { callContext, functionToolCall } from "./testing/index.js";
import { FatalToolError, RespondToModel, type ToolTurn } from "./tool.js";

const option = { label: "Yes", description: "go on" };
const question = (changes: object = {}) => ({ id: "q", header: "H", question: "Q?", options: [option], ...changes });

interface Asked {
  readonly turn: ToolTurn;
  readonly question: UserQuestion;
}

function tool(answer: RequestUserInputResponse | undefined = { answers: {} }, defaultModeQuestions = false) {
  const asked: Asked[] = [];
  const made = createRequestUserInputTool({
    modes: modesAllowingQuestions({ defaultModeQuestions }),
    prompter: {
      async ask(turn, question) {
        asked.push({ turn, question });
        return answer;
      },
    },
  });
  return { tool: made, asked };
}

test("the model is shown closed objects, every member required and described", () => {
  const described = (type: string) => ({ type, description: expect.stringMatching(/\w/) });
  expect(tool().tool.spec).toEqual({
    type: "function",
    name: "request_user_input",
    description: expect.stringMatching(/\w.* This tool is only available in Plan mode\.$/),
    strict: false,
    parameters: {
      type: "object",
      properties: {
        questions: {
          ...described("array"),
          items: {
            type: "object",
            properties: {
              id: described("string"),
              header: described("string"),
              question: described("string"),
              options: {
                ...described("array"),
                items: {
                  type: "object",
                  properties: { label: described("string"), description: described("string") },
                  required: ["label", "description"],
                  additionalProperties: false,
                },
              },
            },
            required: ["id", "header", "question", "options"],
            additionalProperties: false,
          },
        },
      },
      required: ["questions"],
      additionalProperties: false,
    },
  });
});

test("calls by function and by search reach the tool, free text does not", () => {
  const { accepts } = tool().tool;
  expect([
    accepts({ kind: "function", arguments: "" }),
    accepts({ kind: "toolSearch", arguments: "" }),
    accepts({ kind: "custom", input: "" }),
  ]).toEqual([true, true, false]);
});

test("what a question leaves out is false until it is normalised", () => {
  const parsed = parseRequestUserInputArgs(JSON.stringify({ questions: [question()] }));
  expect(parsed).toEqual({ questions: [{ ...question(), isOther: false, isSecret: false }] });
  const given = question({ isOther: true, isSecret: true });
  expect(parseRequestUserInputArgs(JSON.stringify({ questions: [given] }))).toEqual({ questions: [given] });
});

test("whoever builds the tool learns why a call was not put to anybody", async () => {
  const refusals: string[] = [];
  const made = createRequestUserInputTool({
    modes: ["plan"],
    prompter: { ask: async () => ({ answers: {} }) },
    refused: ({ id }, callId, reason) => refusals.push(`${id} ${callId} ${reason}`),
  });
  const run = (args: unknown, turn: Partial<ToolTurn>) =>
    made.run(functionToolCall("request_user_input", args), callContext(turn)).catch(() => {});
  await run("not json", { mode: "plan", isRootThread: false });
  await run("not json", { mode: "default" });
  await run("not json", { mode: "plan" });
  await run({ questions: [question({ options: [] })] }, { mode: "plan" });
  await run({ questions: [question()] }, { mode: "plan" });
  expect(refusals).toEqual([
    "turn-1 call-1 notRootThread",
    "turn-1 call-1 unavailableMode",
    "turn-1 call-1 invalidArguments",
    "turn-1 call-1 invalidArguments",
  ]);
});

async function refusal(args: unknown, turn: Partial<ToolTurn>, defaultModeQuestions = false): Promise<string> {
  const { tool: made, asked } = tool(undefined, defaultModeQuestions);
  const error = await made
    .run(functionToolCall("request_user_input", args), callContext(turn))
    .catch((e: unknown) => e);
  expect(error).toBeInstanceOf(RespondToModel);
  expect(asked).toEqual([]);
  return (error as Error).message;
}

describe("the list of modes feeds the description and the gate", () => {
  const modes: readonly ModeKind[] = ["default", "plan"];
  for (const feature of [false, true])
    for (const mode of modes)
      for (const isRootThread of [true, false])
        test(`feature ${feature}, ${mode} mode, root ${isRootThread}`, async () => {
          const { tool: made, asked } = tool({ answers: {} }, feature);
          const listed = made.spec.description.includes(mode === "plan" ? "Plan" : "Default");
          expect(listed).toBe(mode === "plan" || feature);
          const call = functionToolCall("request_user_input", { questions: [question()] });
          const outcome = await made.run(call, callContext({ mode, isRootThread })).catch((e: Error) => e.message);
          if (!isRootThread) expect(outcome).toBe("request_user_input can only be used by the root thread");
          else if (listed) expect(outcome).toMatchObject({ body: '{"answers":{}}', success: true });
          else expect(outcome).toBe("request_user_input is unavailable in Default mode");
          expect(asked).toHaveLength(isRootThread && listed ? 1 : 0);
        });

  test.each<[readonly ModeKind[], string]>([
    [[], "no modes"],
    [["plan"], "Plan mode"],
    [["default", "plan"], "Default or Plan mode"],
    [["default", "plan", "plan"], "modes: Default,Plan,Plan"],
  ])("%j", (list, text) => {
    expect(describeModes(list)).toBe(text);
  });
});

describe("gates come before parsing", () => {
  test.each<[string, Partial<ToolTurn>]>([
    ["request_user_input is unavailable in Default mode", { mode: "default" }],
    ["request_user_input can only be used by the root thread", { mode: "default", isRootThread: false }],
    ["request_user_input can only be used by the root thread", { mode: "plan", isRootThread: false }],
  ])("%s", async (text, turn) => {
    expect(await refusal("not json", turn)).toBe(text);
  });

  test("a tool-search payload is refused in words", async () => {
    const call = { callId: "c", name: "request_user_input", payload: { kind: "toolSearch", arguments: "{}" } } as const;
    await expect(tool().tool.run(call, callContext({ mode: "plan" }))).rejects.toThrow(
      "request_user_input handler received unsupported payload",
    );
  });
});

describe("arguments", () => {
  test.each<[unknown, RegExp]>([
    ["", /^failed to parse function arguments: EOF while parsing a value$/],
    ["not json", /^failed to parse function arguments: not JSON: /],
    ["[]", /^failed to parse function arguments: invalid type: sequence, expected an object$/],
    [{}, /^failed to parse function arguments: missing field `questions` at questions$/],
    [{ questions: "x" }, /invalid type: string "x", expected a sequence at questions$/],
    [{ questions: [question({ id: undefined })] }, /missing field `id` at questions\[0\]\.id$/],
    [{ questions: [question(), question({ header: undefined })] }, /missing field `header` at questions\[1\]\.header$/],
    [
      { questions: [question({ question: 3 })] },
      /invalid type: integer `3`, expected a string at questions\[0\]\.question$/,
    ],
    [
      { questions: [question({ options: [{ label: "x" }] })] },
      /missing field `description` at questions\[0\]\.options\[0\]\.description$/,
    ],
    [{ questions: [question({ options: [] })] }, /^request_user_input requires non-empty options for every question$/],
    [{ questions: [question(), question({ options: null })] }, /requires non-empty options/],
    [{ questions: [question({ options: undefined })] }, /requires non-empty options/],
  ])("%j", async (args, expected) => {
    expect(await refusal(args, { mode: "plan" })).toMatch(expected);
  });

  test("advice in the schema is not enforced, and what was given arrives as given", async () => {
    const { tool: made, asked } = tool();
    const many = Array.from({ length: 5 }, (_, at) =>
      question({
        id: at === 4 ? "q0" : `q${at}`,
        header: "a header that is far too long",
        extra: 1,
        isSecret: at === 2,
      }),
    );
    await made.run(
      functionToolCall("request_user_input", { questions: many, other: 1 }),
      callContext({ mode: "plan" }),
    );
    expect(asked[0]?.question.questions.map(({ id, isSecret }) => [id, isSecret])).toEqual([
      ["q0", false],
      ["q1", false],
      ["q2", true],
      ["q3", false],
      ["q0", false],
    ]);
    await made.run(functionToolCall("request_user_input", { questions: [] }), callContext({ mode: "plan" }));
    expect(asked[1]?.question.questions).toEqual([]);
  });

  test.each([false, true, undefined])("isOther %s comes out true", async (isOther) => {
    const { tool: made, asked } = tool();
    const args = {
      questions: [question(isOther === undefined ? {} : { isOther })],
      isBlocking: false,
      autoResolutionMs: 5,
    };
    await made.run(functionToolCall("request_user_input", args), callContext({ mode: "plan" }));
    expect(asked[0]?.question).toEqual({
      callId: "call-1",
      isBlocking: true,
      questions: [{ id: "q", header: "H", question: "Q?", isOther: true, isSecret: false, options: [option] }],
    });
  });

  test("blocking follows the mode", async () => {
    const { tool: made, asked } = tool({ answers: {} }, true);
    await made.run(
      functionToolCall("request_user_input", { questions: [question()] }),
      callContext({ mode: "default" }),
    );
    expect(asked[0]?.question.isBlocking).toBe(false);
  });
});

describe("outcomes", () => {
  const call = functionToolCall("request_user_input", { questions: [question()] });

  test("the answer is compact JSON in the client's order, and hooks see it as a string", async () => {
    const answer = { answers: { zzz: { answers: ["x", "user_note: y"] }, aaa: { answers: [] } } };
    const output = await tool(answer).tool.run(call, callContext({ mode: "plan" }));
    const text = '{"answers":{"zzz":{"answers":["x","user_note: y"]},"aaa":{"answers":[]}}}';
    expect(output).toEqual({
      body: text,
      success: true,
      postToolUse: {
        toolName: "request_user_input",
        toolUseId: "call-1",
        toolInput: { questions: [question()] },
        toolResponse: text,
      },
    });
  });

  test("a wait that ends without an answer is told to the model", async () => {
    const made = createRequestUserInputTool({ modes: ["plan"], prompter: { ask: async () => undefined } });
    await expect(made.run(call, callContext({ mode: "plan" }))).rejects.toThrow(
      new RespondToModel("request_user_input was cancelled before receiving a response"),
    );
  });

  test("an answer that is not JSON ends the turn", async () => {
    const loop: Record<string, unknown> = {};
    loop.answers = loop;
    const made = createRequestUserInputTool({ modes: ["plan"], prompter: { ask: async () => loop as never } });
    const error = await made.run(call, callContext({ mode: "plan" })).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(FatalToolError);
    expect((error as Error).message).toMatch(/^failed to serialize request_user_input response: /);
  });
});

test("it is offered to the model only, alone, as a control tool", () => {
  const { tool: made } = tool();
  expect([made.exposure, made.supportsParallelCalls, made.isControl]).toEqual(["direct-model-only", false, true]);
  const registry = new ToolRegistry([made]);
  expect(registry.specs().map(({ name }) => name)).toEqual(["request_user_input"]);
  expect(registry.find("request_user_input")).toBe(made);
  expect(() => new ToolRegistry([made, made])).toThrow("two tools are named request_user_input");
});
