/** A hook did not want the history to be compacted: the turn ends as if it had been interrupted. */
export class StoppedByHook extends Error {
  override readonly name = "StoppedByHook";
}
