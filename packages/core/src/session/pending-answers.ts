/**
 * Who waits for a person's answer. One holder per turn: a second one in the same turn takes the first one's place.
 * Whoever removes a holder decides how its wait ends; nobody else can.
 */
import type { RequestUserInputResponse } from "@turnkit/protocol";
import type { Logger } from "@turnkit/tools";
import type { AnswerCause, AnswerRecord } from "../session-api.js";
import { QuestionRecord } from "./question-record.js";

type Resolve = (response: RequestUserInputResponse | undefined) => void;

export class PendingAnswers {
  readonly #holders = new Map<string, Resolve>();

  constructor(
    private readonly log: Logger,
    readonly record: QuestionRecord = new QuestionRecord(log),
  ) {}

  /** Resolves with the answer, or with undefined when the holder is replaced or cleared. */
  register(turnId: string): Promise<RequestUserInputResponse | undefined> {
    const older = this.#holders.get(turnId);
    if (older) {
      this.log.warn(`Overwriting existing pending user input for sub_id: ${turnId}`);
      this.#end(turnId, "holderCleared", older, undefined);
    }
    return new Promise((resolve) => this.#holders.set(turnId, resolve));
  }

  has(turnId: string): boolean {
    return this.#holders.has(turnId);
  }

  /** false: nobody waits for this turn; the answer is dropped. */
  answer(turnId: string, response: RequestUserInputResponse, cause: AnswerCause): boolean {
    const holder = this.#holders.get(turnId);
    if (!holder) {
      this.log.warn(`No pending user input found for sub_id: ${turnId}`);
      return false;
    }
    this.#holders.delete(turnId);
    this.#end(turnId, cause, holder, response);
    return true;
  }

  /** The turn is over: its holder's wait ends without an answer. */
  clear(turnId: string): void {
    const holder = this.#holders.get(turnId);
    if (!holder) return;
    this.#holders.delete(turnId);
    this.#end(turnId, "holderCleared", holder, undefined);
  }

  /** How the latest waits ended, newest last. */
  get outcomes(): readonly AnswerRecord[] {
    return this.record.outcomes;
  }

  #end(turnId: string, cause: AnswerCause, resolve: Resolve, response: RequestUserInputResponse | undefined): void {
    this.record.ended(turnId, cause);
    resolve(response);
  }
}
