/** The newest accepted write ids of one process. Owns the bound and the order of forgetting: first in, first out. */

export const REMEMBERED_WRITE_IDS = 4096;

export class WriteIds {
  readonly #ids = new Set<string>();

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** A known id keeps its place. */
  remember(id: string): void {
    this.#ids.add(id);
    if (this.#ids.size <= REMEMBERED_WRITE_IDS) return;
    for (const oldest of this.#ids) {
      this.#ids.delete(oldest);
      return;
    }
  }
}
