/**
 * What a resumed turn would send the model, before its own input: from the newest compaction on, without what was
 * rolled back, with unpaired calls repaired.
 */
import type { ResponseItem } from "../agent/response-item.js";
import { isUserMessage } from "./project/context-messages.js";
import type { RolloutRecord } from "./records.js";
import type { CompactedItem } from "./rollout-line.js";

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

/** What the model is shown of a thread, and what a compaction put out of its sight. */
export interface ModelHistory {
  readonly items: readonly ResponseItem[];
  /** null: nothing was compacted. */
  readonly replaced: ReplacedHistory | null;
}

export interface ReplacedHistory {
  readonly before: ModelHistory;
  /** Items of `ModelHistory.items`, from the first on, that stand for what was there before. */
  readonly standIns: number;
  /** The compaction was a turn of its own. */
  readonly ownTurn: boolean;
  /** The text the model reads instead. */
  readonly summary: string;
}

const neverSent = new Set(["other", "compaction_trigger"]);

/** A compaction without a replacement: all of the person's messages so far, then the summary. */
function rebuilt(history: readonly ResponseItem[], message: string): ResponseItem[] {
  const summary: Message = { type: "message", role: "user", content: [{ type: "input_text", text: message }] };
  return [...history.filter((item) => isUserMessage(item) || isInstructions(item)), summary];
}

/** The history after a compaction. */
export function compactHistory(
  before: ModelHistory,
  { message, replacement_history: replacement }: CompactedItem,
  ownTurn: boolean,
): ModelHistory {
  const items = replacement ? replacement.filter((item) => !neverSent.has(item.type)) : rebuilt(before.items, message);
  return { items, replaced: { before, standIns: items.length, ownTurn, summary: message } };
}

/**
 * Cuts the newest turns, each with everything from its message on. Turns older than a compaction are cut from the
 * history as it was before; a compaction that was a turn of its own counts as one.
 */
export function rollBackHistory(history: ModelHistory, turns: number): ModelHistory {
  const { items, replaced } = history;
  const first = replaced?.standIns ?? 0;
  let end = items.length;
  let left = turns;
  for (; left > 0; left--) {
    const at = items.slice(first, end).findLastIndex(isUserMessage);
    if (at < 0) break;
    end = first + at;
  }
  if (left === 0 || replaced === null) return { items: items.slice(0, end), replaced };
  return rollBackHistory(replaced.before, replaced.ownTurn ? left - 1 : left);
}

/** The history a file leads to, with what its compactions put out of sight. Unpaired calls are repaired. */
export function rebuildModelHistory(records: readonly RolloutRecord[], options: RebuildOptions = {}): ModelHistory {
  let history: { items: ResponseItem[]; replaced: ReplacedHistory | null } = { items: [], replaced: null };
  let turnHasMessage = true;
  let turnStart = 0;
  const grown = ({ items, replaced }: ModelHistory) => ({ items: [...items], replaced });
  for (const record of [...(options.inherited ?? []), ...records]) {
    if (record.kind !== "line") continue;
    const line = record.value;
    if (line.type === "response_item") {
      if (neverSent.has(line.payload.type)) continue;
      history.items.push(line.payload);
      if (isUserMessage(line.payload)) turnHasMessage = true;
    } else if (line.type === "compacted") {
      const ownTurn = !turnHasMessage;
      const after = compactHistory(history, line.payload, ownTurn);
      // What the turn itself said is the summary: it goes with the turn.
      const before = ownTurn ? { ...history, items: history.items.slice(0, turnStart) } : history;
      history = grown({ ...after, replaced: after.replaced && { ...after.replaced, before } });
      turnStart = history.items.length;
    } else if (line.type === "event_msg" && line.payload.type === "task_started") {
      turnHasMessage = false;
      turnStart = history.items.length;
    } else if (line.type === "event_msg" && line.payload.type === "thread_rolled_back") {
      history = grown(rollBackHistory(history, line.payload.num_turns));
    }
  }
  const { items, replaced } = history;
  const repaired = repairPairs(items);
  if (replaced === null) return { items: repaired, replaced };
  const next = items[replaced.standIns];
  const standIns = next === undefined ? repaired.length : Math.max(repaired.indexOf(next), 0);
  return { items: repaired, replaced: { ...replaced, standIns } };
}

export function rebuildModelInput(records: readonly RolloutRecord[], options: RebuildOptions = {}): ResponseItem[] {
  return [...rebuildModelHistory(records, options).items];
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
