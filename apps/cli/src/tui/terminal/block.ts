/** A part of the screen: whole lines, and where the caret is if it is in there. */
import type { Line } from "./style.js";

export interface Block {
  readonly lines: readonly Line[];
  /** Counted from 0, from the part's first line. */
  readonly cursor: { readonly row: number; readonly column: number } | null;
}
