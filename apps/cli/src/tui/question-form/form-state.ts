/**
 * The questions of one request and how far the person has come with them. Pure data and pure steps;
 * what keys do is in `form-keys`, what it looks like in `form-view`, what is sent in `form-answers`.
 */
import { emptyField, type TextField } from "../text-field/text-field.js";
import type { ElicitationFields } from "./elicitation-fields.js";

export interface FormOption {
  readonly label: string;
  readonly description: string;
}

export interface FormQuestion {
  readonly id: string;
  readonly header: string;
  readonly question: string;
  readonly isOther: boolean;
  readonly isSecret: boolean;
  /** null or empty: the answer is free text. */
  readonly options: readonly FormOption[] | null;
}

export interface FormRequest {
  /** Identifies the request to whoever answers it. */
  readonly requestId: string | number;
  readonly turnId: string;
  readonly itemId: string;
  readonly questions: readonly FormQuestion[];
  readonly isBlocking: boolean;
  /** The fields of an MCP server's form: its answer has their form. Absent: the questions of a model. */
  readonly elicitation?: ElicitationFields;
}

export interface QuestionState {
  /** Index into the rows of the question; preselected 0, which is not yet an answer. */
  readonly selected: number | null;
  readonly notes: TextField;
  readonly notesVisible: boolean;
  readonly committed: boolean;
}

export interface Form {
  readonly request: FormRequest;
  readonly current: number;
  readonly focus: "options" | "notes";
  readonly states: readonly QuestionState[];
  /** The screen that asks whether to submit with unanswered questions; `selected` is its row. */
  readonly confirming: { readonly selected: number } | null;
  /** Milliseconds of a monotonic clock when the form appeared; null once a key or paste was seen, or when it never resolves itself. */
  readonly autoResolveSince: number | null;
}

export const NONE_OF_THE_ABOVE: FormOption = {
  label: "None of the above",
  description: "Optionally, add details in notes (tab).",
};

export const hasOptions = (question: FormQuestion): boolean => (question.options?.length ?? 0) > 0;

/** The rows to choose from, with the one that the client adds. */
export function optionRows(question: FormQuestion): readonly FormOption[] {
  if (!hasOptions(question)) return [];
  return question.isOther ? [...(question.options ?? []), NONE_OF_THE_ABOVE] : (question.options ?? []);
}

export const isNoneOfTheAbove = (question: FormQuestion, selected: number | null): boolean =>
  question.isOther && hasOptions(question) && selected === (question.options?.length ?? 0);

export function openForm(request: FormRequest, now: number, autoResolution: boolean): Form {
  const states = request.questions.map(
    (question): QuestionState => ({
      selected: hasOptions(question) ? 0 : null,
      notes: emptyField,
      notesVisible: !hasOptions(question),
      committed: false,
    }),
  );
  const first = request.questions[0];
  return {
    request,
    current: 0,
    focus: first && !hasOptions(first) ? "notes" : "options",
    states,
    confirming: null,
    autoResolveSince: autoResolution && !request.isBlocking ? now : null,
  };
}

export const currentQuestion = (form: Form): FormQuestion | null => form.request.questions[form.current] ?? null;
export const currentState = (form: Form): QuestionState | null => form.states[form.current] ?? null;

export function isAnswered(question: FormQuestion, state: QuestionState): boolean {
  return state.committed && (!hasOptions(question) || state.selected !== null);
}

export const unansweredIndexes = (form: Form): number[] =>
  form.request.questions.flatMap((question, index) =>
    isAnswered(question, form.states[index] as QuestionState) ? [] : [index],
  );

/** Unanswered questions whose notes hold text that was typed but not committed. */
export const draftIndexes = (form: Form): number[] =>
  unansweredIndexes(form).filter((index) => form.states[index]?.notes.text.trim() !== "");

export function updateCurrent(form: Form, change: Partial<QuestionState>): Form {
  return {
    ...form,
    states: form.states.map((state, index) => (index === form.current ? { ...state, ...change } : state)),
  };
}

/** Shows a question; free-text questions take the focus into their field. */
export function goTo(form: Form, index: number): Form {
  const count = form.request.questions.length;
  if (count === 0) return form;
  const current = ((index % count) + count) % count;
  const question = form.request.questions[current] as FormQuestion;
  return { ...form, current, focus: hasOptions(question) ? "options" : "notes", confirming: null };
}

export const AUTO_RESOLVE_HIDDEN_MS = 60_000;
export const AUTO_RESOLVE_VISIBLE_MS = 60_000;

/** Seconds left of the visible countdown; null while hidden or off; 0 when due. */
export function autoResolveSeconds(form: Form, now: number): number | null {
  if (form.autoResolveSince === null) return null;
  const elapsed = now - form.autoResolveSince;
  if (elapsed < AUTO_RESOLVE_HIDDEN_MS) return null;
  return Math.max(0, Math.ceil((AUTO_RESOLVE_HIDDEN_MS + AUTO_RESOLVE_VISIBLE_MS - elapsed) / 1000));
}
