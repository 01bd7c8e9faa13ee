/**
 * In which order and how many requests of one connection run at once.
 * One slot: strictly in order, except that ending a process overtakes a parked read. More slots: at most that many at
 * once, started in order; cheap methods never wait.
 */

/** Never wait for a slot when there is more than one. */
const CHEAP = new Set([
  "initialize",
  "environment/info",
  "environment/status",
  "process/signal",
  "process/terminate",
  "fs/close",
]);
/** Done at once, without waiting for anything. */
const ENDING = new Set(["process/signal", "process/terminate"]);

/** The work of a request; `park` says that from now on it only waits for something to happen. */
export type Work = (park: () => void) => unknown;

interface Job {
  readonly method: string;
  readonly processId: string | undefined;
  readonly work: Work;
  readonly resolve: (result: unknown) => void;
}

const noPark = () => {};

export class RequestQueue {
  readonly #slots: number;
  readonly #onLength: (waiting: number) => void;
  #waiting: Job[] = [];
  #running = 0;
  #parked = 0;
  #draining = false;

  constructor(slots: number, onLength: (waiting: number) => void) {
    this.#slots = slots;
    this.#onLength = onLength;
  }

  /** `known` is false for a method nobody serves. */
  run(method: string, known: boolean, processId: string | undefined, work: Work): unknown {
    if (this.#slots > 1 && (!known || CHEAP.has(method))) return work(noPark);
    if (this.#waiting.length === 0 && this.#running < this.#slots) return this.#occupy(work);
    return new Promise((resolve) => {
      this.#waiting.push({ method, processId, work, resolve });
      this.#onLength(this.#waiting.length);
      if (ENDING.has(method)) this.#overtake();
    });
  }

  /** Forgets what waits; for a connection that is gone. */
  clear(): void {
    this.#waiting = [];
  }

  #occupy(work: Work): unknown {
    this.#running++;
    let parked = false;
    const park = () => {
      if (parked) return;
      parked = true;
      this.#parked++;
      this.#overtake();
    };
    const leave = () => {
      this.#running--;
      if (parked) this.#parked--;
      this.#next();
    };
    let result: unknown;
    try {
      result = work(park);
    } catch (error) {
      leave();
      return Promise.reject(error);
    }
    // The reply leaves within this turn of the event loop; only then may the next request answer.
    if (result instanceof Promise) return result.finally(() => void setImmediate(leave));
    leave();
    return result;
  }

  #next(): void {
    // Work that is done at once comes back here: thousands of them must not grow the stack.
    if (this.#draining) return;
    this.#draining = true;
    while (this.#running < this.#slots) {
      const job = this.#waiting.shift();
      if (!job) break;
      job.resolve(this.#occupy(job.work));
    }
    this.#draining = false;
    this.#onLength(this.#waiting.length);
  }

  /** What goes to the same process before it, other than a read, is not overtaken: order there has a meaning. */
  #overtake(): void {
    if (this.#parked < this.#slots || this.#waiting.length === 0) return;
    const touched = new Set<string | undefined>();
    const free: Job[] = [];
    this.#waiting = this.#waiting.filter((job) => {
      const overtakes = ENDING.has(job.method) && !touched.has(job.processId);
      if (overtakes) free.push(job);
      else if (job.method !== "process/read") touched.add(job.processId);
      return !overtakes;
    });
    for (const job of free) job.resolve(settled(() => job.work(noPark)));
  }
}

function settled(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return Promise.reject(error);
  }
}
