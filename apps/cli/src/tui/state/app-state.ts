/**
 * Everything the interface knows, as one value, and the steps that need no outside world. Pure.
 * What has to happen outside is returned as effects; `../app` carries them out.
 */

import type { Approval } from "../approval/approval.js";
import { type Composer, type Draft, emptyComposer } from "../composer/composer.js";
import type { Keymap } from "../keymap/keymap.js";
import type { Form } from "../question-form/form-state.js";
import type { Cell } from "../transcript/cells.js";
import type { Picker } from "./picker.js";
import type { ReasoningShown } from "./reasoning-shown.js";
import type { ThreadSettings } from "./thread-facts.js";
import { emptyTranscript, pushCell, type TranscriptState } from "./transcript-state.js";

export type Prompt =
  | { readonly kind: "form"; readonly form: Form; readonly drawn: boolean }
  | { readonly kind: "approval"; readonly approval: Approval; readonly drawn: boolean };

/** A message that was handed to the server and has not yet appeared in the turn. */
export interface SentMessage {
  readonly clientId: string;
  readonly draft: Draft;
  readonly steering: boolean;
}

export interface AppState {
  readonly settings: ThreadSettings;
  readonly keymap: Keymap;
  readonly transcript: TranscriptState;
  readonly composer: Composer;
  /** First in, first out; the first one has the screen. */
  readonly prompts: readonly Prompt[];
  /** Messages that are sent when the turn ends. */
  readonly queue: readonly Draft[];
  readonly sent: readonly SentMessage[];
  /** A list to choose from, such as the threads to resume. */
  readonly picker: Picker | null;
  readonly turnStartedAt: number | null;
  readonly interrupting: boolean;
  /** Something that takes its time and is no turn, such as reading a long thread. */
  readonly busy: { readonly text: string; readonly since: number } | null;
  /** A short remark under the composer that ends by itself. */
  readonly hint: { readonly text: string; readonly until: number } | null;
  /** Until when a second Ctrl-C quits, or a second Escape clears. */
  readonly armed: { readonly action: "quit" | "clear"; readonly until: number } | null;
  /** When the composer last took a key; prompts that appear during typing wait for a pause. */
  readonly composerKeyAt: number | null;
  readonly focused: boolean;
  readonly tokens: { readonly used: number; readonly window: number | null } | null;
  readonly autoResolution: boolean;
  /** The output of the command that ended last, for showing it in full. */
  readonly lastOutput: string | null;
}

export function initialState(
  keymap: Keymap,
  settings: ThreadSettings,
  autoResolution: boolean,
  reasoning: ReasoningShown = "summary",
): AppState {
  return {
    settings,
    keymap,
    transcript: { ...emptyTranscript, reasoning },
    composer: emptyComposer,
    prompts: [],
    queue: [],
    sent: [],
    picker: null,
    turnStartedAt: null,
    interrupting: false,
    busy: null,
    hint: null,
    armed: null,
    composerKeyAt: null,
    focused: true,
    tokens: null,
    autoResolution,
    lastOutput: null,
  };
}

export const withCell = (state: AppState, cell: Cell): AppState => ({
  ...state,
  transcript: pushCell(state.transcript, cell),
});

export const notice = (state: AppState, level: "info" | "warning" | "error", text: string): AppState =>
  withCell(state, { kind: "notice", level, text });

export const withHint = (state: AppState, text: string, now: number): AppState => ({
  ...state,
  hint: { text, until: now + 3000 },
});

/** Keys go to the prompt only when it is on the screen and the person has paused typing. */
export const TYPING_PAUSE_MS = 400;

/**
 * The prompt that has the screen. One that was not drawn yet waits until a message that is being written is complete,
 * so that it stands below what it may refer to.
 */
export function shownPrompt({ prompts, transcript }: AppState): Prompt | null {
  const [prompt] = prompts;
  if (!prompt) return null;
  const writing = transcript.live.some(({ cell, settled }) => cell.kind === "agent" && !settled);
  return prompt.drawn || !writing ? prompt : null;
}

/** The prompt was put on the screen: from now on it takes keys, and its countdown begins. */
export function promptDrawn(state: AppState, now: number): AppState {
  const prompt = shownPrompt(state);
  if (!prompt || prompt.drawn) return state;
  if (prompt.kind !== "form" || prompt.form.autoResolveSince === null) {
    return replaceFirstPrompt(state, { ...prompt, drawn: true });
  }
  return replaceFirstPrompt(state, { ...prompt, drawn: true, form: { ...prompt.form, autoResolveSince: now } });
}

export function promptHasKeys(state: AppState, now: number): boolean {
  return state.prompts[0]?.drawn === true && typingLeft(state, now) === 0;
}

/** Milliseconds for which the draft goes on having the keys of a prompt that is drawn. */
export const typingLeft = ({ composerKeyAt }: AppState, now: number): number =>
  composerKeyAt === null ? 0 : Math.max(0, TYPING_PAUSE_MS - (now - composerKeyAt));

export const promptRequestId = (prompt: Prompt): string | number =>
  prompt.kind === "form" ? prompt.form.request.requestId : prompt.approval.requestId;

export function replaceFirstPrompt(state: AppState, prompt: Prompt): AppState {
  return { ...state, prompts: [prompt, ...state.prompts.slice(1)] };
}

/** Removes one prompt; what comes after it is not on the screen yet. Countdowns of waiting forms begin when they are shown. */
export function removePrompt(state: AppState, requestId: string | number, now: number): AppState {
  const index = state.prompts.findIndex((prompt) => promptRequestId(prompt) === requestId);
  if (index < 0) return state;
  const prompts = state.prompts.toSpliced(index, 1).map((prompt, at): Prompt => {
    if (at !== 0 || index !== 0) return prompt;
    if (prompt.kind !== "form" || prompt.form.autoResolveSince === null) return { ...prompt, drawn: false };
    return { ...prompt, drawn: false, form: { ...prompt.form, autoResolveSince: now } };
  });
  return { ...state, prompts, composerKeyAt: index === 0 ? null : state.composerKeyAt };
}
