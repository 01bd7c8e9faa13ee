/** One submission that waits for its thread. */
import type { UserInput } from "@turnkit/protocol";

export interface QueuedInput {
  /** Version 7 of UUIDs: they sort by the time they were made. */
  readonly id: string;
  readonly content: readonly UserInput[];
  readonly clientId: string;
}

/** The queue cannot take this; nothing was changed. */
export class QueueError extends Error {
  override readonly name = "QueueError";
}
