/**
 * What is left of a child that has closed: its id, and an input that answers as before. Streams, descriptors and their
 * buffers can go, while the process itself is still remembered for a while.
 */
import type { Child } from "./child.js";
import { WriteQueue } from "./write-queue.js";

/** `refuses`: the process was terminated, so that writes fail; otherwise they are accepted and vanish. */
export function endedChild({ pid, stdin }: Child, refuses: boolean): Child {
  const left = stdin && new WriteQueue(() => undefined);
  if (refuses) left?.refuse();
  else left?.discard();
  const nothing = () => {};
  return {
    pid,
    stdin: left,
    closeStdin: () => left?.end(nothing),
    interrupt: nothing,
    kill: nothing,
    pause: nothing,
    resume: nothing,
  };
}
