/**
 * The whole screen below the scrollback: what is still changing, the prompt or the composer, and the footer.
 * Pure: (state, size, time) → frame. Finished cells are drawn by `viewDone` and scroll away.
 */

import { viewApproval } from "../approval/approval.js";
import { foundNothing, offered } from "../composer/composer.js";
import { viewForm } from "../question-form/form-view.js";
import type { AppState } from "../state/app-state.js";
import { promptHasKeys, shownPrompt } from "../state/app-state.js";
import { viewPicker } from "../state/picker.js";
import type { Block } from "../terminal/block.js";
import type { Frame, Size } from "../terminal/inline-screen.js";
import { bold, dim, type Line, lineWidth, plain, tinted, truncateLine, wrapLine } from "../terminal/style.js";
import { textWidth, truncateStart, truncateText, visibleControls } from "../terminal/text-width.js";
import { caretPlace, fieldRows } from "../text-field/field-layout.js";
import { FOLDED, LIVE, viewCell } from "../transcript/cell-view.js";
import type { Cell } from "../transcript/cells.js";
import { viewCompletion } from "./completion-view.js";

const MAX_COMPOSER_ROWS = 12;

/** Finished cells as lines, each after an empty line. */
export function viewDone(cells: readonly Cell[], width: number, outputRows = FOLDED.outputRows): Line[] {
  return cells.flatMap((cell) => [[], ...viewCell(cell, width, { ...FOLDED, outputRows })]);
}

export function viewLive(state: AppState, size: Size, now: number): Omit<Frame, "commit"> {
  const width = size.columns;
  const bottom = viewBottom(state, size, now);
  const room = Math.max(0, size.rows - 1 - bottom.lines.length);
  const above: Line[] = state.transcript.live.flatMap(({ cell }) => {
    const lines = viewCell(cell, width, LIVE);
    return lines.length === 0 ? [] : [[] as Line, ...lines];
  });
  const shown = room === 0 ? [] : above.slice(-room);
  return {
    live: [...shown, ...bottom.lines],
    cursor: bottom.cursor && { row: shown.length + bottom.cursor.row, column: bottom.cursor.column },
  };
}

/** Blocks under each other; the last cursor wins. */
function stack(...blocks: readonly Block[]): Block {
  const lines: Line[] = [];
  let cursor: Block["cursor"] = null;
  for (const block of blocks) {
    if (block.cursor) cursor = { row: lines.length + block.cursor.row, column: block.cursor.column };
    lines.push(...block.lines);
  }
  return { lines, cursor };
}

const still = (...lines: readonly Line[]): Block => ({ lines, cursor: null });

function viewBottom(state: AppState, size: Size, now: number): Block {
  const width = size.columns;
  const height = size.rows - 2;
  if (state.picker) return stack(still([]), viewPicker(state.picker, width, height));
  const prompt = shownPrompt(state);
  if (prompt) {
    const more = state.prompts.length - 1;
    const waiting = more > 0 ? [[dim(`  ${more} more waiting`)]] : [];
    // A draft that is being typed keeps the keys for a moment, and is shown meanwhile.
    const typing = prompt.drawn && !promptHasKeys(state, now);
    const draft = viewComposer(state, width, typing ? null : dim("  your draft is kept"));
    const room = height - waiting.length - (typing ? draft.lines.length + 1 : 0);
    const view =
      prompt.kind === "form"
        ? viewForm(prompt.form, state.keymap, width, room, now)
        : viewApproval(prompt.approval, width, room);
    if (typing) {
      // Where there is no room for both, the tips below the choices give way: they are back in a moment.
      const above = view.lines.slice(0, Math.max(3, room));
      return stack(still([]), still(...above), still(...waiting, []), draft);
    }
    if (state.composer.field.text !== "" && room > view.lines.length + 3)
      return stack(still([]), view, still(...waiting, []), still(...draft.lines));
    return stack(still([]), view, still(...waiting));
  }
  return stack(
    still(...viewStatus(state, width, now)),
    still([]),
    viewComposer(state, width, null),
    viewFooter(state, width, height),
  );
}

const DOTS = ["●", "○"];

function elapsed(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60) return `${seconds}s`;
  return `${Math.floor(seconds / 60)}m ${String(seconds % 60).padStart(2, "0")}s`;
}

/** What takes the time before a turn with images begins. */
function readingImages(state: AppState): string | null {
  if (state.transcript.turnId !== null) return null;
  const elements = state.sent.flatMap((message) => message.draft.elements);
  const images = elements.filter((element) => element.payload.kind === "image").length;
  return images === 0 ? null : images === 1 ? "Reading the image" : `Reading ${images} images`;
}

function viewStatus(state: AppState, width: number, now: number): Line[] {
  const lines: Line[] = [];
  const working = (word: string, startedAt: number, hint: string): void => {
    const since = Math.max(0, now - startedAt);
    const dot = DOTS[Math.floor(since / 500) % DOTS.length] as string;
    lines.push([], [tinted("accent", `${dot} `), bold(word), dim(` (${elapsed(since)}${hint})`)]);
  };
  if (state.busy) working(state.busy.text, state.busy.since, "");
  if (state.turnStartedAt !== null) {
    const word = state.interrupting ? "Stopping" : (readingImages(state) ?? "Working");
    working(word, state.turnStartedAt, " · esc to interrupt");
  }
  for (const message of state.sent.filter((entry) => entry.steering)) {
    lines.push([dim(`  ↳ sent, read at the next step: ${truncateText(oneLine(message.draft.text), width - 34)}`)]);
  }
  for (const [index, draft] of state.queue.entries()) {
    const hint = index === state.queue.length - 1 ? " (alt + ↑ to edit)" : "";
    // However long the message is, how to get it back can be read.
    const text = truncateText(oneLine(draft.text), Math.max(8, width - 12 - textWidth(hint)));
    lines.push(truncateLine([dim(`  ⧗ queued: ${text}`), dim(hint)], width));
  }
  return lines;
}

const oneLine = (text: string): string => visibleControls(text.replace(/\s+/g, " "));

function viewComposer(state: AppState, width: number, remark: Line[number] | null): Block {
  const { field } = state.composer;
  const inner = Math.max(4, width - 3);
  const mark = tinted(state.settings.mode === "plan" ? "warning" : "user", "› ");
  if (field.text === "") {
    const hint =
      state.turnStartedAt !== null
        ? "Enter steers this turn, Tab queues for the next"
        : "Ask for something, or / for commands";
    return { lines: [[mark, dim(truncateText(hint, inner))]], cursor: { row: 0, column: 2 } };
  }
  const rows = fieldRows(field.text, inner);
  const caret = caretPlace(field, inner);
  const first = Math.max(0, Math.min(caret.row - MAX_COMPOSER_ROWS + 1, rows.length - MAX_COMPOSER_ROWS));
  const lines: Line[] = rows
    .slice(first, first + MAX_COMPOSER_ROWS)
    .map((row, index) => [
      index === 0 && first === 0 ? mark : plain("  "),
      ...styledRow(field.text, row.start, row.end, field.elements),
    ]);
  if (remark) lines.push([remark]);
  return { lines, cursor: { row: caret.row - first, column: 2 + caret.column } };
}

/** A row of the draft; placeholders stand out from text. */
function styledRow(
  text: string,
  start: number,
  end: number,
  elements: readonly { start: number; end: number }[],
): Line {
  const spans: Line[number][] = [];
  let at = start;
  for (const element of elements) {
    const from = Math.max(at, element.start);
    const to = Math.min(end, element.end);
    if (from >= to) continue;
    if (from > at) spans.push(plain(visibleControls(text.slice(at, from))));
    spans.push(tinted("accent", text.slice(from, to)));
    at = to;
  }
  if (at < end) spans.push(plain(visibleControls(text.slice(at, end))));
  return spans;
}

function viewFooter(state: AppState, width: number, height: number): Block {
  const list = offered(state.composer);
  if (list) return still(...viewCompletion(list, width, Math.min(8, Math.floor(height / 2))));
  if (foundNothing(state.composer)) return still([dim("    no file matches")]);
  if (state.hint) return still(...wrapLine([dim(`  ${state.hint.text}`)], width, [plain("  ")]));
  const { settings, tokens, transcript } = state;
  // Each as it is said where there is room, and where there is little.
  const parts: (readonly [full: string, short: string])[] = [[settings.model, settings.model]];
  if (settings.mode === "plan") parts.push(["plan mode", "plan"]);
  if (transcript.terminals.length > 0) {
    const count = transcript.terminals.length;
    parts.push([`${count} terminal${count === 1 ? "" : "s"} (/ps)`, `${count} × /ps`]);
  }
  if (tokens?.window) {
    // The first 12,000 tokens are instructions that a person cannot free.
    const base = 12_000;
    const left = Math.round(100 * (1 - Math.max(0, tokens.used - base) / Math.max(1, tokens.window - base)));
    const percent = Math.max(0, Math.min(100, left));
    parts.push([`${percent}% context left`, `${percent}% left`]);
  }
  const full = parts.map(([text]) => text).join(" · ");
  const left = textWidth(full) + 2 <= width ? full : parts.map(([, text]) => text).join(" · ");
  const line: Line = [dim(truncateText(`  ${left}`, width))];
  const cwd = truncateStart(visibleControls(settings.cwd), Math.max(0, width - lineWidth(line) - 3));
  return still(cwd === "" ? line : [...line, dim(` · ${cwd}`)]);
}
