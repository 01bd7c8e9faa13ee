/**
 * The server: sessions and connections over any transport. Owns their end; does not listen itself.
 */
import type { Transport } from "@turnkit/rpc";
import { Connection } from "./connection.js";
import { DETACHED_MS, Sessions } from "./sessions.js";
import type { ServerSettings } from "./settings.js";

/** 1001: the server is going away. */
const GOING_AWAY = 1001;

export interface ExecServerLimits {
  /** Life of a session without a connection, in milliseconds. */
  readonly detachedMs?: number;
}

export class ExecServer implements AsyncDisposable {
  readonly #settings: ServerSettings;
  readonly #sessions: Sessions;
  readonly #connections = new Set<Connection>();

  constructor(settings: ServerSettings, limits: ExecServerLimits = {}) {
    this.#settings = settings;
    this.#sessions = new Sessions(limits.detachedMs ?? DETACHED_MS);
  }

  /** Sessions that exist, attached or not. */
  get sessionCount(): number {
    return this.#sessions.size;
  }

  /** Serves a client; `onClose` is called when it is gone. */
  accept(transport: Transport, messageName: string, onClose: () => void = () => {}): void {
    const connection: Connection = new Connection(transport, {
      sessions: this.#sessions,
      settings: this.#settings,
      messageName,
      onClose: () => {
        this.#connections.delete(connection);
        onClose();
      },
    });
    this.#connections.add(connection);
  }

  /** Ends every process group and closes every connection with a reason. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sessions.close();
    await Promise.all([...this.#connections].map((each) => each.close(GOING_AWAY, "exec-server is shutting down")));
  }
}
