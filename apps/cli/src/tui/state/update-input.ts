/**
 * What the person's keys and pastes do. Pure: decides who gets the input (a picker, the prompt on the screen,
 * else the composer) and what follows from it.
 */
import { nearest } from "../../arguments/nearest.js";
import { type Approval, approvalKey, type Choice } from "../approval/approval.js";
import { type Found, sameSearch, wantedSearch } from "../composer/completion.js";
import {
  attachImage,
  type ComposerEffect,
  clearComposer,
  composerFound,
  composerKey,
  composerPaste,
  type Draft,
  restoreDraft,
} from "../composer/composer.js";
import { SLASH_COMMANDS, slashCommand } from "../composer/slash-commands.js";
import { askAgain, CANCELLED, elicitationResult } from "../elicitation/elicitation.js";
import { isBound } from "../keymap/keymap.js";
import {
  type AnswerMap,
  type FormEnding,
  formAnswers,
  formHistory,
  unsentNotes,
} from "../question-form/form-answers.js";
import { formKey, formPaste } from "../question-form/form-keys.js";
import type { Form } from "../question-form/form-state.js";
import type { KeyPress, TerminalInput } from "../terminal/key-decoder.js";
import { bold, dim, lineOf, tinted } from "../terminal/style.js";
import { visibleControls } from "../terminal/text-width.js";
import { type AppState, promptHasKeys, removePrompt, replaceFirstPrompt, withCell, withHint } from "./app-state.js";
import { type Step, step } from "./effects.js";
import { pickerKey } from "./picker.js";

const ARMED_MS = 1500;
const OUTPUT_COMMAND = slashCommand("output");

export function handleInput(state: AppState, input: TerminalInput, now: number, width: number): Step {
  return withSearch(state, takeInput(state, input, now, width));
}

/** Asks for what could complete the word at the caret when that is another word than before. */
function withSearch({ composer: before }: AppState, next: Step): Step {
  const { composer } = next.state;
  if (composer === before) return next;
  const search = wantedSearch(composer.field, composer.completion);
  if (!search || sameSearch(search, wantedSearch(before.field, before.completion))) return next;
  return { ...next, effects: [...next.effects, { type: "search", search }] };
}

/** What a search found; an answer that comes too late changes nothing. */
export const handleFound = (state: AppState, found: Found): AppState => ({
  ...state,
  composer: composerFound(state.composer, found),
});

function takeInput(state: AppState, input: TerminalInput, now: number, width: number): Step {
  if (input.type === "focus") return step({ ...state, focused: input.focused });
  if (input.type === "paste") return handlePaste(state, input.text, now);
  if (isBound(state.keymap.global.redraw, input)) return step(state, { type: "redraw" });
  if (isBound(state.keymap.global.suspend, input)) return step(state, { type: "stopProcess" });
  if (state.picker) {
    const { picker, chosen } = pickerKey(state.picker, input, state.keymap);
    const next = { ...state, picker };
    return chosen ? step(next, { type: "resume", threadId: chosen.id }) : step(next);
  }
  if (isBound(state.keymap.global.show_output, input)) {
    return step(state, { type: "command", command: OUTPUT_COMMAND, argument: "" });
  }
  if (promptHasKeys(state, now)) return handlePromptKey(state, input, now, width);
  return handleComposerKey(state, input, now, width);
}

function handlePaste(state: AppState, text: string, now: number): Step {
  if (state.picker) return step(state);
  const prompt = state.prompts[0];
  if (prompt?.kind === "form" && promptHasKeys(state, now)) {
    return step(replaceFirstPrompt(state, { ...prompt, form: formPaste(prompt.form, text) }));
  }
  return step({ ...state, composer: composerPaste(state.composer, text), composerKeyAt: now, armed: null });
}

/** The path was pasted and exists: it becomes an attachment. */
export const handleImage = (state: AppState, path: string): AppState => ({
  ...state,
  composer: attachImage(state.composer, path),
});

function handlePromptKey(state: AppState, press: KeyPress, now: number, width: number): Step {
  const prompt = state.prompts[0];
  if (prompt?.kind === "approval") {
    const { approval, chosen } = approvalKey(prompt.approval, press, state.keymap);
    if (!chosen) return step(replaceFirstPrompt(state, { ...prompt, approval }));
    return decide(state, approval, chosen, now);
  }
  if (prompt?.kind !== "form") return step(state);
  const { form, effect } = formKey(prompt.form, press, state.keymap, width - 4);
  if (effect === "submit") return submitForm(state, form, now);
  if (effect === "interrupt" && form.request.elicitation) {
    // The server is told; the turn goes on with what it makes of it.
    const { requestId } = form.request;
    return step(closeForm(state, form, "interrupted", now), { type: "respond", requestId, result: CANCELLED });
  }
  if (effect === "interrupt") {
    return step({ ...closeForm(state, form, "interrupted", now), interrupting: true }, { type: "interrupt" });
  }
  return step(replaceFirstPrompt(state, { ...prompt, form }));
}

/** Notes that were not sent become the draft, so that what was typed is not lost; those of secrets do not. */
export function closeForm(state: AppState, form: Form, ending: FormEnding, now: number): AppState {
  const closed = removePrompt(state, form.request.requestId, now);
  const told = withCell(closed, { kind: "lines", lines: formHistory(form, ending) });
  const unsent = ending === "submitted" || form.request.elicitation ? [] : unsentNotes(form);
  return { ...told, composer: unsent.reduceRight(restoreDraft, told.composer) };
}

function submitForm(state: AppState, form: Form, now: number): Step {
  const { elicitation, requestId } = form.request;
  if (elicitation) {
    const outcome = elicitationResult(form, elicitation);
    if (outcome.type === "respond")
      return step(closeForm(state, form, "submitted", now), { type: "respond", requestId, result: outcome.result });
    return step(replaceFirstPrompt(state, { kind: "form", form: askAgain(form, outcome), drawn: false }));
  }
  const result: { answers: AnswerMap } = { answers: formAnswers(form) };
  return step(closeForm(state, form, "submitted", now), { type: "respond", requestId: form.request.requestId, result });
}

function decide(state: AppState, approval: Approval, chosen: Choice, now: number): Step {
  const what = visibleControls(approval.details.find((entry) => entry.code)?.text.split("\n")[0] ?? approval.title);
  const allowed = !/^(?:declined|not )/.test(chosen.verdict);
  const closed = withCell(removePrompt(state, approval.requestId, now), {
    kind: "lines",
    lines: [
      lineOf(
        tinted(allowed ? "success" : "danger", allowed ? "✔ " : "✗ "),
        bold(`You ${chosen.verdict}: `),
        tinted("code", what),
        dim(""),
      ),
    ],
  });
  return step(closed, { type: "respond", requestId: approval.requestId, result: chosen.response });
}

function handleComposerKey(state: AppState, press: KeyPress, now: number, width: number): Step {
  const { keymap } = state;
  const empty = state.composer.field.text === "";
  if (isBound(keymap.global.interrupt, press)) return handleInterruptKey(state, now);
  if (isBound(keymap.global.quit, press) && empty) return step(state, { type: "quit" });
  if (press.alt && press.name === "up" && state.queue.length > 0) {
    const last = state.queue.at(-1);
    if (last) return step({ ...state, queue: state.queue.slice(0, -1), composer: restoreDraft(state.composer, last) });
  }
  const before = state.composer;
  const { composer, effect } = composerKey(before, press, keymap, width - 3);
  // Keys that change a draft mean that the person is typing; a prompt that appears now waits for a pause.
  const typing = composer.field.text !== before.field.text;
  // A second press of the key that armed something is what it waits for.
  const armed = effect?.type === "stop" ? state.armed : null;
  const next: AppState = { ...state, composer, armed, composerKeyAt: typing ? now : state.composerKeyAt };
  return effect ? composerEffect(next, effect, now) : step(next);
}

function composerEffect(state: AppState, effect: ComposerEffect, now: number): Step {
  const running = state.transcript.turnId !== null || state.turnStartedAt !== null;
  switch (effect.type) {
    case "submit":
      return mistypedCommand(state, effect.draft, now) ?? step(state, { type: "send", draft: effect.draft });
    case "queue":
      return (
        mistypedCommand(state, effect.draft, now) ??
        (running
          ? step({ ...state, queue: [...state.queue, effect.draft] })
          : step(state, { type: "send", draft: effect.draft }))
      );
    case "command":
      if (running && !effect.command.duringTurn) {
        return step(
          withHint(state, `/${effect.command.name} has to wait until the turn has ended (esc interrupts it)`, now),
        );
      }
      return step(state, { type: "command", command: effect.command, argument: effect.argument });
    case "externalEditor":
    case "pasteImage":
      return step(state, { type: effect.type });
    case "stop":
      return handleStop(state, running, now);
  }
}

/** A single word behind a slash is no message: it is a command that there is not. The draft stays to be corrected. */
function mistypedCommand(state: AppState, draft: Draft, now: number): Step | null {
  const [, name] = /^\/([a-zA-Z][\w-]*)$/.exec(draft.text) ?? [];
  if (name === undefined || draft.elements.length > 0) return null;
  const near = nearest(
    name,
    SLASH_COMMANDS.map((entry) => entry.name),
  );
  const hint = near
    ? `there is no command /${name}; did you mean /${near}?`
    : `there is no command /${name}; / lists them`;
  return step(withHint({ ...state, composer: restoreDraft(state.composer, draft) }, hint, now));
}

/** Escape: stops the turn; between turns a second press empties the draft (the up key brings it back). */
function handleStop(state: AppState, running: boolean, now: number): Step {
  if (running) return step({ ...state, interrupting: true }, { type: "interrupt" });
  if (state.composer.field.text === "") return step(state);
  if (state.armed?.action === "clear" && now < state.armed.until) {
    return step({ ...state, composer: clearComposer(state.composer), armed: null });
  }
  return step({
    ...withHint(state, "press esc again to clear", now),
    armed: { action: "clear", until: now + ARMED_MS },
  });
}

/** Ctrl-C: empties the draft, else stops the turn, else quits at the second press. */
function handleInterruptKey(state: AppState, now: number): Step {
  if (state.composer.field.text !== "") {
    return step({ ...state, composer: clearComposer(state.composer), armed: null });
  }
  if (state.transcript.turnId !== null || state.turnStartedAt !== null) {
    if (!state.interrupting) return step({ ...state, interrupting: true }, { type: "interrupt" });
  }
  if (state.armed?.action === "quit" && now < state.armed.until) return step(state, { type: "quit" });
  return step({
    ...withHint(state, "press ctrl + c again to quit", now),
    armed: { action: "quit", until: now + ARMED_MS },
  });
}
