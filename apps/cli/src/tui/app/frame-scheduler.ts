/** Draws at most once per 16 ms, and wakes up when something on the screen changes by itself. */

const FRAME_MS = 16;

export class FrameScheduler {
  #frame: NodeJS.Timeout | null = null;
  #wake: NodeJS.Timeout | null = null;
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly draw: () => void,
    private readonly onWake: () => void,
  ) {}

  request(): void {
    if (this.#frame) return;
    const wait = Math.max(0, FRAME_MS - (performance.now() - this.#lastAt));
    this.#frame = setTimeout(() => {
      this.#frame = null;
      this.#lastAt = performance.now();
      this.draw();
    }, wait);
  }

  /** null: nothing changes by itself, no timer runs. */
  wakeIn(milliseconds: number | null): void {
    if (this.#wake) clearTimeout(this.#wake);
    this.#wake = milliseconds === null ? null : setTimeout(this.onWake, milliseconds);
  }

  stop(): void {
    if (this.#frame) clearTimeout(this.#frame);
    if (this.#wake) clearTimeout(this.#wake);
    this.#frame = null;
    this.#wake = null;
  }
}
