/** What is wrong in the `[tui]` table: bindings that mean nothing, members of the wrong kind, names that are nearly ours. */
import { nearest } from "../../arguments/nearest.js";
import { type KeymapProblem, readKeymap } from "./keymap.js";

const OWN = ["keymap", "notify", "question_auto_resolution", "vim_keys"];

const table = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};

/** What keeps the interface from opening. */
export function interfaceProblems(tui: unknown): readonly KeymapProblem[] {
  const { keymap, notify, vim_keys: vimKeys } = table(tui);
  const wrongNotify =
    notify !== undefined && (!Array.isArray(notify) || notify.some((part) => typeof part !== "string"))
      ? [{ path: "tui.notify", message: "must be a list of texts: a program and its arguments" }]
      : [];
  return [...wrongNotify, ...readKeymap(keymap, vimKeys !== false).problems];
}

/** Names that look like ours and are not. Others belong to programs that read the same file. */
export function mistypedNames(tui: unknown): readonly KeymapProblem[] {
  return Object.keys(table(tui)).flatMap((name) => {
    const near = OWN.includes(name) ? null : nearest(name, OWN);
    return near ? [{ path: `tui.${name}`, message: `is not a known key (did you mean ${near}?)` }] : [];
  });
}
