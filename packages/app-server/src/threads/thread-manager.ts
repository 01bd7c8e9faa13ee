/**
 * The threads loaded in this process: opening, finding, unloading. One entry per thread id; a second opening of the
 * same id joins the first.
 */
import { RpcErrorCode } from "@turnkit/protocol";
import { RpcError } from "@turnkit/rpc";
import type { OpenedThread, ThreadHost, ThreadOptions, ThreadOrigin } from "../ports.js";
import { LoadedThread, type ThreadEnvironment } from "./loaded-thread.js";
import { uuidProblem } from "./thread-id.js";

export class ThreadManager {
  readonly #threads = new Map<string, LoadedThread>();
  readonly #ending = new Set<Promise<void>>();
  readonly #environment: ThreadEnvironment;

  constructor(environment: Omit<ThreadEnvironment, "closed">) {
    this.#environment = { ...environment, closed: (thread) => this.#forget(thread) };
  }

  get size(): number {
    return this.#threads.size;
  }

  ids(): string[] {
    return [...this.#threads.keys()];
  }

  all(): LoadedThread[] {
    return [...this.#threads.values()];
  }

  find(threadId: string): LoadedThread | undefined {
    return this.#threads.get(threadId);
  }

  /** @throws {RpcError} not an id, or not loaded */
  get(threadId: string): LoadedThread {
    requireUuid(threadId, "thread");
    const thread = this.#threads.get(threadId);
    if (!thread) throw new RpcError(RpcErrorCode.invalidRequest, `thread not found: ${threadId}`);
    return thread;
  }

  async open(host: ThreadHost, origin: ThreadOrigin, options: ThreadOptions): Promise<LoadedThread> {
    return this.adopt(await host.open(origin, options), options.ephemeral);
  }

  adopt(opened: OpenedThread, ephemeral: boolean): LoadedThread {
    const thread = new LoadedThread(opened, ephemeral, this.#environment);
    this.#threads.set(thread.id, thread);
    return thread;
  }

  /** Ends the session and forgets the thread; the status change is told before. */
  async unload(thread: LoadedThread): Promise<void> {
    if (this.#threads.get(thread.id) !== thread) return;
    this.#threads.delete(thread.id);
    await this.#end(thread);
    thread.changeStatus("unloaded");
  }

  /** Those that are being unloaded are waited for too: they still write. */

  async close(): Promise<void> {
    const threads = this.all();
    this.#threads.clear();
    await Promise.all([...this.#ending, ...threads.map((thread) => this.#end(thread))]);
  }

  async #end(thread: LoadedThread): Promise<void> {
    const ended = thread.shutdown();
    this.#ending.add(ended);
    await ended.finally(() => this.#ending.delete(ended));
  }

  #forget(thread: LoadedThread): void {
    if (this.#threads.get(thread.id) === thread) this.#threads.delete(thread.id);
  }
}

/** @throws {RpcError} the text is not a UUID */
export function requireUuid(id: string, what: "thread" | "session"): void {
  const problem = uuidProblem(id);
  if (problem !== null) throw new RpcError(RpcErrorCode.invalidRequest, `invalid ${what} id: ${problem}`);
}
