/**
 * Writes a session file line by line. The file is made at the first thing worth keeping; until then lines wait.
 * Lines that cannot be written stay and are tried again at the next flush. Owns one file handle and its lock.
 */
import { type FileHandle, mkdir, open } from "node:fs/promises";
import path from "node:path";
import type { RolloutItem } from "./rollout-item.js";
import { acquireWriterLock, SessionInUseError, type WriterLock } from "./writer-lock.js";

export interface RolloutRecorder {
  /** Where the file is or will be. */
  readonly path: string;
  /** Whether the file exists or is being made. */
  readonly isMaterialized: boolean;
  /** Takes the file before anything is written. @throws {SessionInUseError} another program writes it */
  claim?(): Promise<void>;
  append(item: RolloutItem): void;
  /** From now on lines go to disk. */
  materialize(): void;
  /** Resolves when everything appended so far is in the file. @throws {Error} it is not; it is kept and tried again */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface FileRecorderOptions {
  readonly path: string;
  /** The file exists and is continued. */
  readonly resume: boolean;
  readonly lockFolder: string;
  readonly epochMs: () => number;
  /** The line a new file begins with, made when the file is. */
  readonly firstItem: (() => Promise<RolloutItem>) | undefined;
}

export class FileRecorder implements RolloutRecorder {
  readonly path: string;
  #materialized: boolean;
  /** Encoded lines that are not in the file yet. */
  #waiting: string[] = [];
  #handle: FileHandle | undefined;
  #lock: WriterLock | undefined;
  #writing: Promise<void> = Promise.resolve();
  #scheduled = false;
  #endsWithinLine = false;
  #begun = false;

  constructor(private readonly options: FileRecorderOptions) {
    this.path = options.path;
    this.#materialized = options.resume;
  }

  get isMaterialized(): boolean {
    return this.#materialized;
  }

  async claim(): Promise<void> {
    try {
      this.#lock ??= await acquireWriterLock(this.options.lockFolder, this.path);
    } catch (error) {
      // This process may be just closing the thread: its next write tries again.
      if (!(error instanceof SessionInUseError && error.pid === process.pid)) throw error;
    }
  }

  append(item: RolloutItem): void {
    this.#waiting.push(this.#encode(item));
    if (this.#materialized) this.#schedule();
  }

  #encode(item: RolloutItem): string {
    const timestamp = new Date(this.options.epochMs()).toISOString();
    return `${JSON.stringify({ timestamp, type: item.type, payload: item.payload })}\n`;
  }

  materialize(): void {
    if (this.#materialized) return;
    this.#materialized = true;
    this.#schedule();
  }

  /** Lines of one moment are written together. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      // A failure is kept for whoever flushes; the lines are still waiting.
      this.flush().catch(() => {});
    });
  }

  flush(): Promise<void> {
    if (!this.#materialized) return Promise.resolve();
    const write = this.#writing.then(() => this.#writeWaiting());
    this.#writing = write.catch(() => {});
    return write;
  }

  async #writeWaiting(): Promise<void> {
    if (this.#waiting.length === 0) return;
    if (!this.#begun) {
      if (this.options.firstItem) this.#waiting.unshift(this.#encode(await this.options.firstItem()));
      this.#begun = true;
    }
    try {
      await this.#writeOnce();
    } catch {
      await this.#writeOnce();
    }
  }

  async #writeOnce(): Promise<void> {
    const handle = await this.#open();
    const lead = this.#endsWithinLine ? "\n" : "";
    const bytes = Buffer.from(lead + this.#waiting.join(""));
    let written = 0;
    try {
      while (written < bytes.length) {
        const { bytesWritten } = await handle.write(bytes, written);
        if (bytesWritten === 0) throw new Error(`nothing could be written to ${this.path}`);
        written += bytesWritten;
      }
      this.#endsWithinLine = false;
    } catch (error) {
      await this.#reopen();
      throw error;
    } finally {
      // After a failure the lines that are whole in the file must not be written a second time.
      this.#forgetWritten(written - lead.length);
    }
  }

  #forgetWritten(bytes: number): void {
    let whole = 0;
    for (let left = bytes; whole < this.#waiting.length; whole++) {
      left -= Buffer.byteLength(this.#waiting[whole] as string);
      // One whose newline alone is missing says all it has to; the next write begins with the newline.
      if (left < -1) break;
    }
    this.#waiting = this.#waiting.slice(whole);
  }

  async #open(): Promise<FileHandle> {
    if (this.#handle) return this.#handle;
    this.#lock ??= await acquireWriterLock(this.options.lockFolder, this.path);
    await mkdir(path.dirname(this.path), { recursive: true });
    // Reading is needed to see how the file ends.
    const handle = await open(this.path, "a+");
    this.#endsWithinLine = await endsWithinLine(handle);
    this.#handle = handle;
    return handle;
  }

  /** The next write opens the file anew, and looks how it ends. */
  async #reopen(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close().catch(() => {});
  }

  async close(): Promise<void> {
    try {
      await this.flush();
    } finally {
      await this.#reopen();
      await this.#lock?.release();
      this.#lock = undefined;
    }
  }
}

/** A writer that was killed may have left half a line; what follows starts on a line of its own. */
async function endsWithinLine(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat();
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  await handle.read(last, 0, 1, size - 1);
  return last[0] !== 0x0a;
}
