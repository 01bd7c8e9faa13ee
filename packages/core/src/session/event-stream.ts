/**
 * The events of a session, in one order for everybody: listeners are called as they happen, iterators buffer.
 * Owns no recording; see the session for what is kept on disk.
 */
import type { SessionEvent } from "../session-api.js";

export class EventStream {
  readonly #listeners = new Set<(event: SessionEvent) => void>();
  readonly #ends = new Set<() => void>();
  #ended = false;

  constructor(private readonly onListenerError: (error: unknown) => void) {}

  publish(event: SessionEvent): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(event);
      } catch (error) {
        this.onListenerError(error);
      }
    }
  }

  subscribe(listener: (event: SessionEvent) => void): () => void {
    // A listener given twice is two subscriptions.
    const own = (event: SessionEvent) => listener(event);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  end(): void {
    this.#ended = true;
    for (const end of [...this.#ends]) end();
  }

  async *iterate(signal: AbortSignal | undefined): AsyncIterableIterator<SessionEvent> {
    const buffer: SessionEvent[] = [];
    let wake: () => void = () => {};
    let done = this.#ended || signal?.aborted === true;
    const unsubscribe = this.subscribe((event) => {
      buffer.push(event);
      wake();
    });
    const end = () => {
      done = true;
      wake();
    };
    this.#ends.add(end);
    signal?.addEventListener("abort", end, { once: true });
    try {
      for (;;) {
        const next = buffer.shift();
        if (next) yield next;
        else if (done) return;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    } finally {
      unsubscribe();
      this.#ends.delete(end);
      signal?.removeEventListener("abort", end);
    }
  }
}
