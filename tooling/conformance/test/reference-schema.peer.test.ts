// The reference's own schema as judge: everything our server says in any scenario is a message of the reference.
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { type Entry, ReferenceJudge } from "../src/app-server/reference-judge.mjs";
import { appServerSuite } from "../src/app-server/suite.mjs";

const cli = path.resolve(import.meta.dirname, "../../../apps/cli/dist/main.js");
let judge: ReferenceJudge;

beforeAll(async () => {
  const program = process.env.TURNKIT_PEER_CODEX;
  if (program === undefined) throw new Error("TURNKIT_PEER_CODEX must name the genuine program");
  judge = await ReferenceJudge.of(program);
});

test("it finds what is wrong", () => {
  const judged = judge.judge([
    { direction: "client", message: { id: 1, method: "thread/loaded/list", params: {} } },
    { direction: "server", message: { id: 1, result: { data: "none" } } },
    { direction: "server", message: { id: 1, result: { data: [] } } },
    { direction: "server", message: { method: "turn/started", params: { threadId: 5 } } },
    { direction: "server", message: { method: "turn/begun", params: {} } },
    { direction: "server", message: { id: 2, error: { message: "no code" } } },
  ]);
  expect(judged.judged).toBe(5);
  expect(judged.violations.map((line) => line.slice(0, line.indexOf(": {")))).toEqual([
    "thread/loaded/list: message/data must be array",
    "undefined: a reply to nothing",
    "turn/started: message/params must have required property 'turn'",
    "turn/begun: no ServerNotification of the reference",
    "undefined: message/error must have required property 'code'",
  ]);
});

// Side by side: most of a scenario is waiting.
test.concurrent.each(appServerSuite.scenarios())(
  "%s",
  async (scenario) => {
    const texts = new Map<string, string>();
    const command = [process.execPath, cli, ...appServerSuite.arguments];
    await appServerSuite.run(scenario, { command, output: (file, text) => void texts.set(file, text) });
    const lines = (texts.get("transcript.jsonl") ?? "").split("\n").filter((line) => line !== "");
    const { judged, violations } = judge.judge(lines.map((line) => JSON.parse(line) as Entry));
    expect(violations).toEqual([]);
    // One scenario is about a server that does not start.
    if (scenario !== "approval-untrusted-config") expect(judged).toBeGreaterThan(0);
  },
  300_000,
);
