/** Runs tasks of one scope (a thread) strictly one after the other and tasks of different scopes concurrently. */

export class Scopes {
  readonly #tails = new Map<string, Promise<void>>();

  /** Scopes with work. */
  get size(): number {
    return this.#tails.size;
  }

  /** Starts at once where the scope is free, so that a lone task costs no turn of the event loop. */
  run<T>(scope: string | null, task: () => T | Promise<T>): Promise<T> {
    if (scope === null) return start(task);
    const before = this.#tails.get(scope);
    const running = before ? before.then(() => start(task)) : start(task);
    const tail = running.then(
      () => {},
      () => {},
    );
    this.#tails.set(scope, tail);
    void tail.then(() => {
      if (this.#tails.get(scope) === tail) this.#tails.delete(scope);
    });
    return running;
  }
}

function start<T>(task: () => T | Promise<T>): Promise<T> {
  try {
    return Promise.resolve(task());
  } catch (error) {
    return Promise.reject(error);
  }
}
