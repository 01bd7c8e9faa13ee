/** What a session file is read into: known lines, lines of other versions kept as they are, and losses. */
import type { RolloutLine } from "./rollout-line.js";

interface Located {
  /** Counted from 1. */
  readonly line: number;
  /** The byte after the line's feed: where a file that ends here would end. */
  readonly end: number;
}

export interface KnownRecord extends Located {
  readonly kind: "line";
  /** In today's shape. */
  readonly value: RolloutLine;
  /** As it was read; writing it back gives the same JSON. */
  readonly source: unknown;
  readonly upgraded: readonly string[];
}

/** A line this version does not know. It means nothing here, and is carried along. */
export interface OpaqueRecord extends Located {
  readonly kind: "opaque";
  /** What the line calls itself: `event_msg/some_event`. */
  readonly type: string;
  readonly source: unknown;
}

/** A line that could not be read. */
export interface LossRecord extends Located {
  readonly kind: "loss";
  readonly reason: string;
}

export type RolloutRecord = KnownRecord | OpaqueRecord | LossRecord;

/** One line of a file, without the line feed; undefined for a loss. */
export function formatRecord(record: RolloutRecord): string | undefined {
  return record.kind === "loss" ? undefined : JSON.stringify(record.source);
}
