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
  type TextField,
} from "../text-field/text-field.js";
import { matchingCommands, parseSlashCommand, type SlashCommand } from "./slash-commands.js";

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
  /** Selected row of the command list; null when the person closed it. */
  readonly popup: number | null;
}

export type ComposerEffect =
  | { readonly type: "submit" | "queue"; readonly draft: Draft }
  | { readonly type: "command"; readonly command: SlashCommand; readonly argument: string }
  | { readonly type: "stop" }
  | { readonly type: "externalEditor" };

export interface ComposerStep {
  readonly composer: Composer;
  readonly effect: ComposerEffect | null;
}

export const emptyComposer: Composer = { field: emptyField, history: [], recall: null, popup: 0 };

const HISTORY_LIMIT = 500;

export const draftOf = (composer: Composer): Draft => ({
  text: composer.field.text,
  elements: composer.field.elements,
});

export function withDraft(composer: Composer, draft: Draft): Composer {
  return { ...composer, field: fieldWith(draft.text, draft.elements), recall: null, popup: 0 };
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
    popup: 0,
  };
}

/** The commands offered for the draft; empty when it is no beginning of a command. */
export function popupCommands(composer: Composer): readonly SlashCommand[] {
  const match = /^\/([a-z]*)$/.exec(composer.field.text);
  return match && composer.popup !== null ? matchingCommands(match[1] as string) : [];
}

const stay = (composer: Composer): ComposerStep => ({ composer, effect: null });

function edited(composer: Composer, field: TextField): Composer {
  const changed = field.text !== composer.field.text;
  return { ...composer, field, recall: changed ? null : composer.recall, popup: changed ? 0 : composer.popup };
}

export function composerKey(composer: Composer, press: KeyPress, keymap: Keymap, width: number): ComposerStep {
  const commands = popupCommands(composer);
  if (commands.length > 0) {
    const step = popupKey(composer, commands, press, keymap);
    if (step) return step;
  }
  const keys = keymap.composer;
  if (isBound(keys.newline, press)) return stay(edited(composer, insertText(composer.field, "\n")));
  if (isBound(keys.submit, press)) return submit(composer, "submit");
  if (isBound(keys.queue, press)) return submit(composer, "queue");
  if (isBound(keys.stop, press)) return { composer, effect: { type: "stop" } };
  if (isBound(keys.external_editor, press)) return { composer, effect: { type: "externalEditor" } };
  if (isBound(keys.history_previous, press)) {
    const up = press.name === "up" && !composer.recall ? editField(composer.field, press, width) : null;
    return stay(up ? { ...composer, field: up } : recallStep(composer, -1));
  }
  if (isBound(keys.history_next, press)) {
    const down = press.name === "down" && !composer.recall ? editField(composer.field, press, width) : null;
    return stay(down ? { ...composer, field: down } : recallStep(composer, 1));
  }
  const field = editField(composer.field, press, width);
  return stay(field ? edited(composer, field) : composer);
}

function popupKey(
  composer: Composer,
  commands: readonly SlashCommand[],
  press: KeyPress,
  keymap: Keymap,
): ComposerStep | null {
  const selected = Math.min(composer.popup ?? 0, commands.length - 1);
  const chosen = commands[selected] as SlashCommand;
  if (press.name === "up") return stay({ ...composer, popup: (selected + commands.length - 1) % commands.length });
  if (press.name === "down") return stay({ ...composer, popup: (selected + 1) % commands.length });
  if (press.name === "escape") return stay({ ...composer, popup: null });
  if (press.name === "tab") return stay({ ...composer, field: fieldWith(`/${chosen.name} `), popup: null });
  if (!isBound(keymap.composer.submit, press)) return null;
  const cleared = clearComposer(withDraft(composer, { text: `/${chosen.name}`, elements: [] }));
  return { composer: cleared, effect: { type: "command", command: chosen, argument: "" } };
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
  if (index >= history.length)
    return recall ? { ...composer, field: recall.kept, recall: null, popup: null } : composer;
  const entry = history[index] as Draft;
  return {
    ...composer,
    field: fieldWith(entry.text, entry.elements),
    recall: { index, kept: recall?.kept ?? composer.field },
    popup: null,
  };
}

export function composerPaste(composer: Composer, text: string): Composer {
  return edited(composer, insertPaste(composer.field, text));
}

/** Puts an image into the draft as `[Image #N]`. */
export function attachImage(composer: Composer, path: string): Composer {
  const images = composer.field.elements.filter((element) => element.payload.kind === "image").length;
  const label = `[Image #${images + 1}]`;
  return edited(composer, insertText(insertElement(composer.field, label, { kind: "image", path }), " "));
}
