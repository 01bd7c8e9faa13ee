/** The newest accepted write ids of one process. Owns the bound and the order of forgetting: first in, first out. */

export const REMEMBERED_WRITE_IDS = 4096;

export class WriteIds {
  /** Most processes are never written to. */
  #ids: Set<string> | undefined;

  has(id: string): boolean {
    return this.#ids?.has(id) === true;
  }

  /** A known id keeps its place. */
  remember(id: string): void {
    const ids = (this.#ids ??= new Set());
    ids.add(id);
    if (ids.size <= REMEMBERED_WRITE_IDS) return;
    for (const oldest of ids) {
      ids.delete(oldest);
      return;
    }
  }
}
