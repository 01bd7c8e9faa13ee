/**
 * The server without a transport: connections come in, requests are routed to their handlers, events go out.
 * Owns what all connections share: the loaded threads, the open questions and the order of work.
 */

import { release as osRelease, type as osType } from "node:os";
import { RpcErrorCode } from "@turnkit/protocol";
import type { InitializeParams, InitializeResponse } from "@turnkit/protocol/app";
import { formatNotification, RpcError, type Transport } from "@turnkit/rpc";
import { type ClientRequest, Connection, type ConnectionLimits } from "./connection/connection.js";
import { loadMethodTable } from "./connection/method-table.js";
import { type HandlerContext, Later, type ServerContext } from "./handlers/handler.js";
import { loadHandler } from "./handlers/routes.js";
import type { ThreadHost } from "./ports.js";
import { Scopes } from "./scopes.js";
import { ServerRequests } from "./server-requests.js";
import type { LoadedThread } from "./threads/loaded-thread.js";
import { ThreadManager } from "./threads/thread-manager.js";
import { UnfollowedThreads } from "./threads/unfollowed.js";

/** The version of the protocol that clients are told, as the reference spells its own. */
const protocolVersion = "0.150.0";

export interface AppServerOptions {
  /** Native absolute path of the folder for configuration and sessions. */
  readonly home: string;
  /** Called once, when the first request needs it. */
  readonly host: () => Promise<ThreadHost>;
  /** One line for the operator. Default: nothing. */
  readonly log?: (line: string) => void;
  readonly nowMs?: () => number;
  /** Unsent bytes after which a socket client counts as stuck and is disconnected. Default: 64 MiB. */
  readonly unsentBytes?: number;
  /** The same for a client that is waited for. Default: 256 MiB. */
  readonly patientUnsentBytes?: number;
  /** How long a thread without followers stays loaded. Default: 30 minutes. */
  readonly unfollowedMs?: number;
}

/** How much one client may have in flight. `patient`: one that does not read is waited for while there is memory. */
export interface AcceptOptions {
  readonly patient: boolean;
}

const requestsInFlight = 128;
const defaultUnfollowedMs = 30 * 60_000;
/** About 32,768 messages of ordinary size. */
const defaultUnsentBytes = 64 * 1024 * 1024;
const defaultPatientUnsentBytes = 256 * 1024 * 1024;

export class AppServer implements ServerContext, AsyncDisposable {
  readonly home: string;
  readonly requests = new ServerRequests();
  readonly threads: ThreadManager;
  readonly connections = new Set<Connection>();
  readonly log: (line: string) => void;
  readonly startedAtMs: number;
  readonly #unsentBytes: number;
  readonly #patientUnsentBytes: number;
  readonly #makeHost: () => Promise<ThreadHost>;
  readonly #scopes = new Scopes();
  readonly #idle: (() => void)[] = [];
  readonly #drained: (() => void)[] = [];
  readonly #announcing = new Set<Promise<void>>();
  readonly #unfollowed: UnfollowedThreads;
  #host: Promise<ThreadHost> | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: AppServerOptions) {
    this.home = options.home;
    this.log = options.log ?? (() => {});
    this.#unsentBytes = options.unsentBytes ?? defaultUnsentBytes;
    this.#patientUnsentBytes = options.patientUnsentBytes ?? defaultPatientUnsentBytes;
    this.#makeHost = options.host;
    const nowMs = options.nowMs ?? Date.now;
    this.startedAtMs = nowMs();
    this.threads = new ThreadManager({
      requests: this.requests,
      notify: (connections, method, params) => this.notify(connections, method, params),
      broadcast: (method, params) => {
        this.notify(this.connections, method, params);
        this.#wakeWhenDrained();
      },
      nowMs,
    });
    this.#unfollowed = new UnfollowedThreads({
      afterMs: options.unfollowedMs ?? defaultUnfollowedMs,
      unload: (thread) => {
        if (this.#closing) return;
        this.threads.unload(thread).catch((error: unknown) => this.log(`thread was not unloaded: ${String(error)}`));
      },
    });
  }

  /** Core, tools and processes; loaded when first needed. A failure is not remembered. */
  host(): Promise<ThreadHost> {
    this.#host ??= this.#makeHost().catch((error: unknown) => {
      this.#host = undefined;
      throw error;
    });
    return this.#host;
  }

  accept(transport: Transport, { patient }: AcceptOptions): Connection {
    const unsentBytes = patient ? this.#patientUnsentBytes : this.#unsentBytes;
    const limits: ConnectionLimits = { requestsInFlight, unsentBytes };
    const connection = new Connection(transport, {
      route: (request) => this.#route(request),
      initialize: (params, client) => this.#initialize(params, client),
      onClose: (client) => this.#closed(client),
      log: this.log,
      limits,
    });
    if (!connection.closed) this.connections.add(connection);
    return connection;
  }

  /** One text for all of them. */
  notify(connections: Iterable<Connection>, method: string, params: unknown): void {
    let text: string | undefined;
    for (const connection of connections) {
      text ??= formatNotification(method, params, { emittedAtMs: Date.now() });
      connection.send(method, text);
    }
  }

  /** Resolves when the last connection has closed. */
  disconnected(): Promise<void> {
    if (this.connections.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  get runningTurns(): number {
    return this.threads.all().filter((thread) => thread.activeTurnId !== null).length;
  }

  /** Resolves when no turn runs. */
  turnsEnded(): Promise<void> {
    if (this.runningTurns === 0) return Promise.resolve();
    return new Promise((resolve) => this.#drained.push(resolve));
  }

  #wakeWhenDrained(): void {
    if (this.#drained.length === 0 || this.runningTurns > 0) return;
    for (const resolve of this.#drained.splice(0)) resolve();
  }

  /** Ends turns and processes, writes what is left, closes connections. */
  close(): Promise<void> {
    this.#closing ??= (async () => {
      this.#unfollowed.close();
      await Promise.all([this.threads.close(), ...this.#announcing]);
      await Promise.all([...this.connections].map((connection) => connection.close(1001, "server is shutting down")));
      await (await this.#host?.catch(() => undefined))?.[Symbol.asyncDispose]();
    })();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #initialize({ clientInfo }: InitializeParams, connection: Connection): Promise<InitializeResponse> {
    // The validators and handlers are likely to be needed next; the reply does not wait for them.
    setImmediate(() => void loadMethodTable());
    setImmediate(() => {
      if (this.#closing) return;
      const announced = this.#announce(connection).finally(() => this.#announcing.delete(announced));
      this.#announcing.add(announced);
    });
    return {
      userAgent: `${clientInfo.name}/${protocolVersion} (${osType()} ${osRelease()}; ${machine()}) unknown (${clientInfo.name}; ${clientInfo.version})`,
      codexHome: this.home,
      platformFamily: "unix",
      platformOs: process.platform === "darwin" ? "macos" : process.platform,
    };
  }

  /** Writes a file when this installation is new, so closing waits for it. */
  async #announce(connection: Connection): Promise<void> {
    try {
      const { remoteControlStatus } = await import("./handlers/installation.js");
      connection.notify("remoteControl/status/changed", await remoteControlStatus(this.home));
    } catch (error) {
      this.log(String(error));
    }
  }

  async #route({ method, params, connection, signal }: ClientRequest): Promise<unknown> {
    if (this.#closing) throw new RpcError(RpcErrorCode.internalError, "server is shutting down");
    const context: HandlerContext = { server: this, connection, signal };
    const outcome = await this.#scopes.run(scopeOf(params), async () => {
      const handler = await loadHandler(method);
      return handler(params as never, context);
    });
    return outcome instanceof Later ? outcome.result : outcome;
  }

  #closed(connection: Connection): void {
    this.connections.delete(connection);
    for (const thread of this.threads.all()) {
      if (thread.subscribers.delete(connection)) this.watchFollowers(thread);
    }
    if (this.connections.size > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** A thread that nobody follows and that does nothing stays for a while, then its memory is given back. */
  watchFollowers(thread: LoadedThread): void {
    this.#unfollowed.watch(thread);
  }

  /** Runs after the reply that is being made has left. */
  afterReply(thread: LoadedThread, task: () => void): void {
    const release = thread.queue.hold();
    thread.queue.push(task);
    release();
  }
}

/** Requests about one thread run in order. */
function scopeOf(params: unknown): string | null {
  if (typeof params !== "object" || params === null) return null;
  const { threadId, path } = params as { threadId?: unknown; path?: unknown };
  // With a path the id does not say which thread is meant.
  if (typeof threadId !== "string") return null;
  return typeof path === "string" ? path : threadId;
}

function machine(): string {
  return process.arch === "x64" ? "x86_64" : process.arch;
}
