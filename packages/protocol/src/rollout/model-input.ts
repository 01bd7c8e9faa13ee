/**
 * What a resumed turn would send the model, before its own input: from the newest compaction on, without what was
 * rolled back, with unpaired calls repaired.
 */
import type { ResponseItem } from "../agent/response-item.js";
import { isUserMessage } from "./project/context-messages.js";
import type { RolloutRecord } from "./records.js";

export interface RebuildOptions {
  /** Records that the file refers to instead of copying them; see `resolveHistory`. They come first. */
  readonly inherited?: readonly RolloutRecord[];
}

type Message = Extract<ResponseItem, { type: "message" }>;

/** Instructions of before 0.55 were never put back after a compaction, so they are kept like the person's messages. */
function isInstructions(item: ResponseItem): boolean {
  if (item.type !== "message" || item.role !== "user") return false;
  const [first] = item.content;
  return first?.type === "input_text" && first.text.startsWith("<user_instructions>");
}

/** A compaction without a replacement: all of the person's messages so far, then the summary. */
function rebuilt(history: readonly ResponseItem[], message: string): ResponseItem[] {
  const summary: Message = { type: "message", role: "user", content: [{ type: "input_text", text: message }] };
  return [...history.filter((item) => isUserMessage(item) || isInstructions(item)), summary];
}

/** Cuts the newest turns, each with everything from its message on. */
function rolledBack(history: readonly ResponseItem[], turns: number): ResponseItem[] {
  let end = history.length;
  for (let left = turns; left > 0 && end > 0; left--) {
    const at = history.slice(0, end).findLastIndex(isUserMessage);
    if (at < 0) break;
    end = at;
  }
  return history.slice(0, end);
}

const neverSent = new Set(["other", "compaction_trigger"]);

export function rebuildModelInput(records: readonly RolloutRecord[], options: RebuildOptions = {}): ResponseItem[] {
  let history: ResponseItem[] = [];
  for (const record of [...(options.inherited ?? []), ...records]) {
    if (record.kind !== "line") continue;
    const line = record.value;
    if (line.type === "response_item") {
      if (!neverSent.has(line.payload.type)) history.push(line.payload);
    } else if (line.type === "compacted") {
      const { message, replacement_history: replacement } = line.payload;
      history = replacement ? replacement.filter((item) => !neverSent.has(item.type)) : rebuilt(history, message);
    } else if (line.type === "event_msg" && line.payload.type === "thread_rolled_back") {
      history = rolledBack(history, line.payload.num_turns);
    }
  }
  return repairPairs(history);
}

function callId(item: ResponseItem): string | undefined {
  switch (item.type) {
    case "function_call":
    case "custom_tool_call":
    case "local_shell_call":
    case "tool_search_call":
      return typeof item.call_id === "string" ? item.call_id : undefined;
    default:
      return undefined;
  }
}

function answers(item: ResponseItem): string | undefined {
  switch (item.type) {
    case "function_call_output":
    case "custom_tool_call_output":
    case "tool_search_output":
      return typeof item.call_id === "string" ? item.call_id : undefined;
    default:
      return undefined;
  }
}

function abortedOutput(call: ResponseItem, id: string): ResponseItem {
  if (call.type === "custom_tool_call") return { type: "custom_tool_call_output", call_id: id, output: "aborted" };
  if (call.type === "tool_search_call") {
    return { type: "tool_search_output", call_id: id, status: "completed", execution: "client", tools: [] };
  }
  return { type: "function_call_output", call_id: id, output: "aborted" };
}

/** A call without an output gets one that says `aborted`; an output without a call goes. */
export function repairPairs(history: readonly ResponseItem[]): ResponseItem[] {
  const calls = new Set(history.map(callId).filter((id) => id !== undefined));
  const answered = new Set(history.map(answers).filter((id) => id !== undefined));
  const repaired: ResponseItem[] = [];
  for (const item of history) {
    const output = answers(item);
    if (output !== undefined && !calls.has(output)) continue;
    repaired.push(item);
    const call = callId(item);
    if (call !== undefined && !answered.has(call)) repaired.push(abortedOutput(item, call));
  }
  return repaired;
}
