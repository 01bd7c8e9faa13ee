/**
 * A script that has been read. Its parts have the protocol's shapes (`ScriptFile`); reading is `load-script.ts`, playing is
 * `script-player.ts`, the manual is docs/scripted-model.md.
 */
import type { ScriptEntry } from "@turnkit/protocol";

export type { ScriptCondition, ScriptEntry, ScriptItem } from "@turnkit/protocol";

export interface Script {
  /** Named in errors. */
  readonly fileName: string;
  /** Played once each, in order. */
  readonly responses: readonly ScriptEntry[];
  /** Played after them, again and again. */
  readonly repeat: readonly ScriptEntry[];
}
