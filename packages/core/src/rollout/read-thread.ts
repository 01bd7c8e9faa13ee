/**
 * Reads a kept thread back: what a resumed session begins with. Losses of a damaged file are reported, not hidden;
 * everything else is used.
 */
import { createReadStream } from "node:fs";
import type { EventMsg, SessionMeta, ThreadSettings, TokenUsageInfo, TurnContextItem } from "@turnkit/protocol";
import {
  type CompactedItem,
  collectRollout,
  headOf,
  type LossRecord,
  type RolloutRecord,
  rebuildModelHistory,
  resolveHistory,
} from "@turnkit/protocol/rollout";
import type { WindowState } from "../compaction/windows.js";
import type { InitialHistory } from "../session/session-options.js";
import { decompressZstd } from "./decompress.js";

export interface StoredThread {
  readonly path: string;
  /** null: the file has no readable head. */
  readonly meta: SessionMeta | null;
  readonly records: readonly RolloutRecord[];
  /** Records of ancestors the file refers to; they come first. */
  readonly inherited: readonly RolloutRecord[];
  readonly losses: readonly LossRecord[];
  readonly history: InitialHistory;
  readonly lastTurnContext: TurnContextItem | null;
  readonly lastSettings: ThreadSettings | null;
  /** The newest turn was interrupted, or never ended. */
  readonly wasInterrupted: boolean;
}

/** There is nothing in the file that could be gone on with. */
export class UnreadableThreadError extends Error {
  override readonly name = "UnreadableThreadError";
}

export interface ReadThreadOptions {
  /** Finds the files of an ancestor thread. */
  readonly findFiles?: (threadId: string) => Promise<readonly string[]>;
}

export async function readRecords(file: string): Promise<RolloutRecord[]> {
  return await collectRollout(createReadStream(file), { decompress: decompressZstd });
}

/** @throws {UnreadableThreadError} @throws the system's error when the file cannot be opened */
export async function readThread(file: string, options: ReadThreadOptions = {}): Promise<StoredThread> {
  const records = await readRecords(file);
  const { inherited } = await resolveHistory(records, async (base) => {
    const candidates = (await options.findFiles?.(base.thread_id)) ?? [];
    for (const candidate of candidates) if (candidate !== file) return await readRecords(candidate);
    return undefined;
  });
  if (!records.some((record) => record.kind === "line")) throw new UnreadableThreadError("empty session file");
  return {
    path: file,
    meta: headOf(records),
    records,
    inherited,
    losses: records.filter((record) => record.kind === "loss"),
    ...stateOf(file, records, inherited),
  };
}

function stateOf(file: string, records: readonly RolloutRecord[], inherited: readonly RolloutRecord[]) {
  let usage: TokenUsageInfo | null = null;
  let worldState: Record<string, unknown> | null = null;
  let lastTurnContext: TurnContextItem | null = null;
  let lastSettings: ThreadSettings | null = null;
  let window: WindowState | null = null;
  let wasInterrupted = false;
  for (const record of [...inherited, ...records]) {
    if (record.kind !== "line") continue;
    const line = record.value;
    if (line.type === "event_msg") wasInterrupted = cutOff(line.payload) ?? wasInterrupted;
    if (line.type === "turn_context") lastTurnContext = line.payload;
    else if (line.type === "session_meta") window ??= firstWindow(line.payload);
    else if (line.type === "compacted") {
      window = windowAfter(line.payload, window);
      // The model is told everything again.
      worldState = null;
    } else if (line.type === "world_state")
      worldState = line.payload.full
        ? (line.payload.state as Record<string, unknown>)
        : (merged(worldState ?? {}, line.payload.state) as Record<string, unknown>);
    else if (line.type === "event_msg" && line.payload.type === "token_count") usage = line.payload.info ?? usage;
    else if (line.type === "event_msg" && line.payload.type === "thread_settings_applied")
      lastSettings = line.payload.thread_settings;
  }
  const { items, replaced } = rebuildModelHistory(records, { inherited });
  const history: InitialHistory = { items, usage, worldState, path: file, replaced, window };
  return { history, lastTurnContext, lastSettings, wasInterrupted };
}

/** undefined: the event does not say. */
function cutOff(event: EventMsg): boolean | undefined {
  if (event.type === "task_started") return true;
  if (event.type === "task_complete") return false;
  return event.type === "turn_aborted" ? event.reason === "interrupted" : undefined;
}

function firstWindow({ context_window: window }: SessionMeta): WindowState | null {
  const id = (window as { readonly window_id?: unknown } | null | undefined)?.window_id;
  return typeof id === "string" ? { number: 0, firstId: id, id } : null;
}

function windowAfter(line: CompactedItem, before: WindowState | null): WindowState | null {
  const { window_number: number, first_window_id: firstId, window_id: id } = line;
  return typeof number === "number" && firstId && id ? { number, firstId, id } : before;
}

/** A patch reaches into objects; null removes. */
function merged(base: unknown, patch: unknown): unknown {
  if (typeof patch !== "object" || patch === null || Array.isArray(patch)) return patch;
  const result: Record<string, unknown> =
    typeof base === "object" && base !== null && !Array.isArray(base) ? { ...base } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = merged(result[key], value);
  }
  return result;
}

/** The records up to the end of a turn; all of them for null. undefined: there is no such turn. */
export function recordsThrough(records: readonly RolloutRecord[], turnId: string | null): RolloutRecord[] | undefined {
  if (turnId === null) return [...records];
  let end = -1;
  let current: string | undefined;
  for (const [index, record] of records.entries()) {
    if (record.kind !== "line") continue;
    const line = record.value;
    if (line.type === "event_msg" && line.payload.type === "task_started") current = line.payload.turn_id;
    if (current === turnId) end = index;
    if (
      line.type === "event_msg" &&
      (line.payload.type === "task_complete" || line.payload.type === "turn_aborted") &&
      line.payload.turn_id === current
    )
      current = undefined;
  }
  return end < 0 ? undefined : records.slice(0, end + 1);
}
