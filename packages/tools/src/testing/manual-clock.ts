/** A clock that stands still until the test moves it. */
import type { Clock, PauseSignal } from "../ports.js";

export class ManualClock implements Clock {
  #now = 0;
  readonly #timers = new Set<{ readonly at: number; readonly action: () => void }>();

  now(): number {
    return this.#now;
  }

  epochMs(): number {
    return 1_800_000_000_000 + this.#now;
  }

  after(ms: number, action: () => void): () => void {
    const timer = { at: this.#now + ms, action };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  get pendingTimers(): number {
    return this.#timers.size;
  }

  /** Runs what falls due within `ms`, in order; work that awaits runs in between. */
  async advance(ms: number): Promise<void> {
    const target = this.#now + ms;
    for (;;) {
      await settle();
      const due = [...this.#timers].filter((timer) => timer.at <= target).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.#timers.delete(due);
      this.#now = Math.max(this.#now, due.at);
      due.action();
    }
    this.#now = Math.max(this.#now, target);
    await settle();
  }
}

/** Lets every continuation that is ready run. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 50; round++) await Promise.resolve();
}

export class ManualPause implements PauseSignal {
  paused = false;
  readonly #listeners = new Set<(paused: boolean) => void>();

  onChange(listener: (paused: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  set(paused: boolean): void {
    if (paused === this.paused) return;
    this.paused = paused;
    for (const listener of [...this.#listeners]) listener(paused);
  }
}
