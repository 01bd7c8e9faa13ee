/** Bounds the calls in flight on one connection; one place is kept for cleaning up. */

const CALLS = 1024;

export class CallSlots {
  readonly #waiting: (() => void)[] = [];
  #free = CALLS;
  #reserved = 1;

  async run<Result>(cleanup: boolean, work: () => Promise<Result>): Promise<Result> {
    const extra = cleanup && this.#free === 0 && this.#reserved > 0;
    if (extra) this.#reserved--;
    else if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      if (extra) this.#reserved++;
      else {
        const next = this.#waiting.shift();
        if (next) next();
        else this.#free++;
      }
    }
  }
}
