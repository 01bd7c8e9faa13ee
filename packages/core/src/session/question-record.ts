/**
 * What became of the model's questions: why each wait ended, and why a question was not put to anybody. Owns the log
 * lines and the counts; decides nothing.
 */
import type { Logger } from "@turnkit/tools";
import type { AnswerCause, AnswerRecord, NotShownReason, QuestionCounts } from "../session-api.js";

/** How many of the latest ends are kept one by one. */
const KEPT = 100;

export class QuestionRecord {
  readonly #outcomes: AnswerRecord[] = [];
  readonly #counts = new Map<AnswerCause | NotShownReason, number>();

  constructor(private readonly log: Logger) {}

  /** The holder is in place; answers come under the turn's id. */
  shown(turnId: string, callId: string): void {
    this.log.info(`question ${callId} is shown; its answer is waited for under turn ${turnId}`);
  }

  ended(turnId: string, cause: AnswerCause): void {
    this.#outcomes.push({ turnId, cause });
    if (this.#outcomes.length > KEPT) this.#outcomes.shift();
    this.#count(cause);
    this.log.info(`the wait for an answer to turn ${turnId} ended: ${cause}`);
  }

  /** `facts`: the settings that decided. */
  notShown(turnId: string, callId: string, reason: NotShownReason, facts: string): void {
    this.#count(reason);
    this.log.info(`question ${callId} of turn ${turnId} is not shown: ${reason} (${facts})`);
  }

  /** How the latest waits ended, newest last. */
  get outcomes(): readonly AnswerRecord[] {
    return this.#outcomes;
  }

  get counts(): QuestionCounts {
    return Object.fromEntries(this.#counts);
  }

  #count(what: AnswerCause | NotShownReason): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }
}
