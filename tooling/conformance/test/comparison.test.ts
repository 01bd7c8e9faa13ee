import { describe, expect, test } from "vitest";
import { inOneOrder } from "../src/app-server/any-order.mjs";
import { align, compareStreams } from "../src/app-server/compare.mjs";
import { normalizer } from "../src/app-server/normalize.mjs";
import { withoutOwnWords } from "../src/app-server/own-words.mjs";
import { strippedStreams } from "../src/app-server/strip.mjs";
import { compareTranscripts } from "../src/exec-server/compare.mjs";
import { ExpectedDifferences } from "../src/expected-differences.mjs";
import { select } from "../src/select.mjs";
import { judge, passed } from "../src/verdict.mjs";

const started = { method: "turn/started", params: { turn: { id: "<uuid>", status: "inProgress" } } };
const completed = { method: "turn/completed", params: { turn: { id: "<uuid>", status: "completed" } } };
const streams = { wire: [started, completed], deltas: { a: "one\ntwo\n" }, model: [], rollout: [] };

function texts(differences: readonly { text: string }[]): string[] {
  return differences.map(({ text }) => text);
}

describe("app-server streams", () => {
  test("equal streams have no differences", () => {
    expect(compareStreams(streams, structuredClone(streams))).toEqual([]);
  });

  test.each<[string, (run: typeof streams) => void, { hard: boolean; text: string }]>([
    ["a missing message", (run) => run.wire.pop(), { hard: true, text: "wire missing turn/completed" }],
    [
      "an extra message",
      (run) => run.wire.splice(1, 0, { method: "warning", params: { turn: { id: "", status: "" } } }),
      { hard: true, text: "wire extra warning" },
    ],
    [
      "a changed member",
      (run) => {
        run.wire[1]!.params.turn.status = "failed";
      },
      { hard: false, text: 'wire turn/completed .params.turn.status: "completed" | "failed"' },
    ],
    [
      "changed output",
      (run) => {
        run.deltas.a = "one\n";
      },
      { hard: false, text: 'deltas .a: "one\\ntwo\\n" | "one\\n"' },
    ],
  ])("%s is one difference", (_, plant, expected) => {
    const run = structuredClone(streams);
    plant(run);
    expect(compareStreams(streams, run)).toEqual([expected]);
  });

  test("deltas of a command that the reference saw end early are no difference if they are its whole output", () => {
    const ended = (aggregatedOutput: string) => ({
      method: "item/completed",
      params: { item: { id: "b", aggregatedOutput }, turn: { id: "", status: "" } },
    });
    const reference = { ...streams, wire: [ended("late\n")] };
    const run = (delta: string) => ({ ...reference, deltas: { ...streams.deltas, b: delta } });
    expect(compareStreams(reference, run("late\n"))).toEqual([]);
    expect(texts(compareStreams(reference, run("la")))).toEqual(['deltas .b: (absent) | "la"']);
    expect(texts(compareStreams(run("late\n"), reference))).toEqual(['deltas .b: "late\\n" | (absent)']);
    const long = { ...streams, wire: [ended("<long:900:0a1b2c3d>")] };
    expect(compareStreams(long, { ...long, deltas: { ...streams.deltas, b: "<900 characters>" } })).toEqual([]);
  });

  test.each([
    ["Invalid request: missing field `input`", "Invalid request: params.input is required"],
    [
      "Invalid request: unknown variant `video`, expected one of `text`",
      "Invalid request: params.input[0].type must be",
    ],
    [
      "failed to parse function arguments: missing field `id` at line 1 column 8",
      "failed to parse function arguments: missing field `id` at questions[0]",
    ],
    [
      "failed to parse function arguments: expected ident at line 1 column 2",
      "failed to parse function arguments: not JSON: Unexpected token",
    ],
  ])("the words of a parser are its own: %s", (reference, ours) => {
    const say = (message: string) => withoutOwnWords({ error: { code: -32600, message }, output: [message] });
    expect(say(reference)).toEqual(say(ours));
    expect(say(ours)).not.toEqual(say("Invalid request"));
  });

  test.each([
    "Invalid request: unknown variant `foo/bar`, expected one of `initialize`, `server/diagnostics`",
    "Invalid request: something else",
    "failed to parse function arguments: something else",
    "input must not be empty",
  ])("other words are compared: %s", (message) => {
    expect(withoutOwnWords({ message })).toEqual({ message });
  });

  test("a message out of order is missing in one place and extra in another", () => {
    const run = { ...streams, wire: [completed, started] };
    expect(texts(compareStreams(streams, run)).sort()).toEqual([
      "wire extra turn/started",
      "wire missing turn/started",
    ]);
  });

  test("alignment pairs along a longest common subsequence", () => {
    expect(align(["a", "b", "c"], ["b", "x", "c"])).toEqual([
      [0, undefined],
      [1, 0],
      [undefined, 1],
      [2, 2],
    ]);
  });
});

describe("scenarios in which things race", () => {
  const command = (name: string, session: string, exitCode: number) =>
    ["item/started", "item/completed"].map((method) => ({
      method,
      params: {
        item: { id: `call_${name}`, processId: session, exitCode: method === "item/started" ? null : exitCode },
      },
    }));
  const reply = (id: number, rows?: string[]) => ({
    id,
    result: rows ? { data: rows.map((itemId) => ({ itemId })) } : {},
  });
  const streamsOf = (wire: object[], files: string[][]) => ({
    wire,
    deltas: {},
    model: [],
    rollout: files.flatMap((texts) => [
      { type: "session_meta" },
      ...texts.map((message) => ({ type: "event_msg", payload: { type: "user_message", message } })),
    ]),
  });
  const [startA, endA, startB, endB] = [...command("a", "<sess#1>", 0), ...command("b", "<sess#2>", 0)];
  const [startA2, endA2, startB2, endB2] = [...command("a", "<sess#2>", 0), ...command("b", "<sess#1>", 0)];
  const reference = streamsOf(
    [reply(1), startA!, startB!, reply(2, ["call_a", "call_b"]), endA!, endB!],
    [["one", "more"], ["two"]],
  );
  const compared = (run: typeof reference, racing: "replies" | "everything") =>
    texts(compareStreams(inOneOrder(reference, racing), inOneOrder(run, racing)));

  test("another order and other ids are no difference", () => {
    const run = streamsOf(
      [startB2!, reply(2, ["call_b", "call_a"]), startA2!, reply(1), endB2!, endA2!],
      [["two"], ["one", "more"]],
    );
    expect(compared(run, "everything")).toEqual([]);
    expect(texts(compareStreams(reference, run))).not.toEqual([]);
  });

  test("what happens to one item, and the lines of one file, stay in order", () => {
    const turned = streamsOf(
      [reply(1), endA!, startA!, startB!, reply(2, ["call_a", "call_b"]), endB!],
      [["one", "more"], ["two"]],
    );
    expect(compared(turned, "everything")).not.toEqual([]);
    const lines = streamsOf(reference.wire, [["more", "one"], ["two"]]);
    expect(compared(lines, "everything")).not.toEqual([]);
  });

  test.each<[string, object[], number]>([
    [
      "a member",
      [reply(1), startA!, startB!, reply(2, ["call_a", "call_b"]), endA!, command("b", "<sess#2>", 1)[1]!],
      1,
    ],
    ["a notification less", [reply(1), startA!, startB!, reply(2, ["call_a", "call_b"]), endA!], 1],
    ["a reply more", [...reference.wire, reply(3)], 1],
    ["a row", [reply(1), startA!, startB!, reply(2, ["call_a", "call_c"]), endA!, endB!], 1],
    [
      "an id that changes between start and end",
      [reply(1), startA!, startB!, reply(2, ["call_a", "call_b"]), command("a", "<sess#2>", 0)[1]!, endB!],
      1,
    ],
  ])("%s is a difference", (_, wire, count) => {
    expect(compared(streamsOf(wire, [["one", "more"], ["two"]]), "everything")).toHaveLength(count);
  });

  test("where only replies race, the rest stays in order", () => {
    const late = streamsOf(
      [startA!, startB!, endA!, endB!, reply(2, ["call_a", "call_b"]), reply(1)],
      [["one", "more"], ["two"]],
    );
    expect(compared(late, "replies")).toEqual([]);
    const turned = streamsOf(
      [reply(1), startB!, startA!, reply(2, ["call_a", "call_b"]), endA!, endB!],
      [["one", "more"], ["two"]],
    );
    expect(compared(turned, "replies")).not.toEqual([]);
  });
});

describe("normalizing", () => {
  const normalize = normalizer({ home: "/h", cwd: "/w", host: "127.0.0.1:4321" });

  test("ids are numbered, and equal ids stay equal", () => {
    const [a, b] = ["0199aaaa-0000-7000-8000-000000000001", "0199aaaa-0000-7000-8000-000000000002"];
    expect(normalize([a, b, a])).toEqual(["<uuid#1>", "<uuid#2>", "<uuid#1>"]);
  });

  test("paths, ports, times and sessions become placeholders", () => {
    expect(
      normalize({
        path: "/h/x",
        text: "see /w at 127.0.0.1:4321, Wall time: 0.2512 seconds, session ID 4182",
        processId: "4182",
        durationMs: 7,
      }),
    ).toEqual({
      path: "<CODEX_HOME>/x",
      text: "see <CWD> at 127.0.0.1:<PORT>, Wall time: <n> seconds, session ID <sess#1>",
      processId: "<sess#1>",
      durationMs: "<num>",
    });
  });

  test("answers are sorted by question", () => {
    expect(normalize({ output: '{"answers":{"b":{"answers":[]},"a":{"answers":[]}}}' })).toEqual({
      output: '{"answers":{"a":{"answers":[]},"b":{"answers":[]}}}',
    });
  });

  test("an implementation's own texts are not compared", () => {
    const wire = [{ id: 1, result: { userAgent: "x/1", model: "m" } }];
    const { wire: stripped } = strippedStreams({ wire, asked: new Map(), requests: [], rollout: [] });
    expect(stripped).toEqual([{ id: 1, result: { userAgent: "<own>", model: "m" } }]);
  });
});

describe("exec-server transcripts", () => {
  const line = (direction: string, message: unknown): string => `A ${direction} ${JSON.stringify(message)}`;
  const output = (chunk: string, seq: number): string =>
    line("<", { method: "process/output", params: { processId: "p", stream: "stdout", seq, chunk: `b64:${chunk}` } });
  const exited = (exitCode: number): string =>
    line("<", { method: "process/exited", params: { processId: "p", exitCode, sandboxDenied: false } });
  const transcript = (...lines: string[]): string => [line(">", { id: 1, method: "x" }), ...lines].join("\n");

  test("how output is cut does not count", () => {
    const one = transcript(output("ab", 1), exited(0));
    const two = transcript(output("a", 1), output("b", 2), exited(0));
    expect(compareTranscripts(one, two)).toEqual([]);
  });

  test("a planted byte, exit code, reply or note is found", () => {
    const base = transcript(output("ab", 1), exited(0), line("<", { id: 1, result: {} }), line("#", { alive: true }));
    const plant = (from: string, to: string): string[] => texts(compareTranscripts(base, base.replace(from, to)));
    expect(plant("b64:ab", "b64:ax")).toEqual([
      'process A A/p {"out":{"stdout":"ab"},"exit":0,"denied":false} | B A/p {"out":{"stdout":"ax"},"exit":0,"denied":false}',
    ]);
    expect(plant('"exitCode":0', '"exitCode":1')).toHaveLength(1);
    expect(plant('"result":{}', '"result":{"a":1}')).toEqual([
      'replies[0] A A {"id":1,"result":{}} | B A {"id":1,"result":{"a":1}}',
    ]);
    expect(plant("true", "false")).toEqual(['notes[0] A {"alive":true} | B {"alive":false}']);
  });

  test("notes for reading are not compared", () => {
    const note = (value: number): string => transcript(line("#", { "~ms": value }));
    expect(compareTranscripts(note(1), note(2))).toEqual([]);
  });
});

describe("expected differences", () => {
  const entry = { scenario: "exec-*", match: "wire extra warning", reason: "says more" };
  const found = [{ hard: true, text: "wire extra warning" }];

  test("explain what they name and nothing else", () => {
    const expected = new ExpectedDifferences([entry], "list");
    expect(judge("app-server", "exec-basic", found, expected, undefined).level).toBe("explained");
    expect(judge("app-server", "turn-steer", found, expected, undefined).level).toBe("DIFF");
    const other = [{ hard: false, text: "wire result .a: 1 | 2" }];
    expect(judge("app-server", "exec-basic", other, expected, undefined).level).toBe("fields");
  });

  test("an entry that explains nothing is reported once all its scenarios were run", () => {
    const expected = new ExpectedDifferences([entry], "list");
    const all = ["exec-a", "exec-b", "turn-a"];
    expect(expected.unused(["exec-a", "turn-a"], all)).toEqual([]);
    expect(expected.unused(["exec-a", "exec-b"], all)).toEqual([entry]);
    expected.explains("exec-b", "wire extra warning");
    expect(expected.unused(["exec-a", "exec-b"], all)).toEqual([]);
  });

  test("an entry may name several scenarios, explain no more than so many, or need not occur", () => {
    const several = { ...entry, scenario: ["exec-a", "turn-*"], atMost: 1 };
    const expected = new ExpectedDifferences([several, { ...entry, match: "else", sometimes: true }], "list");
    expect(expected.unused(["exec-a"], ["exec-a", "turn-b"])).toEqual([]);
    expect(expected.unused(["exec-a", "turn-b"], ["exec-a", "turn-b"])).toEqual([several]);
    expect(
      ["exec-a", "exec-a", "turn-b", "rui-c"].map((name) => expected.explains(name, "wire extra warning")),
    ).toEqual([true, false, true, false]);
  });

  test("an entry for no scenario at all is unused", () => {
    expect(new ExpectedDifferences([{ ...entry, scenario: "gone" }], "list").unused([], ["exec-a"])).toHaveLength(1);
  });

  test.each([
    [{}, "list: must be a list"],
    [[{ scenario: "a", match: "b" }], "list: [0].reason must be a text"],
    [[{ ...entry, scenario: [] }], "list: [0].scenario must be a name or a list of names"],
    [[{ ...entry, sometimes: 1 }], "list: [0].sometimes must be true or false"],
    [[{ ...entry, atMost: 0 }], "list: [0].atMost must be a positive whole number"],
  ])("a bad list is refused: %j", (list, message) => {
    expect(() => new ExpectedDifferences(list, "list")).toThrow(message);
  });
});

test("a scenario that failed does not pass on equal streams", () => {
  const expected = new ExpectedDifferences([], "list");
  expect(passed(judge("app-server", "a", [], expected, new Error("timeout")))).toBe(false);
  expect(passed(judge("app-server", "a", [], expected, undefined))).toBe(true);
});

test("globs choose scenarios; one that names nothing is an error", () => {
  expect(select(["a-b", "a-c", "b"], ["a-*"])).toEqual(["a-b", "a-c"]);
  expect(() => select(["a"], ["z*"])).toThrow("no scenario is called z*");
});
