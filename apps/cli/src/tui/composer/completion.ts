/**
 * What is offered for the word at the caret: commands after `/`, files after `@`, skills after `$`. Pure.
 * Commands are a table; files and skills are known to the server: `wantedSearch` says what to ask it, `withFound` takes
 * the answer. Does not know keys (`composer`) or looks (`../view`).
 */
import type { TextField } from "../text-field/text-field.js";
import { matchingCommands, type SlashCommand } from "./slash-commands.js";

export type CompletionKind = "command" | "file" | "skill";

export interface FileRow {
  /** Absolute. */
  readonly root: string;
  /** Relative to `root`. */
  readonly path: string;
  readonly directory: boolean;
}

export interface SkillRow {
  readonly name: string;
  readonly description: string;
}

/** What the person has to be offered and cannot be known here. */
export type Search = { readonly kind: "file"; readonly query: string } | { readonly kind: "skill" };

export type Found =
  | { readonly kind: "file"; readonly query: string; readonly rows: readonly FileRow[] }
  | { readonly kind: "skill"; readonly rows: readonly SkillRow[] };

export interface CompletionState {
  readonly selected: number;
  /** The list that begins at this offset was closed, and stays closed until another one begins. */
  readonly closedAt: number | null;
  readonly files: Extract<Found, { kind: "file" }> | null;
  readonly skills: readonly SkillRow[] | null;
}

export const noCompletion: CompletionState = { selected: 0, closedAt: null, files: null, skills: null };

export type CompletionRow =
  | { readonly kind: "command"; readonly command: SlashCommand }
  | { readonly kind: "file"; readonly file: FileRow }
  | { readonly kind: "skill"; readonly skill: SkillRow };

export interface CompletionList {
  readonly token: CompletionToken;
  readonly rows: readonly CompletionRow[];
  readonly selected: number;
}

export interface CompletionToken {
  readonly kind: CompletionKind;
  readonly query: string;
  /** UTF-16 offsets of what a choice replaces. */
  readonly start: number;
  readonly end: number;
}

/** The word at the caret that can be completed. */
export function completionToken(field: TextField): CompletionToken | null {
  const { text, caret } = field;
  const command = /^\/([a-z]*)$/.exec(text);
  if (command) return { kind: "command", query: command[1] as string, start: 0, end: text.length };
  const quoted = /(?:^|\s)@"([^"\n]*)$/.exec(text.slice(0, caret));
  const before = quoted ? `@"${quoted[1]}` : (/\S*$/.exec(text.slice(0, caret))?.[0] ?? "");
  const after = quoted ? "" : (/^\S*/.exec(text.slice(caret))?.[0] ?? "");
  const start = caret - before.length;
  const end = caret + after.length;
  // A placeholder stands for something else than its letters.
  if (before === "" || field.elements.some((element) => element.start < end && element.end > start)) return null;
  if (before.startsWith("@")) {
    return { kind: "file", query: quoted ? (quoted[1] as string) : (before + after).slice(1), start, end };
  }
  const skill = /^\$([\w:.-]*)$/.exec(before + after);
  return skill ? { kind: "skill", query: skill[1] as string, start, end } : null;
}

export function wantedSearch(field: TextField, state: CompletionState): Search | null {
  const token = completionToken(field);
  if (!token || token.start === state.closedAt) return null;
  if (token.kind === "file") return token.query === "" ? null : { kind: "file", query: token.query };
  return token.kind === "skill" ? { kind: "skill" } : null;
}

export const sameSearch = (a: Search | null, b: Search | null): boolean =>
  a?.kind === b?.kind && (a?.kind !== "file" || b?.kind !== "file" || a.query === b.query);

/** Takes an answer; one for a word that is no longer there changes nothing. */
export function withFound(field: TextField, state: CompletionState, found: Found): CompletionState {
  const wanted = wantedSearch(field, state);
  const asked: Search = found.kind === "file" ? { kind: "file", query: found.query } : { kind: "skill" };
  if (!sameSearch(wanted, asked)) return state;
  return found.kind === "file"
    ? { ...state, files: found, selected: 0 }
    : { ...state, skills: found.rows, selected: 0 };
}

/** The state after the field changed: another word begins with its first row, and is open. */
export function followField(before: TextField, after: TextField, state: CompletionState): CompletionState {
  const [old, token] = [completionToken(before), completionToken(after)];
  const same = old?.kind === token?.kind && old?.start === token?.start;
  if (same && old?.query === token?.query) return state;
  return {
    ...state,
    selected: 0,
    closedAt: same ? state.closedAt : null,
    // Files of another word say nothing about this one.
    files: same ? state.files : null,
  };
}

export const closedList = (field: TextField, state: CompletionState): CompletionState => ({
  ...state,
  closedAt: completionToken(field)?.start ?? null,
});

/** true: every character of the query occurs in the text, in order. */
function occurs(query: string, text: string): boolean {
  let at = 0;
  const lower = text.toLowerCase();
  for (const char of query.toLowerCase()) {
    at = lower.indexOf(char, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

function rowsFor({ kind, query }: CompletionToken, { files, skills }: CompletionState): readonly CompletionRow[] {
  switch (kind) {
    case "command":
      return matchingCommands(query).map((command) => ({ kind, command }));
    case "file": {
      // Until the answer for the longer word comes, what still fits of the shorter one's stays: no flicker.
      const fitting = (files && query.startsWith(files.query) ? files.rows : []).filter(
        (file) => query === files?.query || occurs(query, `${file.path}${file.directory ? "/" : ""}`),
      );
      // The folder one is in comes after what is in it.
      const last = (file: FileRow): number => (file.directory && query === `${file.path}/` ? 1 : 0);
      return fitting.toSorted((a, b) => last(a) - last(b)).map((file) => ({ kind, file }));
    }
    case "skill": {
      const fitting = (skills ?? []).filter((skill) => occurs(query, skill.name));
      const first = (skill: SkillRow): number => (skill.name.toLowerCase().startsWith(query.toLowerCase()) ? 0 : 1);
      return fitting.toSorted((a, b) => first(a) - first(b)).map((skill) => ({ kind, skill }));
    }
  }
}

/** The list that is open; null when there is nothing to choose from. */
export function completionList(field: TextField, state: CompletionState): CompletionList | null {
  const token = completionToken(field);
  if (!token || token.start === state.closedAt) return null;
  const rows = rowsFor(token, state);
  return rows.length === 0 ? null : { token, rows, selected: Math.min(state.selected, rows.length - 1) };
}
