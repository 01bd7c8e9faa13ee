/**
 * Submissions of one thread that wait until it is idle, kept in one small file so that they survive the process.
 * Knows nothing of turns; who dispatches takes the head and removes it once it was taken.
 */
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { AppUserInput, QueuedSubmission } from "@turnkit/protocol/app";
import { RpcError } from "@turnkit/rpc";

const maxSubmissions = 100;
const queuePath = (home: string, threadId: string) => join(home, "queues", `${threadId}.json`);

export class SubmissionQueue {
  readonly #path: string;
  #rows: QueuedSubmission[];
  #writing: Promise<void> = Promise.resolve();

  private constructor(path: string, rows: QueuedSubmission[]) {
    this.#path = path;
    this.#rows = rows;
  }

  /** Whether anything waits, by the file alone. */
  static exists(home: string, threadId: string): boolean {
    return existsSync(queuePath(home, threadId));
  }

  /** `isSubmission` decides which rows of the file still mean something; others are dropped. */
  static async open(
    home: string,
    threadId: string,
    isSubmission: (value: unknown) => value is QueuedSubmission,
  ): Promise<SubmissionQueue> {
    const path = queuePath(home, threadId);
    let rows: unknown;
    try {
      rows = JSON.parse(await readFile(path, "utf8"));
    } catch {
      rows = [];
    }
    return new SubmissionQueue(path, Array.isArray(rows) ? rows.filter(isSubmission) : []);
  }

  get rows(): readonly QueuedSubmission[] {
    return this.#rows;
  }

  async add(input: readonly AppUserInput[], clientUserMessageId: string): Promise<QueuedSubmission> {
    if (this.#rows.length >= maxSubmissions) {
      throw new RpcError(-32600, `queue cannot contain more than ${maxSubmissions} submissions`);
    }
    const row = { id: randomUUID(), input: [...input], clientUserMessageId };
    this.#rows = [...this.#rows, row];
    await this.#save();
    return row;
  }

  async update(id: string, input: readonly AppUserInput[]): Promise<QueuedSubmission> {
    const row = { ...this.get(id), input: [...input] };
    this.#rows = this.#rows.map((other) => (other.id === id ? row : other));
    await this.#save();
    return row;
  }

  async remove(id: string): Promise<boolean> {
    const kept = this.#rows.filter((row) => row.id !== id);
    if (kept.length === this.#rows.length) return false;
    this.#rows = kept;
    await this.#save();
    return true;
  }

  /** `ids` must name every waiting submission once. */
  async reorder(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.get(id);
    if (new Set(ids).size !== ids.length || ids.length !== this.#rows.length) {
      throw new RpcError(-32600, "queuedSubmissionIds must contain every queued submission exactly once");
    }
    this.#rows = ids.map((id) => this.get(id));
    await this.#save();
  }

  /** @throws {RpcError} no such submission */
  get(id: string): QueuedSubmission {
    const row = this.#rows.find((candidate) => candidate.id === id);
    if (!row) throw new RpcError(-32600, `queued submission not found: ${id}`);
    return row;
  }

  /** Replaces the file in one step: a reader never sees half of it. */
  #save(): Promise<void> {
    const text = JSON.stringify(this.#rows);
    const write = this.#writing.then(async () => {
      if (text === "[]") {
        await rm(this.#path, { force: true });
        return;
      }
      await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
      await writeFile(`${this.#path}.new`, text, { mode: 0o600 });
      await rename(`${this.#path}.new`, this.#path);
    });
    this.#writing = write.catch(() => {});
    return write;
  }
}
