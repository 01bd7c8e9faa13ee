/**
 * What waits for one thread: at most a hundred submissions, kept on disk, each with its attachments inside.
 * Owns the rules and the order of changes. Does not start anything; see the dispatcher.
 */
import path from "node:path";
import type { UserInput } from "@turnkit/protocol";
import { MediaReadError, snapshotMedia } from "../context/media/local-media.js";
import { ImageError } from "../context/media/prepare-image.js";
import { freshId } from "../ids.js";
import { QueueFolder } from "./queue-folder.js";
import { type QueuedInput, QueueError } from "./queued-input.js";

export const MAX_QUEUED = 100;
const MAX_CHARACTERS = 1_048_576;

export interface ThreadQueueOptions {
  /** The home folder. */
  readonly home: string;
  readonly threadId: string;
  readonly warn?: (message: string) => void;
}

export class ThreadQueue {
  readonly #folder: QueueFolder;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ home, threadId, warn = () => {} }: ThreadQueueOptions) {
    this.#folder = new QueueFolder(path.join(home, "queues", threadId), warn);
  }

  /** In the order in which they will be sent. */
  list(): Promise<readonly QueuedInput[]> {
    return this.#alone(() => this.#folder.read());
  }

  /** @throws {QueueError} */
  async add(content: readonly UserInput[], clientId: string | null): Promise<QueuedInput> {
    check(content);
    const kept = await snapshots(content);
    return await this.#alone(async () => {
      if ((await this.#folder.read()).length >= MAX_QUEUED)
        throw new QueueError(`queue cannot contain more than ${MAX_QUEUED} submissions`);
      const row = { id: freshId(), content: kept, clientId: clientId ?? freshId() };
      await this.#folder.write(row);
      return row;
    });
  }

  /** The place in the queue and the client's id stay. @throws {QueueError} */
  async update(id: string, content: readonly UserInput[]): Promise<QueuedInput> {
    check(content);
    const kept = await snapshots(content);
    return await this.#alone(async () => {
      const row = { ...found(await this.#folder.read(), id), content: kept };
      await this.#folder.write(row);
      return row;
    });
  }

  /** false: it was not there. @throws {Error} it is there and cannot be removed */
  remove(id: string): Promise<boolean> {
    return this.#alone(() => this.#folder.remove(id));
  }

  /** @throws {QueueError} not every submission is named exactly once */
  reorder(ids: readonly string[]): Promise<void> {
    return this.#alone(async () => {
      const rows = await this.#folder.read();
      const named = new Set(ids);
      if (named.size !== ids.length || ids.length !== rows.length || !rows.every(({ id }) => named.has(id)))
        throw new QueueError("queue reorder must include every queued submission exactly once");
      if (ids.length > 0) await this.#folder.writeOrder(ids);
    });
  }

  /** @throws {QueueError} there is no such submission */
  async get(id: string): Promise<QueuedInput> {
    return found(await this.list(), id);
  }

  /** One change at a time. */
  #alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }
}

function found(rows: readonly QueuedInput[], id: string): QueuedInput {
  const row = rows.find((each) => each.id === id);
  if (!row) throw new QueueError(`queued submission not found: ${id}`);
  return row;
}

function check(content: readonly UserInput[]): void {
  if (content.length === 0) throw new QueueError("only user input can be added to the user-message queue");
  let characters = 0;
  for (const part of content) if (part.type === "text") for (const _ of part.text) characters += 1;
  if (characters > MAX_CHARACTERS)
    throw new QueueError(
      `queued user input exceeds the maximum length of ${MAX_CHARACTERS} characters (${characters} provided)`,
    );
}

async function snapshots(content: readonly UserInput[]): Promise<readonly UserInput[]> {
  try {
    return await Promise.all(content.map(snapshotMedia));
  } catch (error) {
    if (!(error instanceof MediaReadError) && !(error instanceof ImageError)) throw error;
    throw new QueueError(`local queued attachment is invalid: ${error.message}`, { cause: error });
  }
}
