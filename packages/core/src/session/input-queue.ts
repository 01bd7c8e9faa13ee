/**
 * Input that waits: what was steered into the running turn, and messages of other agents. Owns the order in which
 * they are taken. A message for the current turn is taken after the turn's own input.
 */
import type { InterAgentCommunication, ResponseItem, UserInput } from "@turnkit/protocol";
import type { MessageContent } from "../context/media/user-input-content.js";

export type PendingInput =
  | {
      readonly type: "user";
      readonly content: readonly UserInput[];
      readonly clientId: string | null;
      /** Attachments are read when the input is taken in, not when it is recorded. */
      readonly prepared: Promise<MessageContent>;
    }
  | { readonly type: "item"; readonly item: ResponseItem; readonly kinds: readonly string[] | undefined }
  | { readonly type: "agent"; readonly communication: InterAgentCommunication };

/** Whether messages of other agents still reach the running turn, or wait for the next one. */
export type MailboxPhase = "currentTurn" | "nextTurn";

export class Mailbox {
  readonly #waiting: InterAgentCommunication[] = [];

  deliver(communication: InterAgentCommunication): void {
    this.#waiting.push(communication);
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  get hasTrigger(): boolean {
    return this.#waiting.some((communication) => communication.trigger_turn === true);
  }

  take(): InterAgentCommunication[] {
    return this.#waiting.splice(0);
  }
}

/** What a turn began with is taken first and by itself; what came since waits for the response to it. */
export class TurnInputQueue {
  #initial: readonly PendingInput[] = [];
  readonly #pending: PendingInput[] = [];
  phase: MailboxPhase = "currentTurn";

  constructor(private readonly mailbox: Mailbox) {}

  begin(items: readonly PendingInput[]): void {
    this.#initial = [...items];
  }

  push(...items: readonly PendingInput[]): void {
    this.#pending.push(...items);
  }

  get hasPending(): boolean {
    return (
      this.#initial.length > 0 || this.#pending.length > 0 || (this.phase === "currentTurn" && !this.mailbox.isEmpty)
    );
  }

  drain(): readonly PendingInput[] {
    if (this.#initial.length > 0) {
      const initial = this.#initial;
      this.#initial = [];
      return initial;
    }
    const own = this.#pending.splice(0);
    if (this.phase !== "currentTurn") return own;
    return [...own, ...this.mailbox.take().map((communication) => ({ type: "agent" as const, communication }))];
  }
}
