/** Counts what a person is being asked. While anything is outstanding, deadlines of waiting tools move along. */
import type { PauseSignal } from "@turnkit/tools";

export class Elicitations implements PauseSignal {
  #count = 0;
  #external = 0;
  readonly #listeners = new Set<(paused: boolean) => void>();

  get paused(): boolean {
    return this.#count + this.#external > 0;
  }

  onChange(listener: (paused: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Returns what ends this one; ending it twice counts once. */
  hold(): () => void {
    this.#change(() => {
      this.#count += 1;
    });
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#change(() => {
        this.#count -= 1;
      });
    };
  }

  /** Counted by the session's owner. Returns the owner's count. */
  increment(): number {
    this.#change(() => {
      this.#external += 1;
    });
    return this.#external;
  }

  /** undefined: there was nothing to decrement. */
  decrement(): number | undefined {
    if (this.#external === 0) return undefined;
    this.#change(() => {
      this.#external -= 1;
    });
    return this.#external;
  }

  #change(change: () => void): void {
    const before = this.paused;
    change();
    if (before === this.paused) return;
    for (const listener of [...this.#listeners]) listener(this.paused);
  }
}
