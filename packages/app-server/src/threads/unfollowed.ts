/** Gives back the memory of threads that nobody follows and that do nothing, after a while. */
import type { LoadedThread } from "./loaded-thread.js";

export interface UnfollowedOptions {
  readonly afterMs: number;
  readonly unload: (thread: LoadedThread) => void;
}

export class UnfollowedThreads {
  readonly #options: UnfollowedOptions;
  readonly #timers = new Map<LoadedThread, NodeJS.Timeout>();

  constructor(options: UnfollowedOptions) {
    this.#options = options;
  }

  /** To be called whenever a thread may have lost its last follower, or was opened without one. */
  watch(thread: LoadedThread): void {
    clearTimeout(this.#timers.get(thread));
    this.#timers.delete(thread);
    if (thread.subscribers.size > 0) return;
    this.#timers.set(thread, setTimeout(() => this.#look(thread), this.#options.afterMs).unref());
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  #look(thread: LoadedThread): void {
    this.#timers.delete(thread);
    if (thread.subscribers.size > 0) return;
    // A turn, a question that waits for its next client, or a program: looked at again later.
    const busy = thread.status.type === "active" || thread.session.backgroundTerminals().length > 0;
    if (busy) this.watch(thread);
    else this.#options.unload(thread);
  }
}
