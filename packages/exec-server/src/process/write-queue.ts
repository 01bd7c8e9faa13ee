/**
 * The bounded queue in front of a process's stdin.
 * Owns order and back-pressure; a sink writes the bytes out. Does not know write ids.
 */

/** Chunks that may wait for the process to read before a writer has to wait: 128 and the one being written. */
const CAPACITY = 129;

/** Writes one chunk completely. Rejecting means that the process no longer reads: later chunks vanish. */
export type WriteSink = (bytes: Uint8Array) => Promise<void> | undefined;

export class WriteQueue {
  readonly #sink: WriteSink;
  readonly #chunks: Uint8Array[] = [];
  readonly #waiting: ((granted: boolean) => void)[] = [];
  /** Places taken: queued, being written, or reserved and not yet used. */
  #taken = 0;
  #writing = false;
  #dead = false;
  #refusing = false;
  #whenEmpty: (() => void) | undefined;

  constructor(sink: WriteSink) {
    this.#sink = sink;
  }

  /**
   * Waits for a place, in order of asking. false: the process was terminated, nothing can be sent.
   * Every granted place must be used by exactly one `send` or `release`.
   */
  reserve(): Promise<boolean> | boolean {
    if (this.#refusing) return false;
    if (this.#taken < CAPACITY) {
      this.#taken++;
      return true;
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  send(bytes: Uint8Array): void {
    if (this.#dead || bytes.byteLength === 0) {
      this.release();
      return;
    }
    this.#chunks.push(bytes);
    if (!this.#writing) this.#pump();
  }

  release(): void {
    const next = this.#waiting.shift();
    if (next) next(true);
    else this.#taken--;
    if (this.#taken === 0) this.#whenEmpty?.();
  }

  /** Runs `then` once everything sent so far is written. */
  end(then: () => void): void {
    this.#refusing = true;
    if (this.#taken === 0) then();
    else this.#whenEmpty = then;
  }

  /** The process ended: what is queued and what comes is dropped, still answered as accepted. */
  discard(): void {
    this.#dead = true;
    for (let left = this.#chunks.splice(0).length; left > 0; left--) this.release();
  }

  /** The process was terminated: waiting and later writers are refused. */
  refuse(): void {
    this.#refusing = true;
    for (const resolve of this.#waiting.splice(0)) resolve(false);
    this.discard();
  }

  #pump(): void {
    for (let bytes = this.#chunks.shift(); bytes !== undefined; bytes = this.#chunks.shift()) {
      const written = this.#sink(bytes);
      if (written) {
        this.#writing = true;
        void written.then(
          () => this.#written(),
          () => {
            this.#writing = false;
            this.release();
            this.discard();
          },
        );
        return;
      }
      this.release();
    }
  }

  #written(): void {
    this.#writing = false;
    this.release();
    if (this.#chunks.length > 0) this.#pump();
  }
}
