/** Follows `history_base`: forks and reverts of newer versions refer to their ancestor's file instead of copying it. */
import { headOf } from "./project/project-thread.js";
import type { RolloutRecord } from "./records.js";
import type { HistoryBase } from "./session-meta.js";

/** Finds the records of an ancestor: a file of that thread other than the one asking, long enough for the offset. */
export type LoadAncestor = (base: HistoryBase) => Promise<readonly RolloutRecord[] | undefined>;

export interface ResolvedHistory {
  /** In order, oldest first; for `projectThread` and `rebuildModelInput`. */
  readonly inherited: RolloutRecord[];
  /** Ancestors that were not found or were cut short. */
  readonly missing: { readonly threadId: string; readonly reason: string }[];
}

const MAX_DEPTH = 64;

export async function resolveHistory(records: readonly RolloutRecord[], load: LoadAncestor): Promise<ResolvedHistory> {
  const missing: { threadId: string; reason: string }[] = [];
  let inherited: RolloutRecord[] = [];
  let base = headOf(records)?.history_base;
  for (let depth = 0; base; depth++) {
    if (depth === MAX_DEPTH) {
      missing.push({ threadId: base.thread_id, reason: `the chain of files is longer than ${MAX_DEPTH}` });
      break;
    }
    const ancestor = await load(base);
    if (!ancestor) {
      missing.push({ threadId: base.thread_id, reason: "no file of the thread was found" });
      break;
    }
    inherited = [...inheritedPart(ancestor, base), ...inherited];
    base = headOf(ancestor)?.history_base;
  }
  return { inherited, missing };
}

/** The records before the base's end: by number where lines are numbered, else by byte. */
function inheritedPart(ancestor: readonly RolloutRecord[], base: HistoryBase): RolloutRecord[] {
  return ancestor.filter((record) => {
    const ordinal = record.kind === "line" ? record.value.ordinal : undefined;
    if (typeof ordinal === "number") return ordinal < base.end_ordinal_exclusive;
    return record.end <= base.end_byte_offset;
  });
}
