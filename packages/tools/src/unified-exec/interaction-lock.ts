/** A mutual exclusion that serves its waiters in order; one per process. */
export class InteractionLock {
  #tail: Promise<void> = Promise.resolve();
  #held = 0;

  get isHeld(): boolean {
    return this.#held > 0;
  }

  /** Resolves with the function that lets the next one in. */
  async acquire(): Promise<() => void> {
    let release: () => void = () => {};
    const before = this.#tail;
    this.#tail = new Promise((resolve) => {
      release = resolve;
    });
    this.#held += 1;
    await before;
    let done = false;
    return () => {
      if (done) return;
      done = true;
      this.#held -= 1;
      release();
    };
  }
}
