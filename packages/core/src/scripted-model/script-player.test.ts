import { describe, expect, test } from "vitest";
import { loadScript } from "./load-script.js";
import { scriptedResponses } from "./script-player.js";
import type { ResponseSource, ScriptedResponse } from "./scripted-response.js";

function player(script: unknown): ResponseSource {
  return scriptedResponses(loadScript(JSON.stringify(script), "script.json"));
}

const asked = { type: "function_call", name: "request_user_input", call_id: "ask", arguments: "{}" };
const answered = (answers: Record<string, string[]>): unknown => ({
  type: "function_call_output",
  call_id: "ask",
  output: JSON.stringify({
    answers: Object.fromEntries(Object.entries(answers).map(([id, a]) => [id, { answers: a }])),
  }),
});
const running = (call_id: string, session: number, text: string): unknown => ({
  type: "function_call_output",
  call_id,
  output: `Chunk ID: 0a1b2c\nWall time: 0.2512 seconds\nProcess running with session ID ${session}\nOriginal token count: 3\nOutput:\n${text}`,
});
const exited = (call_id: string, code: number, text: string): unknown => ({
  type: "function_call_output",
  call_id,
  output: `Chunk ID: 0a1b2c\nWall time: 0.2512 seconds\nProcess exited with code ${code}\nOriginal token count: 3\nOutput:\n${text}`,
});
const user = (text: string): unknown => ({ type: "message", role: "user", content: [{ type: "input_text", text }] });

function say(text: string, more: object = {}): object {
  return { items: [{ type: "message", text }], ...more };
}

function textOf(response: ScriptedResponse | undefined): unknown {
  return (response?.items?.[0] as { content?: { text: string }[] } | undefined)?.content?.[0]?.text;
}

describe("templates", () => {
  test("numbers stay numbers in call arguments", () => {
    const source = player({
      responses: [
        {
          items: [
            {
              type: "function_call",
              name: "write_stdin",
              call_id: "w",
              arguments: { session_id: "{{session.shell}}", chars: "{{answer.who}} in {{session.shell}}\n" },
            },
          ],
        },
      ],
    });
    const input = [asked, answered({ who: ["Ada", "user_note: with care"] }), running("shell", 41822, "$ ")];
    expect(source.next({ input })?.items).toEqual([
      {
        type: "function_call",
        name: "write_stdin",
        call_id: "w",
        arguments: JSON.stringify({ session_id: 41822, chars: "Ada in 41822\n" }),
      },
    ]);
  });

  test.each([
    ["{{answer.who}}", "Ada Lovelace (Recommended)"],
    ["{{answer.who | firstWord | lower}}!", "ada!"],
    ["{{note.who}}", "with care"],
    ["{{output.sum}}", "1\n42\n"],
    ["{{output.sum | lastLine}}", "42"],
    ["{{exit.sum}}", "0"],
    ["{{lastUserText}}", "and now?"],
    ["{{firstUserText}}", "hello"],
    ["{{lastOutput | json}}", '"1\\n42\\n"'],
    ["{{answer.nobody ?? someone}}", "someone"],
    ['{{"{{"}}', "{{"],
    ["round {{round}} of {{model}}", "round 1 of scripted"],
  ])("%s", (template, expected) => {
    const input = [
      user("hello"),
      asked,
      answered({ who: ["Ada Lovelace (Recommended)", "user_note: with care"] }),
      user("and now?"),
      user("<environment_context>\n  <cwd>/</cwd>\n</environment_context>"),
      exited("sum", 0, "1\n42\n"),
    ];
    expect(textOf(player({ responses: [say(template)] }).next({ model: "scripted", input }))).toBe(expected);
  });

  test("what the request does not hold is one error with the place", () => {
    const source = player({ responses: [say("{{session.shell}}")] });
    expect(() => source.next({ input: [exited("shell", 1, "")] })).toThrow(
      'script.json: responses[0].items[0]: {{session.shell}}: the request has no output of call "shell" that names a session',
    );
  });
});

describe("order", () => {
  test("responses once, then repeat for ever, else nothing", () => {
    const texts = (script: unknown): unknown[] => {
      const source = player(script);
      return Array.from({ length: 5 }, () => textOf(source.next({ input: [] })));
    };
    expect(texts({ responses: [say("a")], repeat: [say("b"), say("c")] })).toEqual(["a", "b", "c", "b", "c"]);
    expect(texts({ responses: [say("a"), say("b")] })).toEqual(["a", "b", undefined, undefined, undefined]);
  });

  test("entries whose condition does not hold are passed over", () => {
    const source = player({
      responses: [say("ask", { when: { lacksOutput: "ask" } }), say("thanks", { when: { hasOutput: "ask" } })],
      repeat: [say("bye", { when: { matches: { text: "{{lastUserText}}", pattern: "^bye" } } }), say("again")],
    });
    const input = [asked, answered({}), user("more")];
    expect(textOf(source.next({ input }))).toBe("thanks");
    expect(textOf(source.next({ input }))).toBe("again");
    expect(textOf(source.next({ input: [user("bye then")] }))).toBe("bye");
  });

  test("a repeat whose conditions never hold answers nothing instead of going round", () => {
    const source = player({ responses: [], repeat: [say("never", { when: { hasOutput: "x" } })] });
    expect(source.next({ input: [] })).toBeUndefined();
    expect(textOf(source.next({ input: [exited("x", 0, "")] }))).toBe("never");
  });

  test("until plays an entry again, counting rounds", () => {
    const source = player({
      responses: [say("poll {{round}}", { until: { exited: "*" }, limit: 2 }), say("done {{exit.p}}")],
    });
    expect(textOf(source.next({ input: [running("p", 7, "")] }))).toBe("poll 1");
    expect(textOf(source.next({ input: [running("p", 7, "")] }))).toBe("poll 2");
    expect(textOf(source.next({ input: [exited("p", 3, "")] }))).toBe("done 3");
  });

  test("until gives up at its limit", () => {
    const source = player({ responses: [say("poll", { until: { exited: "*" }, limit: 1 })] });
    source.next({ input: [] });
    expect(() => source.next({ input: [] })).toThrow("script.json: responses[0].until did not hold after 1 times");
  });

  test("not turns a condition round", () => {
    const entry = say("still running", { when: { not: { exited: "p" } } });
    expect(textOf(player({ responses: [entry] }).next({ input: [running("p", 7, "")] }))).toBe("still running");
    expect(player({ responses: [entry] }).next({ input: [exited("p", 0, "")] })).toBeUndefined();
  });
});
