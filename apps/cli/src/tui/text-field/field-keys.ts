/**
 * The editing keys of a text field (readline's, plus those of graphical editors). Pure: key in, field out.
 * Does not know Enter, Tab, Escape or history: those belong to whoever owns the field.
 */
import { type KeyPress, keyId } from "../terminal/key-decoder.js";
import { moveVertically } from "./field-layout.js";
import {
  deleteTo,
  insertText,
  killTo,
  lineEnd,
  lineStart,
  moveTo,
  nextBorder,
  nextWord,
  previousBorder,
  previousWord,
  type TextField,
  undo,
} from "./text-field.js";

type Edit = (field: TextField, width: number) => TextField | null;

const EDITS: Readonly<Record<string, Edit>> = {
  left: (f) => moveTo(f, previousBorder(f, f.caret)),
  "ctrl+b": (f) => moveTo(f, previousBorder(f, f.caret)),
  right: (f) => moveTo(f, nextBorder(f, f.caret)),
  "ctrl+f": (f) => moveTo(f, nextBorder(f, f.caret)),
  "alt+left": (f) => moveTo(f, previousWord(f, f.caret)),
  "ctrl+left": (f) => moveTo(f, previousWord(f, f.caret)),
  "alt+b": (f) => moveTo(f, previousWord(f, f.caret)),
  "alt+right": (f) => moveTo(f, nextWord(f, f.caret)),
  "ctrl+right": (f) => moveTo(f, nextWord(f, f.caret)),
  "alt+f": (f) => moveTo(f, nextWord(f, f.caret)),
  home: (f) => moveTo(f, lineStart(f)),
  "ctrl+a": (f) => moveTo(f, lineStart(f)),
  end: (f) => moveTo(f, lineEnd(f)),
  "ctrl+e": (f) => moveTo(f, lineEnd(f)),
  "ctrl+home": (f) => moveTo(f, 0),
  "ctrl+end": (f) => moveTo(f, f.text.length),
  up: (f, width) => moveVertically(f, -1, width),
  down: (f, width) => moveVertically(f, 1, width),
  backspace: (f) => deleteTo(f, previousBorder(f, f.caret)),
  "shift+backspace": (f) => deleteTo(f, previousBorder(f, f.caret)),
  "ctrl+h": (f) => deleteTo(f, previousBorder(f, f.caret)),
  delete: (f) => deleteTo(f, nextBorder(f, f.caret)),
  "ctrl+d": (f) => deleteTo(f, nextBorder(f, f.caret)),
  "ctrl+w": (f) => killTo(f, previousWord(f, f.caret)),
  "alt+backspace": (f) => killTo(f, previousWord(f, f.caret)),
  "ctrl+backspace": (f) => killTo(f, previousWord(f, f.caret)),
  "alt+d": (f) => killTo(f, nextWord(f, f.caret)),
  "ctrl+delete": (f) => killTo(f, nextWord(f, f.caret)),
  "ctrl+u": (f) => killTo(f, lineStart(f)),
  "ctrl+k": (f) => killTo(f, f.text[f.caret] === "\n" ? f.caret + 1 : lineEnd(f)),
  "ctrl+y": (f) => (f.killed === "" ? f : insertText(f, f.killed)),
  "ctrl+_": undo,
  "ctrl+/": undo,
  "ctrl+shift+-": undo,
};

/** The edited field, or null when the key does nothing here (an unknown key, up on the first row, …). */
export function editField(field: TextField, press: KeyPress, width: number): TextField | null {
  if (press.text !== null) return insertText(field, press.text);
  const edit = EDITS[keyId(press)];
  return edit ? edit(field, width) : null;
}
