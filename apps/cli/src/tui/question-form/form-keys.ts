/**
 * What keys and pastes do to a form. Pure: (form, input) → (form, what the owner has to do).
 */
import { isBound, type Keymap } from "../keymap/keymap.js";
import type { KeyPress } from "../terminal/key-decoder.js";
import { editField } from "../text-field/field-keys.js";
import { insertPaste } from "../text-field/paste.js";
import { emptyField, insertText } from "../text-field/text-field.js";
import {
  currentQuestion,
  currentState,
  draftIndexes,
  type Form,
  type FormQuestion,
  goTo,
  hasOptions,
  isNoneOfTheAbove,
  optionRows,
  type QuestionState,
  unansweredIndexes,
  updateCurrent,
} from "./form-state.js";

export interface FormStep {
  readonly form: Form;
  readonly effect: "submit" | "interrupt" | null;
}

const stay = (form: Form): FormStep => ({ form, effect: null });
const interrupt = (form: Form): FormStep => ({ form, effect: "interrupt" });

/** Rows of the confirmation screen; the third is there only when typed notes would be left out. */
export function confirmationRows(form: Form): readonly ("proceed" | "goBack" | "includeDrafts")[] {
  return draftIndexes(form).length > 0 ? ["proceed", "goBack", "includeDrafts"] : ["proceed", "goBack"];
}

/** After an answer: the next question, or the end. */
function advance(form: Form): FormStep {
  if (form.current < form.request.questions.length - 1) return stay(goTo(form, form.current + 1));
  if (unansweredIndexes(form).length > 0) return stay({ ...form, confirming: { selected: 0 } });
  return { form, effect: "submit" };
}

const commit = (form: Form): FormStep => advance(updateCurrent(form, { committed: true }));

function clearNotes(form: Form): Form {
  return { ...updateCurrent(form, { notes: emptyField, notesVisible: false, committed: false }), focus: "options" };
}

const openNotes = (form: Form): Form => ({ ...updateCurrent(form, { notesVisible: true }), focus: "notes" });

function moveSelection(form: Form, question: FormQuestion, state: QuestionState, delta: number): Form {
  const count = optionRows(question).length;
  const from = state.selected ?? (delta > 0 ? -1 : 0);
  return updateCurrent(form, { selected: (from + delta + count) % count, committed: false });
}

export function formKey(before: Form, press: KeyPress, keymap: Keymap, width: number): FormStep {
  const form = { ...before, autoResolveSince: null };
  if (form.confirming) return confirmationKey(form, form.confirming.selected, press, keymap);
  const question = currentQuestion(form);
  const state = currentState(form);
  if (!question || !state) {
    if (isBound(keymap.question.submit, press)) return { form, effect: "submit" };
    const leaves = isBound(keymap.question.interrupt, press) || isBound(keymap.global.interrupt, press);
    return leaves ? interrupt(form) : stay(form);
  }
  if (isBound(keymap.global.interrupt, press)) {
    if (form.focus === "notes" && state.notes.text !== "") {
      return stay(updateCurrent(form, { notes: emptyField, committed: false }));
    }
    return interrupt(form);
  }
  if (isBound(keymap.question.previous, press)) return stay(goTo(form, form.current - 1));
  if (isBound(keymap.question.next, press)) return stay(goTo(form, form.current + 1));
  if (press.name === "escape" && hasOptions(question) && state.notesVisible) return stay(clearNotes(form));
  if (isBound(keymap.question.interrupt, press)) return interrupt(form);
  return form.focus === "options"
    ? optionsKey(form, question, state, press, keymap)
    : notesKey(form, question, state, press, keymap, width);
}

function optionsKey(
  form: Form,
  question: FormQuestion,
  state: QuestionState,
  press: KeyPress,
  keymap: Keymap,
): FormStep {
  if (isBound(keymap.list.move_up, press)) return stay(moveSelection(form, question, state, -1));
  if (isBound(keymap.list.move_down, press)) return stay(moveSelection(form, question, state, 1));
  if (isBound(keymap.question.previous_in_options, press)) return stay(goTo(form, form.current - 1));
  if (isBound(keymap.question.next_in_options, press)) return stay(goTo(form, form.current + 1));
  if (isBound(keymap.question.select, press)) {
    return stay(state.selected === null ? form : updateCurrent(form, { committed: true }));
  }
  if (isBound(keymap.question.submit, press)) {
    if (state.selected === null) return advance(form);
    if (isNoneOfTheAbove(question, state.selected) && state.notes.text.trim() === "" && !state.notesVisible) {
      return stay(openNotes(form));
    }
    return commit(form);
  }
  if (isBound(keymap.question.notes, press)) return stay(state.selected === null ? form : openNotes(form));
  if (isBound(keymap.question.clear, press)) {
    return stay(updateCurrent(form, { selected: null, notes: emptyField, notesVisible: false, committed: false }));
  }
  if (press.text === null) return stay(form);
  const digit = /^[1-9]$/.test(press.text) ? Number(press.text) - 1 : null;
  if (digit !== null) {
    return digit < optionRows(question).length ? commit(updateCurrent(form, { selected: digit })) : stay(form);
  }
  // A character that the list does not use begins a note.
  const opened = openNotes(state.selected === null ? updateCurrent(form, { selected: 0 }) : form);
  return stay(updateCurrent(opened, { notes: insertText(state.notes, press.text), committed: false }));
}

function notesKey(
  form: Form,
  question: FormQuestion,
  state: QuestionState,
  press: KeyPress,
  keymap: Keymap,
  width: number,
): FormStep {
  const options = hasOptions(question);
  if (isBound(keymap.question.submit, press)) {
    if (!options && state.notes.text.trim() === "") return advance(updateCurrent(form, { committed: false }));
    return commit(form);
  }
  if (isBound(keymap.composer.newline, press)) {
    return stay(updateCurrent(form, { notes: insertText(state.notes, "\n"), committed: false }));
  }
  if (options && isBound(keymap.question.notes, press)) return stay(clearNotes(form));
  if (options && (press.name === "up" || press.name === "down")) {
    return stay(moveSelection(form, question, state, press.name === "up" ? -1 : 1));
  }
  if (options && press.name === "backspace" && state.notes.text === "") {
    return stay({ ...updateCurrent(form, { notesVisible: false }), focus: "options" });
  }
  const edited = editField(state.notes, press, width);
  if (!edited) return stay(form);
  const committed = edited.text === state.notes.text && state.committed;
  return stay(updateCurrent(form, { notes: edited, committed }));
}

function confirmationKey(form: Form, selected: number, press: KeyPress, keymap: Keymap): FormStep {
  const rows = confirmationRows(form);
  const select = (row: number): FormStep =>
    stay({ ...form, confirming: { selected: (row + rows.length) % rows.length } });
  const goBack = (): FormStep => stay(goTo(form, unansweredIndexes(form)[0] ?? 0));
  if (isBound(keymap.global.interrupt, press)) return interrupt(form);
  if (isBound(keymap.list.move_up, press)) return select(selected - 1);
  if (isBound(keymap.list.move_down, press)) return select(selected + 1);
  if (press.text !== null && /^[1-9]$/.test(press.text) && Number(press.text) <= rows.length) {
    return select(Number(press.text) - 1);
  }
  if (press.name === "escape" || press.name === "backspace") return goBack();
  if (!isBound(keymap.list.accept, press)) return stay(form);
  const row = rows[selected];
  if (row === "goBack") return goBack();
  if (row !== "includeDrafts") return { form, effect: "submit" };
  const drafts = draftIndexes(form);
  const states = form.states.map((state, index) => {
    if (!drafts.includes(index)) return state;
    const question = form.request.questions[index] as FormQuestion;
    return { ...state, selected: hasOptions(question) ? (state.selected ?? 0) : null, committed: true };
  });
  return { form: { ...form, states }, effect: "submit" };
}

/** A paste always lands in notes. */
export function formPaste(before: Form, text: string): Form {
  const form = { ...before, autoResolveSince: null };
  const state = currentState(form);
  if (form.confirming || !state) return form;
  const opened = openNotes(
    state.selected === null && hasOptions(currentQuestion(form) as FormQuestion)
      ? updateCurrent(form, { selected: 0 })
      : form,
  );
  return updateCurrent(opened, { notes: insertPaste(state.notes, text), committed: false });
}
