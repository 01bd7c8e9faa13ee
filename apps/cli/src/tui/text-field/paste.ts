/**
 * How pasted text enters a field: as it is when short, as one placeholder element when large.
 */
import { insertElement, insertText, type TextField } from "./text-field.js";

export const LARGE_PASTE_CHARACTERS = 1000;
const LARGE_PASTE_LINES = 12;

export function insertPaste(field: TextField, pasted: string): TextField {
  const text = pasted.replace(/\r\n?/g, "\n");
  if (text === "") return field;
  const characters = Array.from(text).length;
  if (characters <= LARGE_PASTE_CHARACTERS && text.split("\n").length <= LARGE_PASTE_LINES)
    return insertText(field, text);
  const base = `[Pasted ${characters} chars`;
  let label = `${base}]`;
  for (let copy = 2; field.text.includes(label); copy += 1) label = `${base} #${copy}]`;
  return insertElement(field, label, { kind: "paste", content: text });
}
