/** What waits for threads, as folders of the home folder; see the core's queue. */
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { QueueDispatcher, ThreadQueue } from "@turnkit/core/queue";
import type { DispatchOptions, ThreadQueues } from "../ports.js";

export class FileQueues implements ThreadQueues {
  readonly #open = new Map<string, ThreadQueue>();

  constructor(
    private readonly home: string,
    private readonly log: (line: string) => void,
  ) {}

  of(threadId: string): ThreadQueue {
    const queue = this.#open.get(threadId) ?? new ThreadQueue({ home: this.home, threadId, warn: this.log });
    this.#open.set(threadId, queue);
    return queue;
  }

  isEmpty(threadId: string): boolean {
    return !existsSync(join(this.home, "queues", threadId));
  }

  async remove(threadId: string): Promise<void> {
    this.#open.delete(threadId);
    await rm(join(this.home, "queues", threadId), { recursive: true, force: true });
  }

  dispatch({ session, held, changed }: DispatchOptions): QueueDispatcher {
    return new QueueDispatcher({ session, queue: this.of(session.threadId), held, changed, warn: this.log });
  }
}
