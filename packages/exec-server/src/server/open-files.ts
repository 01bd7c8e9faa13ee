/** Files a connection holds open for block-wise reading. They end with the connection. */
import type { FileHandle } from "node:fs/promises";

export const MAX_OPEN_FILES = 128;

export class OpenFiles {
  /** undefined: being opened. */
  readonly #files = new Map<string, FileHandle | undefined>();
  #closed = false;

  get size(): number {
    return this.#files.size;
  }

  has(id: string): boolean {
    return this.#files.has(id);
  }

  get(id: string): FileHandle | undefined {
    return this.#files.get(id);
  }

  /** Takes the id while `open` runs; gives it back when that fails. */
  async add(id: string, open: () => Promise<FileHandle>): Promise<void> {
    this.#files.set(id, undefined);
    try {
      const file = await open();
      if (this.#closed) await file.close();
      else this.#files.set(id, file);
    } catch (error) {
      this.#files.delete(id);
      throw error;
    }
  }

  async close(id: string): Promise<void> {
    const file = this.#files.get(id);
    this.#files.delete(id);
    await file?.close();
  }

  closeAll(): void {
    this.#closed = true;
    for (const file of this.#files.values()) void file?.close().catch(() => {});
    this.#files.clear();
  }
}
