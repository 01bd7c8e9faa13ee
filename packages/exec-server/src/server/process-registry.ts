/**
 * The processes of one session by id, from start to 30 s after their close.
 * Owns the ids, the write ids and retention; speaks no JSON.
 */
import type { HostProcessEvent } from "@turnkit/protocol/exec";
import { ManagedProcess, type ManagedSpec } from "../process/managed-process.js";
import { WriteIds } from "./write-ids.js";

/** How long a closed process can still be read, in milliseconds. */
export const RETENTION_MS = 30_000;

export interface StartingEntry {
  readonly state: "starting";
  cancelled: boolean;
}

export interface StartedEntry {
  readonly state: "started";
  readonly managed: ManagedProcess;
  readonly writeIds: WriteIds;
}

export type ProcessEntry = StartingEntry | StartedEntry;

export type ProcessEventListener = (processId: string, event: HostProcessEvent) => void;

/** Why a start was refused, apart from the operating system. */
export class StartRefusedError extends Error {
  override readonly name = "StartRefusedError";
}

export class ProcessRegistry {
  readonly #entries = new Map<string, ProcessEntry>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #onEvent: ProcessEventListener;
  #paused = false;
  #closed = false;

  constructor(onEvent: ProcessEventListener) {
    this.#onEvent = onEvent;
  }

  get(processId: string): ProcessEntry | undefined {
    return this.#entries.get(processId);
  }

  /**
   * `prepare` builds the spec while the id is already taken.
   * @throws {StartRefusedError} the id is taken, or the start was cancelled  @throws {SpawnError}
   */
  async start(processId: string, prepare: () => ManagedSpec | Promise<ManagedSpec>): Promise<ManagedProcess> {
    if (this.#entries.has(processId)) throw new StartRefusedError(`process ${processId} already exists`);
    const starting: StartingEntry = { state: "starting", cancelled: false };
    this.#entries.set(processId, starting);
    try {
      const spec = await prepare();
      if (starting.cancelled) throw new StartRefusedError(`process ${processId} start was cancelled`);
      // Events may come before the start has returned: they are told at once.
      const managed = await ManagedProcess.start(spec, (event) => this.#tell(processId, event));
      if (starting.cancelled || this.#closed) {
        managed.terminate();
        throw new StartRefusedError(`process ${processId} start was cancelled`);
      }
      this.#entries.set(processId, { state: "started", managed, writeIds: new WriteIds() });
      if (this.#paused) managed.pause();
      if (managed.log.closed) this.#forgetLater(processId);
      return managed;
    } catch (error) {
      if (this.#entries.get(processId) === starting) this.#entries.delete(processId);
      throw error;
    }
  }

  /** true: it had not exited, or had not even started. */
  terminate(processId: string): boolean {
    const entry = this.#entries.get(processId);
    if (!entry) return false;
    if (entry.state === "started") return entry.managed.terminate();
    entry.cancelled = true;
    return true;
  }

  /** Stops reading from every process, for a client that does not keep up. */
  pause(): void {
    this.#paused = true;
    for (const entry of this.#entries.values()) if (entry.state === "started") entry.managed.pause();
  }

  resume(): void {
    this.#paused = false;
    for (const entry of this.#entries.values()) if (entry.state === "started") entry.managed.resume();
  }

  /** Ends everything; resolves when every process is closed. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    await Promise.all(
      entries.map((entry) => {
        if (entry.state === "starting") {
          entry.cancelled = true;
          return undefined;
        }
        entry.managed.terminate();
        return entry.managed.whenClosed();
      }),
    );
  }

  #tell(processId: string, event: HostProcessEvent): void {
    if (event.type === "closed" && this.#entries.get(processId)?.state === "started") this.#forgetLater(processId);
    if (!this.#closed) this.#onEvent(processId, event);
  }

  #forgetLater(processId: string): void {
    const entry = this.#entries.get(processId);
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (this.#entries.get(processId) === entry) this.#entries.delete(processId);
    }, RETENTION_MS);
    timer.unref();
    this.#timers.add(timer);
  }
}
