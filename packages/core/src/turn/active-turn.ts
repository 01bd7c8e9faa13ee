/**
 * A turn while it runs: what identifies it, what it was started with, and what waits for it.
 * Owns its abort signal; nothing is recorded for it once it is closed.
 */

import { setMaxListeners } from "node:events";
import type { ThreadSettings } from "@turnkit/protocol";
import { type Mailbox, TurnInputQueue } from "../session/input-queue.js";
import type { TurnKind } from "../session/turn-input-router.js";

export interface TurnStart {
  readonly id: string;
  readonly kind: TurnKind;
  /** In force for the whole turn. */
  readonly settings: ThreadSettings;
  readonly outputSchema: unknown;
  readonly parentTurnId: string | null;
  readonly rootTurnId: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Ends work that outlived its turn; nobody hears of it. */
export class TurnDetached extends Error {
  override readonly name = "TurnDetached";
}

export class ActiveTurn {
  readonly abort = new AbortController();
  readonly input: TurnInputQueue;
  /** Resolves when the turn no longer does anything. */
  readonly finished: Promise<void>;
  /** Set once the turn is being ended: whoever wants to join waits for it and decides anew. */
  ending: Promise<void> | undefined;
  /** Input that is being taken into the history; it is finished whatever happens. */
  recording: Promise<unknown> | undefined;
  started = false;
  /** A hook has ended the turn: what still waits is kept, and nobody is asked about it. */
  stopped = false;
  /** The model has been asked, and had nothing left to do. */
  answered = false;
  startedAtMs = 0;
  firstTokenAtMs: number | undefined;
  lastAgentMessage: string | null = null;
  /** A question was put to the person in this turn. */
  askedUser = false;
  metadata: Readonly<Record<string, string>>;
  #finish: () => void = () => {};
  #detached = false;

  constructor(
    readonly start: TurnStart,
    mailbox: Mailbox,
  ) {
    this.input = new TurnInputQueue(mailbox);
    this.metadata = start.metadata;
    // Every running call listens to it.
    setMaxListeners(0, this.abort.signal);
    this.finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  get id(): string {
    return this.start.id;
  }

  get signal(): AbortSignal {
    return this.abort.signal;
  }

  finish(): void {
    this.#finish();
  }

  /** The turn is being ended by somebody else: whatever still runs for it reports and records nothing more. */
  detach(): void {
    this.#detached = true;
  }

  /** @throws {TurnDetached} */
  throwIfDetached(): void {
    if (this.#detached) throw new TurnDetached();
  }
}
