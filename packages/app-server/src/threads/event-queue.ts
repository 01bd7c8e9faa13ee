/**
 * Keeps what happens in one thread in order and can hold it back: a reply that starts a turn goes out before the turn's
 * own notifications.
 */

type Task = () => void;

export class EventQueue {
  readonly #tasks: Task[] = [];
  #holds = 0;
  #draining = false;

  /** Runs the task now, or after everything that is waiting. */
  push(task: Task): void {
    this.#tasks.push(task);
    this.#drain();
  }

  /** Past what is held: for news that belongs before the held reply. In order all the same when nothing is held. */
  pushEarly(task: Task): void {
    if (this.#holds > 0 && this.#tasks.length === 0 && !this.#draining) task();
    else this.push(task);
  }

  /** Before everything that is waiting; for the rest of a task that had to stop halfway. */
  pushFirst(task: Task): void {
    this.#tasks.unshift(task);
    this.#drain();
  }

  /**
   * Holds tasks back until the returned function was called. They then run in a later step of the event loop, after
   * replies that are already on their way.
   */
  hold(): () => void {
    this.#holds += 1;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      setImmediate(() => {
        this.#holds -= 1;
        this.#drain();
      });
    };
  }

  #drain(): void {
    if (this.#draining) return;
    this.#draining = true;
    try {
      while (this.#holds === 0 && this.#tasks.length > 0) (this.#tasks.shift() as Task)();
    } finally {
      this.#draining = false;
    }
  }
}
