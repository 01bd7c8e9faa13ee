/**
 * What the end of a hook command means: by exit code, by JSON on its output, by plain text. Pure. A failed hook
 * decides nothing; every rule is per event.
 */
import type { HookOutputEntry } from "@turnkit/protocol";
import type { HookEvent } from "./hook-event.js";
import { type JsonOutput, parseJsonOutput, Unusable } from "./hook-output-json.js";
import type { HookCommandResult } from "./run-command.js";

export interface HookResult {
  readonly status: "completed" | "failed" | "blocked" | "stopped";
  readonly entries: readonly HookOutputEntry[];
  /** Texts for the model. */
  readonly contexts: readonly string[];
  /** Why the occasion is blocked: a refusal for tools and prompts, what to go on with for Stop. */
  readonly blockReason: string | undefined;
  /** Why everything is to stop. */
  readonly stopReason: string | undefined;
  readonly updatedInput: { readonly value: unknown } | undefined;
  readonly permission: "allow" | "deny" | undefined;
}

const NOTHING: HookResult = {
  status: "completed",
  entries: [],
  contexts: [],
  blockReason: undefined,
  stopReason: undefined,
  updatedInput: undefined,
  permission: undefined,
};

/** What exit code 2 must be explained with on the error output. */
const EXIT_2_NEEDS: Readonly<Record<string, string>> = {
  PreToolUse: "did not write a blocking reason to stderr",
  PermissionRequest: "did not write a denial reason to stderr",
  PostToolUse: "did not write feedback to stderr",
  UserPromptSubmit: "did not write a blocking reason to stderr",
  Stop: "did not write a continuation prompt to stderr",
  SubagentStop: "did not write a continuation prompt to stderr",
};

/** How error texts call the output of an event. */
const OUTPUT_NAMES: Readonly<Record<string, string>> = {
  PreToolUse: "pre-tool-use",
  PermissionRequest: "permission-request",
  PostToolUse: "post-tool-use",
  SessionStart: "session start",
  UserPromptSubmit: "user prompt submit",
  SubagentStart: "subagent start",
  SubagentStop: "subagent stop hook",
  Stop: "stop hook",
  Interrupt: "interrupt hook",
};

export function failedHook(message: string): HookResult {
  return { ...NOTHING, status: "failed", entries: [{ kind: "error", text: message }] };
}

export function readHookOutput(event: HookEvent, result: HookCommandResult): HookResult {
  if (result.type === "failed") return failedHook(result.message);
  if (result.code === null) return failedHook("hook exited without a status code");
  const exit2 = EXIT_2_NEEDS[event.configName];
  if (result.code === 2 && exit2 !== undefined) {
    const reason = result.stderr.trim();
    if (reason === "") return failedHook(`${event.configName} hook exited with code 2 but ${exit2}`);
    return blocked(event, reason, []);
  }
  if (result.code !== 0) return failedHook(`hook exited with code ${result.code}`);
  const text = result.stdout.trim();
  if (text === "") return NOTHING;
  if (text.startsWith("{") || text.startsWith("[")) return readJson(event, text);
  return readPlainText(event, text);
}

function invalidJson(event: HookEvent): HookResult {
  const name = OUTPUT_NAMES[event.configName] ?? event.label;
  return failedHook(`hook returned invalid ${name} JSON output`);
}

function readPlainText(event: HookEvent, text: string): HookResult {
  switch (event.configName) {
    case "UserPromptSubmit":
    case "SessionStart":
    case "SubagentStart":
      return { ...NOTHING, entries: [{ kind: "context", text }], contexts: [text] };
    case "Stop":
    case "SubagentStop":
      return invalidJson(event);
    case "Interrupt":
      return failedHook("Interrupt hook returned non-JSON stdout");
    default:
      return NOTHING;
  }
}

function readJson(event: HookEvent, text: string): HookResult {
  let output: JsonOutput;
  try {
    const parsed = parseJsonOutput(event, text);
    if (parsed === undefined) return invalidJson(event);
    output = parsed;
  } catch (error) {
    if (error instanceof Unusable) return failedHook(error.message);
    throw error;
  }
  const warnings: HookOutputEntry[] =
    output.systemMessage === undefined ? [] : [{ kind: "warning", text: output.systemMessage }];
  if (event.configName === "Interrupt")
    return output.onlySystemMessage ? { ...NOTHING, entries: warnings } : invalidJson(event);
  const context = output.additionalContext;
  const entries: HookOutputEntry[] = [...warnings, ...(context === undefined ? [] : [contextEntry(context)])];
  const contexts = context === undefined ? [] : [context];
  const base = { ...NOTHING, entries, contexts };
  // Stopping outweighs blocking.
  if (!output.continue) return { ...base, ...stopped(event, output, entries) };
  if (output.permission === "deny" || output.blockReason !== undefined)
    return { ...base, ...blocked(event, output.blockReason ?? "", entries), contexts, permission: output.permission };
  return { ...base, updatedInput: output.updatedInput, permission: output.permission };
}

function contextEntry(text: string): HookOutputEntry {
  return { kind: "context", text };
}

function stopped(event: HookEvent, output: JsonOutput, entries: readonly HookOutputEntry[]): Partial<HookResult> {
  const fallback = event.configName === "PostToolUse" ? "PostToolUse hook stopped execution" : undefined;
  const shown = output.stopReason ?? (event.configName === "PostToolUse" ? fallback : output.reason);
  const told = event.configName === "PostToolUse" ? (output.reason ?? shown) : shown;
  return {
    status: "stopped",
    entries: shown === undefined ? entries : [...entries, { kind: "stop", text: shown }],
    stopReason: told ?? `${event.configName} hook stopped execution`,
  };
}

function blocked(event: HookEvent, reason: string, entries: readonly HookOutputEntry[]): HookResult {
  return {
    ...NOTHING,
    status: "blocked",
    entries: [...entries, { kind: "feedback", text: reason }],
    blockReason: reason,
    permission: event.configName === "PermissionRequest" ? "deny" : undefined,
  };
}
