/**
 * What a form sends, and the history cell that remains of it. Pure.
 * Every question has an entry: the chosen label first, then `user_note: …`; `[]` when it was left unanswered.
 */
import { type Line, plain, tinted } from "../terminal/style.js";
import { visibleControls } from "../terminal/text-width.js";
import { expandPastes, type TextField } from "../text-field/text-field.js";
import { type Form, hasOptions, isAnswered, optionRows, type QuestionState } from "./form-state.js";

export type AnswerMap = Record<string, { answers: string[] }>;

const NOTE = "user_note: ";

export function formAnswers(form: Form): AnswerMap {
  const answers: AnswerMap = {};
  for (const [index, question] of form.request.questions.entries()) {
    const state = form.states[index] as QuestionState;
    const list: string[] = [];
    if (isAnswered(question, state)) {
      const label = state.selected === null ? undefined : optionRows(question)[state.selected]?.label;
      if (label !== undefined) list.push(label);
      const notes = expandPastes(state.notes).text.trim();
      if (notes !== "") list.push(`${NOTE}${notes}`);
    }
    // defineProperty, so that an id like `__proto__` is an ordinary key.
    Object.defineProperty(answers, question.id, {
      value: { answers: list },
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return answers;
}

/** What was typed, question by question; nothing of those whose answers are secret. */
export function unsentNotes(form: Form): readonly Pick<TextField, "text" | "elements">[] {
  return form.states.flatMap(({ notes }, index) =>
    notes.text.trim() === "" || form.request.questions[index]?.isSecret ? [] : [notes],
  );
}

/** How a request ended, for the person; never part of what is sent. */
export type FormEnding = "submitted" | "autoResolved" | "interrupted" | "resolvedElsewhere" | "failed";

const ENDINGS: Readonly<Record<FormEnding, string | null>> = {
  submitted: null,
  autoResolved: "nobody answered in time; the model was told that there is no answer",
  interrupted: "interrupted before an answer was sent",
  resolvedElsewhere: "answered or withdrawn elsewhere",
  failed: "the answer could not be delivered",
};

/** The lines that stay in the transcript. Secret answers are shown as dots. */
export function formHistory(form: Form, ending: FormEnding): Line[] {
  const total = form.request.questions.length;
  const answers = formAnswers(form);
  const answered = form.request.questions.filter((question) => (answers[question.id]?.answers.length ?? 0) > 0).length;
  const sent = ending === "submitted";
  const lines: Line[] = [
    [
      tinted("muted", "• "),
      { text: `Questions ${sent ? answered : 0}/${total} answered`, style: { bold: true } },
      ...(ENDINGS[ending] ? [tinted("warning", ` — ${ENDINGS[ending]}`)] : []),
    ],
  ];
  for (const question of form.request.questions) {
    const list = sent ? (answers[question.id]?.answers ?? []) : [];
    lines.push([
      tinted("muted", "  • "),
      plain(visibleControls(question.question.replace(/\n/g, " "))),
      ...(list.length === 0 ? [tinted("muted", " (unanswered)")] : []),
    ]);
    for (const answer of list) {
      const isNote = answer.startsWith(NOTE) && hasOptions(question);
      const text = answer.startsWith(NOTE) ? answer.slice(NOTE.length) : answer;
      const shown = question.isSecret ? "••••••" : text;
      for (const [row, part] of shown.split("\n").entries()) {
        const label = row === 0 ? (isNote ? "    note: " : "    answer: ") : "      ";
        lines.push([tinted("muted", label), tinted("accent", visibleControls(part))]);
      }
    }
  }
  return lines;
}
