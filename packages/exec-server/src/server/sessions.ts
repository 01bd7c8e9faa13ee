/**
 * Sessions: what survives a lost connection. A session holds its processes; a connection may hold the session.
 * Owns attachment, the 30 s of detached life and what happens at their end.
 */
import { randomUUID } from "node:crypto";
import type { HostProcessEvent } from "@turnkit/protocol/exec";
import { ProcessRegistry } from "./process-registry.js";
import { ShellSnapshots } from "./shell-snapshot.js";

/** How long a session without a connection lives, in milliseconds. */
export const DETACHED_MS = 30_000;

/** Hears the events of a session's processes while it is attached. */
export interface SessionHolder {
  processEvent(processId: string, event: HostProcessEvent): void;
}

export class SessionAttachedError extends Error {
  override readonly name = "SessionAttachedError";
}

export class UnknownSessionError extends Error {
  override readonly name = "UnknownSessionError";
}

export class Session {
  readonly id = randomUUID();
  readonly processes: ProcessRegistry;
  readonly snapshots = new ShellSnapshots();
  holder: SessionHolder | undefined;
  expiry: NodeJS.Timeout | undefined;

  constructor() {
    this.processes = new ProcessRegistry((processId, event) => this.holder?.processEvent(processId, event));
  }
}

export class Sessions {
  readonly #sessions = new Map<string, Session>();
  readonly #ending = new Set<Promise<void>>();
  readonly #detachedMs: number;

  constructor(detachedMs: number) {
    this.#detachedMs = detachedMs;
  }

  get size(): number {
    return this.#sessions.size;
  }

  create(holder: SessionHolder): Session {
    const session = new Session();
    session.holder = holder;
    this.#sessions.set(session.id, session);
    return session;
  }

  /** @throws {SessionAttachedError} @throws {UnknownSessionError} */
  resume(id: string, holder: SessionHolder): Session {
    const session = this.#sessions.get(id);
    if (!session) throw new UnknownSessionError(`unknown session id ${id}`);
    if (session.holder) throw new SessionAttachedError(`session ${id} is already attached to another connection`);
    clearTimeout(session.expiry);
    session.expiry = undefined;
    session.holder = holder;
    return session;
  }

  /** The connection is gone: processes go on, unthrottled, until the session is resumed or expires. */
  detach(session: Session): void {
    session.holder = undefined;
    session.processes.resume();
    if (!this.#sessions.has(session.id)) return;
    session.expiry = setTimeout(() => this.#end(session), this.#detachedMs);
  }

  /** Ends every session; resolves when every process is closed. */
  async close(): Promise<void> {
    for (const session of [...this.#sessions.values()]) this.#end(session);
    await Promise.all(this.#ending);
  }

  #end(session: Session): void {
    clearTimeout(session.expiry);
    this.#sessions.delete(session.id);
    session.snapshots.dispose();
    const ended = session.processes.close().finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }
}
