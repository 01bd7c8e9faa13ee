import { describe, expect, it } from "vitest";
import { HOOK_EVENTS } from "./hook-event.js";
import { readHookOutput } from "./hook-output.js";

type Event = keyof typeof HOOK_EVENTS;

const exited = (code: number | null, stdout = "", stderr = "") => ({ type: "exited", code, stdout, stderr }) as const;
const ends = (event: Event, code: number | null, stdout = "", stderr = "") =>
  readHookOutput(HOOK_EVENTS[event], exited(code, stdout, stderr));
const json = (event: Event, value: unknown) => ends(event, 0, JSON.stringify(value));
const specific = (event: Event, members: object) =>
  json(event, { hookSpecificOutput: { hookEventName: HOOK_EVENTS[event].configName, ...members } });

describe("exit codes", () => {
  it.each([
    ["pre_tool_use", "blocking reason"],
    ["permission_request", "denial reason"],
    ["post_tool_use", "feedback"],
    ["user_prompt_submit", "blocking reason"],
    ["stop", "continuation prompt"],
    ["subagent_stop", "continuation prompt"],
  ] as const)("2 blocks %s with what is on the error output", (event, what) => {
    expect(ends(event, 2, "ignored", " why \n")).toMatchObject({
      status: "blocked",
      blockReason: "why",
      entries: [{ kind: "feedback", text: "why" }],
    });
    const article = what === "feedback" ? "" : "a ";
    expect(ends(event, 2)).toMatchObject({
      status: "failed",
      blockReason: undefined,
      entries: [
        {
          kind: "error",
          text: `${HOOK_EVENTS[event].configName} hook exited with code 2 but did not write ${article}${what} to stderr`,
        },
      ],
    });
  });

  it.each([
    ["interrupt", 2, "hook exited with code 2"],
    ["session_start", 2, "hook exited with code 2"],
    ["stop", 7, "hook exited with code 7"],
    ["stop", null, "hook exited without a status code"],
  ] as const)("%s ended with %s fails and decides nothing", (event, code, text) => {
    expect(ends(event, code, '{"decision":"block","reason":"x"}', "why")).toEqual(
      expect.objectContaining({ status: "failed", blockReason: undefined, entries: [{ kind: "error", text }] }),
    );
  });
});

describe("plain text", () => {
  it.each([
    ["user_prompt_submit", { status: "completed", contexts: ["words"] }],
    ["session_start", { status: "completed", contexts: ["words"] }],
    ["pre_tool_use", { status: "completed", contexts: [] }],
    ["post_tool_use", { status: "completed", contexts: [] }],
    ["stop", { status: "failed", entries: [{ kind: "error", text: "hook returned invalid stop hook JSON output" }] }],
    ["interrupt", { status: "failed", entries: [{ kind: "error", text: "Interrupt hook returned non-JSON stdout" }] }],
  ] as const)("of %s", (event, expected) => {
    expect(ends(event, 0, " words \n")).toMatchObject(expected);
  });

  it("of nothing is nothing, for every event", () => {
    for (const event of Object.keys(HOOK_EVENTS) as Event[])
      expect(ends(event, 0, " \n", "noise")).toMatchObject({ status: "completed", entries: [], contexts: [] });
  });
});

describe("JSON that does not fit fails", () => {
  it.each([
    ["pre_tool_use", "{", "hook returned invalid pre-tool-use JSON output"],
    ["post_tool_use", "[1]", "hook returned invalid post-tool-use JSON output"],
    ["user_prompt_submit", '{"unknown":1}', "hook returned invalid user prompt submit JSON output"],
    ["user_prompt_submit", '{"continue":"no"}', "hook returned invalid user prompt submit JSON output"],
    ["stop", '{"hookSpecificOutput":{"hookEventName":"Stop"}}', "hook returned invalid stop hook JSON output"],
    [
      "pre_tool_use",
      '{"hookSpecificOutput":{"hookEventName":"PostToolUse"}}',
      "hook returned invalid pre-tool-use JSON output",
    ],
    ["interrupt", '{"continue":false}', "hook returned invalid interrupt hook JSON output"],
    ["stop", '{"decision":"block"}', "Stop hook returned decision:block without a non-empty reason"],
    ["pre_tool_use", '{"continue":false}', "PreToolUse hook returned unsupported continue:false"],
    ["pre_tool_use", '{"decision":"approve"}', "PreToolUse hook returned unsupported decision:approve"],
    ["post_tool_use", '{"suppressOutput":true}', "PostToolUse hook returned unsupported suppressOutput"],
  ] as const)("%s %s", (event, text, message) => {
    expect(ends(event, 0, text)).toMatchObject({
      status: "failed",
      blockReason: undefined,
      stopReason: undefined,
      entries: [{ kind: "error", text: message }],
    });
  });

  it.each([
    [{ permissionDecision: "ask" }, "PreToolUse hook returned unsupported permissionDecision:ask"],
    [{ permissionDecision: "allow" }, "PreToolUse hook returned unsupported permissionDecision:allow"],
    [{ updatedInput: {} }, "PreToolUse hook returned updatedInput without permissionDecision:allow"],
    [
      { permissionDecision: "deny" },
      "PreToolUse hook returned permissionDecision:deny without a non-empty permissionDecisionReason",
    ],
  ])("PreToolUse with %j", (members, text) => {
    expect(specific("pre_tool_use", members)).toMatchObject({ status: "failed", entries: [{ kind: "error", text }] });
  });
});

describe("decisions", () => {
  it("of PreToolUse: deny, old-style block, rewrite", () => {
    expect(specific("pre_tool_use", { permissionDecision: "deny", permissionDecisionReason: "no" })).toMatchObject({
      status: "blocked",
      blockReason: "no",
    });
    expect(json("pre_tool_use", { decision: "block", reason: "no" })).toMatchObject({ blockReason: "no" });
    expect(specific("pre_tool_use", { permissionDecision: "allow", updatedInput: { command: "x" } })).toMatchObject({
      status: "completed",
      updatedInput: { value: { command: "x" } },
    });
  });

  it("of PostToolUse: block, stop with the best text there is, context", () => {
    expect(json("post_tool_use", { decision: "block", reason: "no" })).toMatchObject({ blockReason: "no" });
    const stop = (members: object) => json("post_tool_use", { continue: false, ...members });
    expect(stop({ reason: "r", stopReason: "s" })).toMatchObject({
      status: "stopped",
      stopReason: "r",
      blockReason: undefined,
    });
    expect(stop({ stopReason: "s" })).toMatchObject({ stopReason: "s" });
    expect(stop({})).toMatchObject({ stopReason: "PostToolUse hook stopped execution" });
    expect(specific("post_tool_use", { additionalContext: "c" })).toMatchObject({
      contexts: ["c"],
      entries: [{ kind: "context", text: "c" }],
    });
  });

  it("of prompts: block keeps its context, stop outweighs block", () => {
    expect(
      json("user_prompt_submit", {
        decision: "block",
        reason: "no",
        hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "c" },
      }),
    ).toMatchObject({ status: "blocked", blockReason: "no", contexts: ["c"] });
    expect(
      json("user_prompt_submit", { continue: false, stopReason: "enough", decision: "block", reason: "no" }),
    ).toMatchObject({
      status: "stopped",
      stopReason: "enough",
      blockReason: undefined,
      entries: [{ kind: "stop", text: "enough" }],
    });
  });

  it("of permission requests", () => {
    const decide = (decision: object) => specific("permission_request", { decision });
    expect(decide({ behavior: "allow" })).toMatchObject({ status: "completed", permission: "allow" });
    expect(decide({ behavior: "deny", message: "no" })).toMatchObject({ permission: "deny", blockReason: "no" });
    expect(decide({ behavior: "deny" })).toMatchObject({ blockReason: "PermissionRequest hook denied approval" });
    expect(decide({ behavior: "allow", updatedInput: {} })).toMatchObject({ status: "failed", permission: undefined });
  });

  it("tells the person what a hook wants to be told", () => {
    for (const event of ["stop", "interrupt", "pre_tool_use"] as const)
      expect(json(event, { systemMessage: "hello" })).toMatchObject({
        status: "completed",
        entries: [{ kind: "warning", text: "hello" }],
      });
  });
});
