/**
 * The session's running commands by id: at most 64, the longest unused giving way. An ended process stays until
 * somebody has seen its end. Owns ids and membership; terminating is told to the processes.
 */
import { MAX_PROCESSES, MIN_PROCESS_ID, PROCESS_ID_BOUND, PROTECTED_PROCESSES } from "./limits.js";
import type { ManagedProcess } from "./managed-process.js";

export interface TerminalRow {
  readonly itemId: string;
  readonly processId: string;
  readonly command: string;
  readonly cwd: string;
}

export class ProcessTable {
  readonly #entries = new Map<number, ManagedProcess>();
  readonly #reserved = new Set<number>();

  constructor(private readonly random: () => number = Math.random) {}

  /** An unused id; it stays taken until it is released. */
  reserveId(): number {
    for (;;) {
      const id = MIN_PROCESS_ID + Math.floor(this.random() * (PROCESS_ID_BOUND - MIN_PROCESS_ID));
      if (this.#reserved.has(id)) continue;
      this.#reserved.add(id);
      return id;
    }
  }

  releaseId(id: number): void {
    this.#entries.delete(id);
    this.#reserved.delete(id);
  }

  find(id: number): ManagedProcess | undefined {
    return this.#entries.get(id);
  }

  /** Whether the very same process is still in the table. */
  holds(process: ManagedProcess): boolean {
    return this.#entries.get(process.origin.sessionId) === process;
  }

  /** Adds a process; returns the one that has to go, already removed. */
  store(process: ManagedProcess): ManagedProcess | undefined {
    const victim = this.#entries.size >= MAX_PROCESSES ? this.#chooseVictim() : undefined;
    if (victim) this.releaseId(victim.origin.sessionId);
    this.#reserved.add(process.origin.sessionId);
    this.#entries.set(process.origin.sessionId, process);
    return victim;
  }

  /** An ended process first, else a live one; never the most recent, never one somebody is talking to. */
  #chooseVictim(): ManagedProcess | undefined {
    const byAge = [...this.#entries.values()].sort((a, b) => a.lastUsed - b.lastUsed);
    const candidates = byAge.slice(0, Math.max(0, byAge.length - PROTECTED_PROCESSES));
    const ended = candidates.filter((process) => process.exited);
    const free = ended.find((process) => !process.interaction.isHeld);
    if (free) return free;
    // An ended process that is being talked to will leave by itself: no live one is sacrificed for it.
    if (ended.length > 0) return undefined;
    return candidates.find((process) => !process.interaction.isHeld);
  }

  /** Removes the process if it is the one in the table. */
  remove(process: ManagedProcess): boolean {
    if (!this.holds(process)) return false;
    this.releaseId(process.origin.sessionId);
    return true;
  }

  all(): readonly ManagedProcess[] {
    return [...this.#entries.values()];
  }

  /** The live ones, by id. */
  list(): readonly TerminalRow[] {
    return this.all()
      .filter((process) => !process.exited)
      .sort((a, b) => a.origin.sessionId - b.origin.sessionId)
      .map(({ origin }) => ({
        itemId: origin.callId,
        processId: String(origin.sessionId),
        command: origin.command,
        cwd: origin.cwd,
      }));
  }
}
