/**
 * The prompt box: a draft, its history, and what Enter, Tab, Escape and Ctrl-C mean to it.
 * Pure: (composer, input) → (composer, what the owner has to do).
 */
import { isBound, type Keymap } from "../keymap/keymap.js";
import type { KeyPress } from "../terminal/key-decoder.js";
import { editField } from "../text-field/field-keys.js";
import { insertPaste } from "../text-field/paste.js";
import {
  emptyField,
  type FieldElement,
  fieldWith,
  insertElement,
  insertText,
  replaceRange,
  type TextField,
} from "../text-field/text-field.js";
import {
  type CompletionList,
  type CompletionState,
  type CompletionToken,
  closedList,
  completionList,
  type FileRow,
  type Found,
  followField,
  noCompletion,
  wantedSearch,
  withFound,
} from "./completion.js";
import { isImageName } from "./image-path.js";
import { parseSlashCommand, type SlashCommand } from "./slash-commands.js";

export interface Draft {
  readonly text: string;
  readonly elements: readonly FieldElement[];
}

export interface Composer {
  readonly field: TextField;
  /** Oldest first. */
  readonly history: readonly Draft[];
  /** Which history entry is shown, and the draft that was left for it. */
  readonly recall: { readonly index: number; readonly kept: TextField } | null;
  readonly completion: CompletionState;
}

export type ComposerEffect =
  | { readonly type: "submit" | "queue"; readonly draft: Draft }
  | { readonly type: "command"; readonly command: SlashCommand; readonly argument: string }
  | { readonly type: "stop" }
  | { readonly type: "externalEditor" | "pasteImage" };

export interface ComposerStep {
  readonly composer: Composer;
  readonly effect: ComposerEffect | null;
}

export const emptyComposer: Composer = { field: emptyField, history: [], recall: null, completion: noCompletion };

const HISTORY_LIMIT = 500;

export const draftOf = (composer: Composer): Draft => ({
  text: composer.field.text,
  elements: composer.field.elements,
});

export function withDraft(composer: Composer, draft: Draft): Composer {
  return { ...composer, field: fieldWith(draft.text, draft.elements), recall: null, completion: noCompletion };
}

/** Puts a draft before what is there, so that nothing that was typed is lost. */
export function restoreDraft(composer: Composer, draft: Draft): Composer {
  if (composer.field.text.trim() === "") return withDraft(composer, draft);
  const shift = draft.text.length + 1;
  const moved = composer.field.elements.map((element) => ({
    ...element,
    start: element.start + shift,
    end: element.end + shift,
  }));
  return withDraft(composer, {
    text: `${draft.text}\n${composer.field.text}`,
    elements: [...draft.elements, ...moved],
  });
}

export function remember(composer: Composer, draft: Draft): Composer {
  if (draft.text.trim() === "" || composer.history.at(-1)?.text === draft.text) return composer;
  return { ...composer, history: [...composer.history.slice(-HISTORY_LIMIT + 1), draft] };
}

/** Empties the box; what was in it can be recalled with the up key. */
export function clearComposer(composer: Composer): Composer {
  return {
    ...remember(composer, draftOf(composer)),
    field: { ...emptyField, killed: composer.field.killed },
    recall: null,
    completion: noCompletion,
  };
}

/** What is offered for the word at the caret; null when no list is open. */
export const offered = (composer: Composer): CompletionList | null =>
  completionList(composer.field, composer.completion);

/** true: files were looked for and there are none. */
export function foundNothing({ field, completion }: Composer): boolean {
  const search = wantedSearch(field, completion);
  return search?.kind === "file" && completion.files?.query === search.query && completion.files.rows.length === 0;
}

/** Takes what was found for the word at the caret. */
export const composerFound = (composer: Composer, found: Found): Composer => ({
  ...composer,
  completion: withFound(composer.field, composer.completion, found),
});

const stay = (composer: Composer): ComposerStep => ({ composer, effect: null });

function edited(composer: Composer, field: TextField): Composer {
  const changed = field.text !== composer.field.text;
  const completion = followField(composer.field, field, composer.completion);
  return { ...composer, field, recall: changed ? null : composer.recall, completion };
}

export function composerKey(composer: Composer, press: KeyPress, keymap: Keymap, width: number): ComposerStep {
  const list = offered(composer);
  if (list) {
    const step = listKey(composer, list, press, keymap);
    if (step) return step;
  }
  const keys = keymap.composer;
  if (isBound(keys.newline, press)) return stay(edited(composer, insertText(composer.field, "\n")));
  if (isBound(keys.submit, press)) return submit(composer, "submit");
  if (isBound(keys.queue, press)) return submit(composer, "queue");
  if (isBound(keys.stop, press)) return { composer, effect: { type: "stop" } };
  if (isBound(keys.external_editor, press)) return { composer, effect: { type: "externalEditor" } };
  if (isBound(keys.paste_image, press)) return { composer, effect: { type: "pasteImage" } };
  if (isBound(keys.history_previous, press)) {
    const up = press.name === "up" && !composer.recall ? editField(composer.field, press, width) : null;
    return stay(up ? edited(composer, up) : recallStep(composer, -1));
  }
  if (isBound(keys.history_next, press)) {
    const down = press.name === "down" && !composer.recall ? editField(composer.field, press, width) : null;
    return stay(down ? edited(composer, down) : recallStep(composer, 1));
  }
  const field = editField(composer.field, press, width);
  return stay(field ? edited(composer, field) : composer);
}

function listKey(composer: Composer, list: CompletionList, press: KeyPress, keymap: Keymap): ComposerStep | null {
  const { rows, selected } = list;
  const move = (to: number): ComposerStep =>
    stay({ ...composer, completion: { ...composer.completion, selected: (to + rows.length) % rows.length } });
  if (press.name === "up" || (press.ctrl && press.name === "p")) return move(selected - 1);
  if (press.name === "down" || (press.ctrl && press.name === "n")) return move(selected + 1);
  if (press.name === "escape") {
    return stay({ ...composer, completion: closedList(composer.field, composer.completion) });
  }
  const completes = press.name === "tab" && !press.shift;
  if (!completes && !isBound(keymap.composer.submit, press)) return null;
  const row = rows[selected];
  switch (row?.kind) {
    case "file":
      return stay(chooseFile(composer, list.token, row.file));
    case "skill":
      return stay(replaceToken(composer, list.token, `$${row.skill.name} `));
    case "command": {
      if (completes) return stay(replaceToken(composer, list.token, `/${row.command.name} `));
      const whole = withDraft(composer, { text: `/${row.command.name}`, elements: [] });
      return { composer: clearComposer(whole), effect: { type: "command", command: row.command, argument: "" } };
    }
    default:
      return null;
  }
}

const replaceToken = (composer: Composer, { start, end }: CompletionToken, text: string): Composer =>
  edited(composer, replaceRange(composer.field, start, end, text));

/** A folder is gone into; the folder one is in already, and every file, is put into the draft. */
function chooseFile(composer: Composer, token: CompletionToken, file: FileRow): Composer {
  const { root, path, directory } = file;
  const spaced = /[\s"]/.test(path);
  if (directory && token.query !== `${path}/`) return replaceToken(composer, token, `@${spaced ? '"' : ""}${path}/`);
  if (!directory && isImageName(path)) {
    const cleared = replaceRange(composer.field, token.start, token.end, "");
    return attachImage(edited(composer, cleared), `${root.replace(/\/$/, "")}/${path}`);
  }
  const name = directory ? `${path}/` : path;
  return replaceToken(composer, token, `${spaced ? JSON.stringify(name) : name} `);
}

function submit(composer: Composer, type: "submit" | "queue"): ComposerStep {
  const draft = draftOf(composer);
  if (draft.text.trim() === "") return stay(composer);
  const command = parseSlashCommand(draft.text);
  if (command) return { composer: clearComposer(composer), effect: { type: "command", ...command } };
  return { composer: clearComposer(composer), effect: { type, draft } };
}

function recallStep(composer: Composer, delta: -1 | 1): Composer {
  const { history, recall } = composer;
  const index = (recall?.index ?? history.length) + delta;
  if (index < 0 || (recall === null && delta > 0)) return composer;
  if (index >= history.length) return recall ? shown(composer, recall.kept, null) : composer;
  const entry = history[index] as Draft;
  return shown(composer, fieldWith(entry.text, entry.elements), { index, kept: recall?.kept ?? composer.field });
}

/** A recalled draft opens no list: the up and down keys go on walking. */
const shown = (composer: Composer, field: TextField, recall: Composer["recall"]): Composer => ({
  ...composer,
  field,
  recall,
  completion: closedList(field, composer.completion),
});

export function composerPaste(composer: Composer, text: string): Composer {
  return edited(composer, insertPaste(composer.field, text));
}

/** Puts an image into the draft as `[Image #N]`. */
export function attachImage(composer: Composer, path: string): Composer {
  const images = composer.field.elements.filter((element) => element.payload.kind === "image").length;
  const label = `[Image #${images + 1}]`;
  return edited(composer, insertText(insertElement(composer.field, label, { kind: "image", path }), " "));
}
