/**
 * Where a field's characters stand when it is drawn at a width: rows, caret cell, and vertical movement.
 * Pure; shared by drawing and by the up and down keys so that they cannot disagree.
 */
import { graphemes, graphemeWidth, textWidth, visibleControls } from "../terminal/text-width.js";
import type { TextField } from "./text-field.js";

export interface FieldRow {
  readonly start: number;
  readonly end: number;
}

/** Visual rows of at most `width` cells, and one space more; a row that ends in a newline does not include it. */
export function fieldRows(text: string, width: number): FieldRow[] {
  const rows: FieldRow[] = [];
  let lineStart = 0;
  for (const line of text.split("\n")) {
    wrapInto(rows, line, lineStart, Math.max(1, width));
    lineStart += line.length + 1;
  }
  return rows;
}

function wrapInto(rows: FieldRow[], line: string, offset: number, width: number): void {
  const parts = graphemes(line);
  let start = 0;
  let at = 0;
  let used = 0;
  let afterSpace = -1;
  for (const part of parts) {
    const cells = cellsOf(part);
    // A space between words hangs over the end of its row: it does not begin the next one.
    const hangs = part === " " && used === width && at > afterSpace;
    if (used + cells > width && at > start && !hangs) {
      const cut = afterSpace > start && part !== " " ? afterSpace : at;
      rows.push({ start: offset + start, end: offset + cut });
      used = textWidth(line.slice(cut, at));
      start = cut;
      afterSpace = -1;
    }
    at += part.length;
    used += cells;
    if (part === " ") afterSpace = at;
  }
  rows.push({ start: offset + start, end: offset + line.length });
}

const cellsOf = (grapheme: string): number => {
  const width = graphemeWidth(grapheme);
  return width === 0 && grapheme < " " ? textWidth(visibleControls(grapheme)) : width;
};

const cellsBetween = (text: string): number => graphemes(text).reduce((sum, part) => sum + cellsOf(part), 0);

/** The caret belongs to the later row when it stands on a soft break. */
export function caretPlace(field: TextField, width: number): { readonly row: number; readonly column: number } {
  const rows = fieldRows(field.text, width);
  let row = 0;
  for (const [index, candidate] of rows.entries()) {
    if (candidate.start <= field.caret) row = index;
  }
  const current = rows[row] as FieldRow;
  return { row, column: cellsBetween(field.text.slice(current.start, field.caret)) };
}

/** Moves a visual row up (-1) or down (1); null at the first or last row. */
export function moveVertically(field: TextField, delta: -1 | 1, width: number): TextField | null {
  const rows = fieldRows(field.text, width);
  const place = caretPlace(field, width);
  const target = rows[place.row + delta];
  if (!target) return null;
  const goal = field.goalColumn ?? place.column;
  let caret = target.start;
  let column = 0;
  for (const part of graphemes(field.text.slice(target.start, target.end))) {
    if (column + cellsOf(part) > goal) break;
    column += cellsOf(part);
    caret += part.length;
  }
  // The end of a soft-broken row is the start of the next one.
  const softEnd = caret === target.end && field.text[caret] !== "\n" && caret < field.text.length;
  if (softEnd && caret > target.start) caret -= graphemes(field.text.slice(target.start, caret)).at(-1)?.length ?? 0;
  const inside = field.elements.find((element) => element.start < caret && caret < element.end);
  return { ...field, caret: inside ? inside.start : caret, goalColumn: goal };
}
