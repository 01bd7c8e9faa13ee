/**
 * What a question form looks like. Pure: form and width in, lines and caret out.
 */
import { type Keymap, keyLabel } from "../keymap/keymap.js";
import type { Block } from "../terminal/block.js";
import { bold, dim, type Line, lineWidth, plain, type Span, tinted, wrapLine } from "../terminal/style.js";
import { graphemes, textWidth, visibleControls } from "../terminal/text-width.js";
import { caretPlace, fieldRows } from "../text-field/field-layout.js";
import type { TextField } from "../text-field/text-field.js";
import { confirmationRows } from "./form-keys.js";
import {
  autoResolveSeconds,
  currentQuestion,
  currentState,
  draftIndexes,
  type Form,
  type FormQuestion,
  hasOptions,
  isAnswered,
  optionRows,
  type QuestionState,
  unansweredIndexes,
} from "./form-state.js";

const MAX_NOTE_ROWS = 8;
/** Narrower terminals get one column. */
const NARROW = 60;
const INDENT = "  ";

export function viewForm(form: Form, keymap: Keymap, width: number, height: number, now: number): Block {
  return form.confirming ? viewConfirmation(form, width) : viewQuestion(form, keymap, width, height, now);
}

function progressLine(form: Form, now: number): Line {
  const total = form.request.questions.length;
  if (total === 0) return [dim(`${INDENT}No questions`)];
  const unanswered = unansweredIndexes(form).length;
  const spans: Span[] = [dim(`${INDENT}Question ${form.current + 1}/${total}`)];
  if (unanswered > 0) spans.push(dim(` (${unanswered} unanswered)`));
  const seconds = autoResolveSeconds(form, now);
  if (seconds !== null) spans.push(tinted("danger", ` · auto-resolves in ${duration(seconds)}`));
  return spans;
}

const duration = (seconds: number): string =>
  seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m ${String(seconds % 60).padStart(2, "0")}s`;

function wrapped(text: string, width: number, style: Span["style"]): Line[] {
  return text
    .split("\n")
    .flatMap((row) => wrapLine([{ text: `${INDENT}${visibleControls(row)}`, style }], width, [plain(INDENT)]));
}

/** All rows of the options, and which of them each option begins at. */
function optionLines(
  question: FormQuestion,
  state: QuestionState,
  width: number,
  focused: boolean,
  everyDescription: boolean,
): { lines: Line[]; starts: number[] } {
  const rows = optionRows(question);
  const labels = rows.map((row, index) => `${index + 1}. ${visibleControls(row.label)}`);
  const beside = Math.min(Math.max(...labels.map((label) => textWidth(label))), Math.floor(width / 2)) + 2;
  const lines: Line[] = [];
  const starts: number[] = [];
  for (const [index, row] of rows.entries()) {
    starts.push(lines.length);
    const selected = state.selected === index;
    const role = selected ? "accent" : undefined;
    const mark = selected ? (state.committed ? "✓ " : "› ") : "  ";
    const label: Span = { text: `${mark}${labels[index]}`, style: { role, bold: selected && focused } };
    const gap = Math.max(1, beside - textWidth(labels[index] as string));
    const description = visibleControls(row.description.replace(/\n/g, " "));
    if (description === "" || !(everyDescription || selected)) {
      lines.push(...wrapLine([plain(INDENT), label], width, [plain("       ")]));
    } else if (width < NARROW) {
      // No room for two columns: the description stands below its label.
      lines.push(...wrapLine([plain(INDENT), label], width, [plain("       ")]));
      lines.push(...wrapLine([plain("       "), dim(description)], width, [plain("       ")]));
    } else {
      const indent = plain(" ".repeat(Math.min(beside + 2 + INDENT.length, Math.floor(width / 2))));
      lines.push(...wrapLine([plain(INDENT), label, plain(" ".repeat(gap)), dim(description)], width, [indent]));
    }
  }
  return { lines, starts };
}

function masked(field: TextField): TextField {
  const before = graphemes(field.text.slice(0, field.caret)).length;
  return { ...field, text: "*".repeat(graphemes(field.text).length), caret: before, elements: [] };
}

/** The notes or answer field. */
function notesBlock(question: FormQuestion, state: QuestionState, width: number, focused: boolean): Block {
  const field = question.isSecret ? masked(state.notes) : state.notes;
  const inner = width - 4;
  if (field.text === "") {
    const hint = !hasOptions(question)
      ? "Type your answer (optional)"
      : state.selected === null
        ? "Select an option to add notes"
        : "Add notes";
    return {
      lines: [[plain(INDENT), tinted("accent", "› "), dim(hint)]],
      cursor: focused ? { row: 0, column: 4 } : null,
    };
  }
  const rows = fieldRows(field.text, inner);
  const caret = caretPlace(field, inner);
  const first = Math.max(0, Math.min(caret.row - MAX_NOTE_ROWS + 1, rows.length - MAX_NOTE_ROWS));
  const shown = rows.slice(first, first + MAX_NOTE_ROWS);
  return {
    lines: shown.map((row, index) => [
      plain(INDENT),
      tinted("accent", index === 0 ? "› " : "  "),
      plain(visibleControls(field.text.slice(row.start, row.end))),
    ]),
    cursor: focused ? { row: caret.row - first, column: 4 + caret.column } : null,
  };
}

function tips(form: Form, question: FormQuestion, state: QuestionState, keymap: Keymap): Span[] {
  const last = form.current === form.request.questions.length - 1;
  const only = form.request.questions.length === 1;
  const options = hasOptions(question);
  const list: Span[] = [];
  if (options && state.selected !== null && !state.notesVisible) {
    list.push(tinted("accent", `${keyLabel(keymap.question.notes)} to add notes`));
  }
  if (options && state.notesVisible) list.push(dim(`${keyLabel(keymap.question.notes)} or esc to clear notes`));
  const submit = keyLabel(keymap.question.submit);
  list.push(
    only
      ? tinted("accent", `${submit} to submit answer`)
      : dim(last ? `${submit} to submit all` : `${submit} to submit answer`),
  );
  if (!only) {
    if (options && form.focus === "options") list.push(dim("←/→ to navigate questions"));
    else list.push(dim(`${keyLabel(keymap.question.previous)} / ${keyLabel(keymap.question.next)} change question`));
  }
  if (!(options && state.notesVisible)) list.push(dim(`${keyLabel(keymap.question.interrupt)} to interrupt`));
  return list;
}

/** Tips joined by ` | `, broken between tips. */
function footer(list: readonly Span[], width: number): Line[] {
  const lines: Span[][] = [[plain(INDENT)]];
  for (const tip of list) {
    const line = lines.at(-1) as Span[];
    const first = line.length === 1;
    if (!first && lineWidth(line) + 3 + textWidth(tip.text) > width) lines.push([plain(INDENT), tip]);
    else line.push(...(first ? [tip] : [dim(" | "), tip]));
  }
  return lines.flatMap((line) => wrapLine(line, width, [plain(INDENT)]));
}

function viewQuestion(form: Form, keymap: Keymap, width: number, height: number, now: number): Block {
  const question = currentQuestion(form);
  const state = currentState(form);
  const lines: Line[] = [progressLine(form, now)];
  if (!question || !state)
    return { lines: [...lines, [dim(`${INDENT}enter to close | esc to interrupt`)]], cursor: null };
  const answered = isAnswered(question, state);
  lines.push(...wrapped(question.question, width, answered ? { bold: true } : { bold: true, role: "question" }));
  lines.push([]);
  const list = tips(form, question, state, keymap);
  const notes = state.notesVisible ? notesBlock(question, state, width, form.focus === "notes") : null;
  if (hasOptions(question)) {
    const room = Math.max(
      3,
      height - lines.length - (notes ? notes.lines.length + 1 : 0) - footer(list, width).length - 1,
    );
    const focused = form.focus === "options";
    const full = optionLines(question, state, width, focused, true);
    const all = full.lines.length > room ? optionLines(question, state, width, focused, false) : full;
    if (all.lines.length > room) {
      const start = all.starts[state.selected ?? 0] ?? 0;
      const first = Math.max(0, Math.min(start - Math.floor(room / 2), all.lines.length - room));
      lines.push(...all.lines.slice(first, first + room));
      list.unshift(dim(`option ${(state.selected ?? 0) + 1}/${optionRows(question).length}`));
    } else {
      lines.push(...all.lines);
    }
    if (notes) lines.push([]);
  }
  let cursor: Block["cursor"] = null;
  if (notes) {
    if (notes.cursor) cursor = { row: lines.length + notes.cursor.row, column: notes.cursor.column };
    lines.push(...notes.lines);
  }
  lines.push([], ...footer(list, width));
  return { lines, cursor };
}

function viewConfirmation(form: Form, width: number): Block {
  const unanswered = unansweredIndexes(form).length;
  const drafts = draftIndexes(form).length;
  const plural = unanswered === 1 ? "question" : "questions";
  const texts = {
    proceed: ["Proceed", `Submit with ${unanswered} unanswered ${plural}.`],
    goBack: ["Go back", "Return to the first unanswered question."],
    includeDrafts: [
      "Include what I typed",
      `Count ${drafts === 1 ? "the typed note" : `the ${drafts} typed notes`} as answers and submit.`,
    ],
  } as const;
  const rows = confirmationRows(form);
  const beside = Math.max(...rows.map((row) => texts[row][0].length)) + 2;
  return {
    lines: [
      [bold(`${INDENT}Submit with unanswered questions?`)],
      [dim(`${INDENT}${unanswered} unanswered ${plural}`)],
      [],
      ...rows.flatMap((row, index) => {
        const selected = form.confirming?.selected === index;
        const [label, text] = texts[row];
        const name: Span = {
          text: `${selected ? "› " : "  "}${index + 1}. ${label}`,
          style: { role: selected ? "accent" : undefined, bold: selected },
        };
        if (width < NARROW) {
          return [[plain(INDENT), name], ...wrapLine([plain("       "), dim(text)], width, [plain("       ")])];
        }
        return wrapLine([plain(INDENT), name, plain(" ".repeat(beside - label.length)), dim(text)], width, [
          plain(" ".repeat(Math.min(beside + 7, Math.floor(width / 2)))),
        ]);
      }),
      [],
      [dim(`${INDENT}enter to choose | esc to go back`)],
    ],
    cursor: null,
  };
}
