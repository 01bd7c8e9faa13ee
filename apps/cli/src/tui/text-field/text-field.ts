/**
 * A draft being edited: text, caret and elements (placeholders that stand for something and are edited as one).
 * Pure: every function returns a new field. Positions are UTF-16 offsets on grapheme borders, never inside an element.
 */
import { graphemes } from "../terminal/text-width.js";

export type ElementPayload =
  | { readonly kind: "paste"; readonly content: string }
  | { readonly kind: "image"; readonly path: string };

export interface FieldElement {
  readonly start: number;
  readonly end: number;
  readonly payload: ElementPayload;
}

interface Snapshot {
  readonly text: string;
  readonly caret: number;
  readonly elements: readonly FieldElement[];
}

export interface TextField extends Snapshot {
  /** What the last kill removed; yanked back with Ctrl-Y. */
  readonly killed: string;
  readonly undo: readonly Snapshot[];
  /** The column vertical movement tries to keep. */
  readonly goalColumn: number | null;
}

const UNDO_LIMIT = 200;

export const emptyField: TextField = { text: "", caret: 0, elements: [], killed: "", undo: [], goalColumn: null };

export function fieldWith(text: string, elements: readonly FieldElement[] = []): TextField {
  return { ...emptyField, text, caret: text.length, elements };
}

/** Grapheme and element borders are the only places where a caret may stand. */
export function previousBorder(field: Snapshot, from: number): number {
  if (from <= 0) return 0;
  const element = field.elements.find((e) => e.end >= from && e.start < from);
  if (element) return element.start;
  const lineStart = field.text.lastIndexOf("\n", from - 1);
  if (lineStart === from - 1) return lineStart;
  const last = graphemes(field.text.slice(lineStart + 1, from)).at(-1) ?? "";
  return from - last.length;
}

export function nextBorder(field: Snapshot, from: number): number {
  if (from >= field.text.length) return field.text.length;
  const element = field.elements.find((e) => e.start <= from && e.end > from);
  if (element) return element.end;
  if (field.text[from] === "\n") return from + 1;
  const lineEnd = field.text.indexOf("\n", from);
  const first = graphemes(field.text.slice(from, lineEnd < 0 ? undefined : lineEnd))[0] ?? "";
  return from + first.length;
}

const isSpace = (char: string | undefined): boolean => char === undefined || /\s/.test(char);

export function previousWord(field: Snapshot, from: number): number {
  let at = from;
  while (at > 0 && isSpace(field.text[at - 1])) at = previousBorder(field, at);
  while (at > 0 && !isSpace(field.text[at - 1])) at = previousBorder(field, at);
  return at;
}

export function nextWord(field: Snapshot, from: number): number {
  let at = from;
  while (at < field.text.length && isSpace(field.text[at])) at = nextBorder(field, at);
  while (at < field.text.length && !isSpace(field.text[at])) at = nextBorder(field, at);
  return at;
}

export const lineStart = (field: Snapshot): number => field.text.lastIndexOf("\n", field.caret - 1) + 1;

export function lineEnd(field: Snapshot): number {
  const end = field.text.indexOf("\n", field.caret);
  return end < 0 ? field.text.length : end;
}

/** Replaces a range; elements touched by it go with it, later ones move. Widens the range to whole elements. */
export function replaceRange(
  field: TextField,
  from: number,
  to: number,
  insert: string,
  payload?: ElementPayload,
): TextField {
  let [start, end] = [from, to];
  if (start !== end) {
    for (const element of field.elements) {
      if (element.start < end && element.end > start) {
        start = Math.min(start, element.start);
        end = Math.max(end, element.end);
      }
    }
  }
  const shift = insert.length - (end - start);
  const elements = field.elements.flatMap((element): FieldElement[] => {
    if (element.end <= start) return [element];
    if (element.start >= end) return [{ ...element, start: element.start + shift, end: element.end + shift }];
    return [];
  });
  if (payload) elements.push({ start, end: start + insert.length, payload });
  elements.sort((a, b) => a.start - b.start);
  return {
    text: field.text.slice(0, start) + insert + field.text.slice(end),
    caret: start + insert.length,
    elements,
    killed: field.killed,
    undo: [...field.undo.slice(-UNDO_LIMIT), { text: field.text, caret: field.caret, elements: field.elements }],
    goalColumn: null,
  };
}

export const insertText = (field: TextField, text: string): TextField =>
  replaceRange(field, field.caret, field.caret, text);

export const insertElement = (field: TextField, label: string, payload: ElementPayload): TextField =>
  replaceRange(field, field.caret, field.caret, label, payload);

export const moveTo = (field: TextField, caret: number): TextField => ({ ...field, caret, goalColumn: null });

export const deleteTo = (field: TextField, to: number): TextField =>
  to === field.caret ? field : replaceRange(field, Math.min(to, field.caret), Math.max(to, field.caret), "");

/** Removes to a position and remembers it for a yank; elements lose what they stood for. */
export function killTo(field: TextField, to: number): TextField {
  if (to === field.caret) return field;
  const killed = field.text.slice(Math.min(to, field.caret), Math.max(to, field.caret));
  return { ...deleteTo(field, to), killed };
}

export function undo(field: TextField): TextField {
  const last = field.undo.at(-1);
  if (!last) return field;
  return { ...field, ...last, undo: field.undo.slice(0, -1), goalColumn: null };
}

/** The text with pasted blocks put back where their placeholders stand. Image placeholders stay. */
export function expandPastes(field: Snapshot): { readonly text: string; readonly images: readonly ImageElement[] } {
  let text = "";
  let at = 0;
  const images: ImageElement[] = [];
  for (const element of field.elements) {
    text += field.text.slice(at, element.start);
    const label = field.text.slice(element.start, element.end);
    if (element.payload.kind === "image") images.push({ start: text.length, label, path: element.payload.path });
    text += element.payload.kind === "paste" ? element.payload.content : label;
    at = element.end;
  }
  return { text: text + field.text.slice(at), images };
}

export interface ImageElement {
  /** UTF-16 offset of the label in the expanded text. */
  readonly start: number;
  readonly label: string;
  readonly path: string;
}
