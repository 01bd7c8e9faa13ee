/**
 * The processes of one session by id, from start to 30 s after their close.
 * Owns the ids, the write ids and retention; speaks no JSON.
 */
import type { HostProcessEvent } from "@turnkit/protocol/exec";
import { ManagedProcess, type ManagedSpec } from "../process/managed-process.js";
import { WriteIds } from "./write-ids.js";

/** How long a closed process can still be read, in milliseconds. */
export const RETENTION_MS = 30_000;

/** Processes that close within this time of each other are forgotten together. */
const FORGET_TOGETHER_MS = 100;

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
  /** Closed processes and when they may go, oldest first: one timer serves them all. */
  readonly #leaving: { processId: string; entry: ProcessEntry | undefined; at: number }[] = [];
  #leave: NodeJS.Timeout | undefined;
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
    clearTimeout(this.#leave);
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
    if (this.#closed) return;
    this.#leaving.push({ processId, entry: this.#entries.get(processId), at: performance.now() + RETENTION_MS });
    this.#leave ??= this.#forgetIn(RETENTION_MS);
  }

  #forgetIn(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.#forgetDue(), milliseconds).unref();
  }

  #forgetDue(): void {
    const now = performance.now();
    let due = 0;
    for (const { processId, entry, at } of this.#leaving) {
      if (at > now) break;
      due++;
      if (this.#entries.get(processId) === entry) this.#entries.delete(processId);
    }
    this.#leaving.splice(0, due);
    const [next] = this.#leaving;
    this.#leave = next && this.#forgetIn(Math.max(next.at - now, FORGET_TOGETHER_MS));
  }
}
