/**
 * Questions from the server to clients: one counter for the whole server, every subscriber asked with the same id,
 * the first answer wins. Survives clients: a question stays until it is answered or its turn moves on.
 * Knows nothing of what an answer means.
 */
import { ConnectionClosedError, type RequestId } from "@turnkit/rpc";

/** The part of a connection that can be asked. */
export interface Asker {
  request(method: string, params: unknown, options: { readonly id: RequestId }): Promise<unknown>;
  /** Stops waiting for a request; its promise rejects with this error. */
  abandon(id: RequestId, error: Error): boolean;
}

export type Outcome =
  | { readonly kind: "answered"; readonly result: unknown }
  /** The client replied with an error or with something that is no answer. */
  | { readonly kind: "clientFailed"; readonly reason: string }
  | { readonly kind: "turnTransition" };

export interface Question {
  readonly threadId: string;
  readonly method: string;
  readonly params: unknown;
  readonly settled: (outcome: Outcome, id: number) => void;
}

interface Pending extends Question {
  readonly id: number;
  readonly askers: Set<Asker>;
}

class SettledElsewhereError extends Error {
  override readonly name = "SettledElsewhereError";
}

export class ServerRequests {
  readonly #pending = new Map<number, Pending>();
  #nextId = 0;

  get size(): number {
    return this.#pending.size;
  }

  /** Asks all of them; without anyone to ask the question waits for the next subscriber. */
  ask(question: Question, askers: Iterable<Asker>): number {
    const pending: Pending = { ...question, id: this.#nextId++, askers: new Set() };
    this.#pending.set(pending.id, pending);
    for (const asker of askers) this.#send(pending, asker);
    return pending.id;
  }

  /** Sends the open questions of a thread to one client, oldest first, with their original ids. */
  replay(threadId: string, asker: Asker): void {
    for (const pending of this.#of(threadId)) {
      // The same client again: the question is repeated, its earlier copy no longer counts.
      if (pending.askers.delete(asker)) asker.abandon(pending.id, new SettledElsewhereError());
      this.#send(pending, asker);
    }
  }

  /** Ends the thread's open questions because its turn moved on; returns their ids in order. */
  turnMovedOn(threadId: string): number[] {
    const ended = this.#of(threadId);
    for (const pending of ended) this.#settle(pending, { kind: "turnTransition" });
    return ended.map(({ id }) => id);
  }

  #of(threadId: string): Pending[] {
    return [...this.#pending.values()].filter((pending) => pending.threadId === threadId);
  }

  #send(pending: Pending, asker: Asker): void {
    pending.askers.add(asker);
    asker.request(pending.method, pending.params, { id: pending.id }).then(
      (result) => this.#settle(pending, { kind: "answered", result }),
      (error: unknown) => {
        if (error instanceof SettledElsewhereError) return;
        pending.askers.delete(asker);
        if (error instanceof ConnectionClosedError) return;
        this.#settle(pending, { kind: "clientFailed", reason: error instanceof Error ? error.message : String(error) });
      },
    );
  }

  #settle(pending: Pending, outcome: Outcome): void {
    if (!this.#pending.delete(pending.id)) return;
    for (const asker of pending.askers) asker.abandon(pending.id, new SettledElsewhereError());
    pending.settled(outcome, pending.id);
  }
}
