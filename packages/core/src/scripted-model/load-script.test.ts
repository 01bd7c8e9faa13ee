import { describe, expect, test } from "vitest";
import { loadScript, ScriptFileError } from "./load-script.js";

const call = { type: "function_call", name: "exec_command", arguments: { cmd: "ls" } };

function messageOf(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(ScriptFileError);
    return (error as Error).message;
  }
}

describe("a script file that is not right is one error with its place", () => {
  test.each<[unknown, string]>([
    [[], "script.json: must be object"],
    [{}, "script.json: responses is required"],
    [{ responses: {} }, "script.json: responses must be array"],
    [{ responses: [1] }, "script.json: responses[0] must be object"],
    [
      { responses: [{}, {}, { items: [{ ...call, name: 7 }] }] },
      "script.json: responses[2].items[0].name must be string",
    ],
    [{ responses: [{ items: [{ type: "message" }] }] }, "script.json: responses[0].items[0].text is required"],
    [
      { responses: [{ items: [{ type: "mesage", text: "" }] }] },
      'script.json: responses[0].items[0].type must be one of "message", "reasoning", "function_call", "custom_tool_call", "raw"',
    ],
    [
      { responses: [{ items: [{ ...call, arguments: 3 }] }] },
      "script.json: responses[0].items[0].arguments must be object or string",
    ],
    [
      { responses: [{ items: [{ ...call, args: {} }] }] },
      "script.json: responses[0].items[0].args is not a known member (known: type, name, arguments, call_id)",
    ],
    [{ responses: [{ delayMs: "1" }] }, "script.json: responses[0].delayMs must be integer"],
    [{ responses: [{ status: 200 }] }, "script.json: responses[0].status must be >= 400"],
    [{ responses: [], repeat: [{ deltas: 1 }] }, "script.json: repeat[0].deltas must be boolean"],
    [
      { responses: [{ when: { matches: { text: "x", pattern: "(" } } }] },
      "script.json: responses[0].when.matches.pattern must be a regular expression",
    ],
    [
      { responses: [{ when: { not: { has: "x" } } }] },
      "script.json: responses[0].when.not.has is not a known member (known: hasOutput, lacksOutput, running, exited, matches, not)",
    ],
    [
      { responses: [{ items: [{ ...call, arguments: { id: ["{{sesion.x}}"] } }] }] },
      "script.json: responses[0].items[0].arguments.id[0] has a template that cannot be read: {{sesion.x}}: no such value (there are lastUserText, firstUserText, lastOutput, model, round, answer.ID, note.ID, session.ID, exit.ID, output.ID, rawOutput.ID)",
    ],
    [
      { responses: [{ items: [{ type: "message", text: "{{round | loud}}" }] }] },
      'script.json: responses[0].items[0].text has a template that cannot be read: {{round | loud}}: no filter "loud" (there are trim, lower, upper, firstWord, firstLine, lastLine, json)',
    ],
    [
      { responses: [{ items: [{ type: "message", text: "{{round" }] }] },
      "script.json: responses[0].items[0].text has a template that cannot be read: a {{ without its }}",
    ],
  ])("%j", (script, expected) => {
    expect(messageOf(() => loadScript(JSON.stringify(script), "script.json"))).toBe(expected);
  });

  test("not JSON", () => {
    expect(() => loadScript('{ "responses": [', "script.json")).toThrow(/^script\.json: is not JSON: /);
  });
});

test("a good script keeps its parts", () => {
  const script = { comment: "c", responses: [{ items: [call], when: { hasOutput: "a" } }], repeat: [{ status: 503 }] };
  expect(loadScript(JSON.stringify(script), "script.json")).toEqual({
    fileName: "script.json",
    responses: script.responses,
    repeat: script.repeat,
  });
});
