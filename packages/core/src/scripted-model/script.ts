/** The script file's shape. Reading is `load-script.ts`, playing is `script-player.ts`, the manual is docs/scripted-model.md. */
import type { ScriptedUsage } from "./scripted-response.js";

/** All that are given must hold; a template that finds nothing does not. A call id `*` means the latest output of any call. */
export interface ScriptCondition {
  /** The request holds an output of this call. */
  readonly hasOutput?: string;
  readonly lacksOutput?: string;
  /** This call's output says that its program is running. */
  readonly running?: string;
  readonly exited?: string;
  /** The text (templates allowed) matches the regular expression `pattern`. */
  readonly matches?: { readonly text: string; readonly pattern: string };
  readonly not?: ScriptCondition;
}

export type ScriptItem =
  | { readonly type: "message"; readonly text: string; readonly phase?: string }
  | { readonly type: "reasoning"; readonly summary: string | readonly string[]; readonly content?: string }
  | {
      readonly type: "function_call";
      readonly name: string;
      readonly call_id?: string;
      /** An object is rendered and written as JSON; a string is sent as it is. */
      readonly arguments: string | Readonly<Record<string, unknown>>;
    }
  | { readonly type: "custom_tool_call"; readonly name: string; readonly call_id?: string; readonly input: string }
  | { readonly type: "raw"; readonly item: Readonly<Record<string, unknown>> };

export interface ScriptEntry {
  readonly comment?: string;
  /** Skipped when this does not hold. */
  readonly when?: ScriptCondition;
  /** Played again until this holds; checked before each time. */
  readonly until?: ScriptCondition;
  /** The most times `until` may play it; default 100. */
  readonly limit?: number;
  readonly items?: readonly ScriptItem[];
  readonly delayMs?: number;
  readonly gapMs?: number;
  readonly deltaGapMs?: number;
  readonly deltas?: boolean;
  readonly endTurn?: boolean;
  readonly usage?: ScriptedUsage;
  readonly status?: number;
  readonly errorBody?: unknown;
  readonly failed?: { readonly code?: string; readonly message: string };
  readonly incomplete?: string;
  readonly noCompleted?: boolean;
  readonly cut?: boolean;
}

export interface Script {
  /** Named in errors. */
  readonly fileName: string;
  /** Played once each, in order. */
  readonly responses: readonly ScriptEntry[];
  /** Played after them, again and again. */
  readonly repeat: readonly ScriptEntry[];
}
