/** The functions behind `turnkit rollout`: one object a file, never an exception. */
import { describe, expect, test } from "vitest";
import { convertRollout, inspectRollout, validateRollout } from "../../src/rollout/index.js";
import { ancestorsOf, bytesOf, plainFiles, text, versions } from "./corpus.js";

describe("inspect", () => {
  test("a file of 0.8.0", async () => {
    const file = "rollout-2026-11-30T18-38-49-45399339-3f39-4d0f-be91-9add190b14ac.jsonl";
    const { turns, ...rest } = await inspectRollout(bytesOf(text("0.8.0", "exec-default.jsonl")), { file });
    expect(rest).toEqual({
      file,
      era: "bare",
      cliVersion: null,
      threadId: "45399339-3f39-4d0f-be91-9add190b14ac",
      source: "vscode",
      historyMode: "legacy",
      modelInput: [
        { type: "message", role: "user" },
        { type: "message", role: "assistant" },
        { type: "message", role: "user" },
        { type: "message", role: "assistant" },
      ],
      losses: [],
      missingHistory: [],
    });
    expect(turns.map(({ id, status, items }) => [id, status, items.map((item) => item.type)])).toEqual([
      ["rollout-2", "completed", ["userMessage", "agentMessage"]],
      ["rollout-7", "completed", ["userMessage", "agentMessage"]],
    ]);
  });

  test("no undamaged file has a loss, read by itself", async () => {
    const lossy: string[] = [];
    for (const version of versions) {
      for (const file of plainFiles(version)) {
        const { losses, threadId } = await inspectRollout(bytesOf(text(version, file)), { file });
        if (losses.length > 0 || threadId === null) lossy.push(`${version}/${file}`);
      }
    }
    expect(lossy).toEqual([]);
  });

  test("a fork names the history that is elsewhere, and shows it when it is found", async () => {
    const content = text("0.171.0", "as-fork-2.jsonl");
    const alone = await inspectRollout(bytesOf(content), { file: "as-fork-2.jsonl" });
    expect({ turns: alone.turns.length, missing: alone.missingHistory }).toEqual({
      turns: 1,
      missing: [{ threadId: expect.any(String), reason: "no file of the thread was found" }],
    });
    const load = ancestorsOf("0.171.0", "as-fork-2.jsonl");
    const whole = await inspectRollout(bytesOf(content), { file: "as-fork-2.jsonl", load });
    expect({ turns: whole.turns.length, missing: whole.missingHistory }).toEqual({ turns: 3, missing: [] });
    expect(whole.modelInput.length).toBeGreaterThan(alone.modelInput.length);
  });

  test("anything else is losses, with the thread of the name", async () => {
    const file = "/sessions/rollout-2026-11-30T18-38-49-45399339-3f39-4d0f-be91-9add190b14ac.jsonl";
    const result = await inspectRollout(bytesOf("hello\n[]\n"), { file });
    expect(result).toMatchObject({
      threadId: "45399339-3f39-4d0f-be91-9add190b14ac",
      turns: [],
      modelInput: [],
      losses: [
        { line: 1, reason: "the line is not JSON" },
        { line: 2, reason: "value must be object" },
        { line: 0, reason: "the file has no readable head" },
      ],
    });
    expect((await inspectRollout(bytesOf(""), { file: "empty" })).losses).toHaveLength(1);
  });
});

test("validate counts what was read, upgraded and left alone", async () => {
  expect(await validateRollout(bytesOf(text("0.8.0", "exec-default.jsonl")))).toEqual({
    ok: true,
    lines: 11,
    known: 5,
    opaque: { state: 6 },
    upgraded: {
      "bare header": 1,
      "missing source": 1,
      "missing session_id": 1,
      "missing history_mode": 1,
      "bare item": 4,
    },
    losses: [],
  });
});

describe("convert", () => {
  test("gives a bare session an envelope, a folder and the events it never had", async () => {
    const converted = await convertRollout(bytesOf(text("0.8.0", "exec-default.jsonl")), { cwd: "/home/dev/demo" });
    expect({ ...converted, lines: converted.lines.length }).toEqual({
      fileName: "rollout-2026-11-30T18-38-49-45399339-3f39-4d0f-be91-9add190b14ac.jsonl",
      lines: 9,
      dropped: { state: 6 },
      losses: [],
    });
    expect(JSON.parse(converted.lines[0] as string)).toMatchObject({
      type: "session_meta",
      payload: { cwd: "/home/dev/demo", originator: "codex_cli_rs", cli_version: "0.150.0", history_mode: "legacy" },
    });
  });

  test("says what it leaves out", async () => {
    const converted = await convertRollout(bytesOf(text("0.171.0", "as-basic.jsonl")));
    expect(converted.losses).toEqual([]);
    expect(Object.keys(converted.dropped).sort()).toEqual(["response_item/additional_tools", "token_usage_record"]);
    expect(converted.lines.some((line) => line.includes('"ordinal"'))).toBe(false);
  });

  test("without a head or a name there is no file to make", async () => {
    expect(await convertRollout(bytesOf("{}\n"))).toEqual({
      fileName: null,
      lines: [],
      dropped: {},
      losses: [
        { line: 0, reason: "neither the file nor its name tells the thread" },
        { line: 1, reason: "type is required" },
      ],
    });
  });
});
