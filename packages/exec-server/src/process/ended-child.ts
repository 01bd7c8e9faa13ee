/**
 * What is left of a child that has closed: its id, and an input that answers as before. Streams, descriptors and their
 * buffers can go, while the process itself is still remembered for a while.
 */
import type { Child } from "./child.js";
import { WriteQueue } from "./write-queue.js";

export class EndedChild implements Child {
  readonly pid: number;
  readonly stdin: WriteQueue | undefined;

  /** `refuses`: the process was terminated, so that writes fail; otherwise they are accepted and vanish. */
  constructor({ pid, stdin }: Child, refuses: boolean) {
    this.pid = pid;
    this.stdin = stdin && new WriteQueue(() => undefined);
    if (refuses) this.stdin?.refuse();
    else this.stdin?.discard();
  }

  closeStdin(): void {
    this.stdin?.end(() => {});
  }

  interrupt(): void {}

  kill(): void {}

  pause(): void {}

  resume(): void {}
}
