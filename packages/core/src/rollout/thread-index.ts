/**
 * Remembers the summaries of session files between runs, by path, time and size. Whatever is not remembered, or has
 * changed, is read again; a lost or damaged index costs time and nothing else.
 */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import type { SummaryFacts } from "./thread-summary.js";

interface Entry {
  readonly modifiedMs: number;
  readonly size: number;
  readonly facts: SummaryFacts | null;
}

const VERSION = 1;

export class ThreadIndex {
  #entries: Promise<Map<string, Entry>> | undefined;
  #changed = false;

  constructor(private readonly file: string) {}

  #load(): Promise<Map<string, Entry>> {
    this.#entries ??= this.#read();
    return this.#entries;
  }

  async #read(): Promise<Map<string, Entry>> {
    const entries = new Map<string, Entry>();
    try {
      const stored = JSON.parse(await readFile(this.file, "utf8")) as { version?: unknown; entries?: unknown };
      if (stored.version === VERSION && typeof stored.entries === "object" && stored.entries !== null)
        for (const [name, entry] of Object.entries(stored.entries as Record<string, Entry>))
          if (isEntry(entry)) entries.set(name, entry);
    } catch {
      // There is none, or it is damaged: it is made anew.
    }
    return entries;
  }

  /** The facts of a file; `read` is asked when they are not known. */
  async facts(
    name: string,
    modifiedMs: number,
    size: number,
    read: () => Promise<SummaryFacts | undefined>,
  ): Promise<SummaryFacts | undefined> {
    const entries = await this.#load();
    const known = entries.get(name);
    if (known && known.modifiedMs === modifiedMs && known.size === size) return known.facts ?? undefined;
    // Files grow at their end; once the first words are there, the beginning says all that is asked for.
    if (known?.facts && known.facts.preview !== "" && size >= known.size) {
      entries.set(name, { modifiedMs, size, facts: known.facts });
      this.#changed = true;
      return known.facts;
    }
    const facts = await read();
    entries.set(name, { modifiedMs, size, facts: facts ?? null });
    this.#changed = true;
    return facts;
  }

  /** Forgets files that are gone, and writes what has changed. Failing to is harmless. */
  async save(present: ReadonlySet<string>): Promise<void> {
    const entries = await this.#load();
    for (const name of [...entries.keys()])
      if (!present.has(name)) {
        entries.delete(name);
        this.#changed = true;
      }
    if (!this.#changed) return;
    this.#changed = false;
    try {
      await mkdir(path.dirname(this.file), { recursive: true });
      const temporary = `${this.file}.${process.pid}`;
      await writeFile(temporary, JSON.stringify({ version: VERSION, entries: Object.fromEntries(entries) }));
      await rename(temporary, this.file);
    } catch {
      this.#changed = true;
    }
  }
}

function isEntry(entry: unknown): entry is Entry {
  const { modifiedMs, size, facts } = (entry ?? {}) as Partial<Entry>;
  return (
    typeof modifiedMs === "number" &&
    typeof size === "number" &&
    (facts === null || (typeof facts === "object" && typeof facts.id === "string"))
  );
}
