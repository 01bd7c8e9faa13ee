/**
 * Readers together, writers alone, first come first served. Calls that may run side by side read; the others write.
 */
interface Waiter {
  readonly exclusive: boolean;
  readonly enter: () => void;
}

export class ReadWriteLock {
  #readers = 0;
  #writing = false;
  readonly #queue: Waiter[] = [];

  /** Resolves with the function that leaves. undefined: the signal came first. */
  async acquire(exclusive: boolean, signal: AbortSignal): Promise<(() => void) | undefined> {
    if (signal.aborted) return undefined;
    const entered = await new Promise<boolean>((resolve) => {
      const onAbort = () => {
        const at = this.#queue.indexOf(waiter);
        if (at < 0) return;
        this.#queue.splice(at, 1);
        resolve(false);
        this.#admit();
      };
      const waiter: Waiter = {
        exclusive,
        enter: () => {
          signal.removeEventListener("abort", onAbort);
          resolve(true);
        },
      };
      signal.addEventListener("abort", onAbort, { once: true });
      this.#queue.push(waiter);
      this.#admit();
    });
    if (!entered) return undefined;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      if (exclusive) this.#writing = false;
      else this.#readers -= 1;
      this.#admit();
    };
  }

  #admit(): void {
    for (let next = this.#queue[0]; next !== undefined; next = this.#queue[0]) {
      if (this.#writing || (next.exclusive && this.#readers > 0)) return;
      this.#queue.shift();
      if (next.exclusive) this.#writing = true;
      else this.#readers += 1;
      next.enter();
    }
  }
}
