/** What a handler is. */
import type { AppClientRequest, AppParams, AppResult } from "@turnkit/protocol/app";
import type { Connection } from "../connection/connection.js";
import type { ThreadHost } from "../ports.js";
import type { ServerRequests } from "../server-requests.js";
import type { LoadedThread } from "../threads/loaded-thread.js";
import type { ThreadManager } from "../threads/thread-manager.js";

/** What all connections share, as handlers use it. */
export interface ServerContext {
  readonly threads: ThreadManager;
  readonly connections: ReadonlySet<Connection>;
  readonly requests: ServerRequests;
  readonly log: (line: string) => void;
  /** Core, tools and processes; loaded when first needed. */
  host(): Promise<ThreadHost>;
  notify(connections: Iterable<Connection>, method: string, params: unknown): void;
  /** Runs after the reply that is being made has left. */
  afterReply(thread: LoadedThread, task: () => void): void;
  /** To be called when somebody has stopped following the thread. */
  watchFollowers(thread: LoadedThread): void;
}

export interface HandlerContext {
  readonly server: ServerContext;
  readonly connection: Connection;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** A reply that comes later than the handler's own work: later requests of the thread need not wait for it. */
export class Later<Result> {
  readonly result: Promise<Result>;

  constructor(result: Promise<Result>) {
    this.result = result;
  }
}

export type Handler<Method extends AppClientRequest> = (
  params: AppParams<Method>,
  context: HandlerContext,
) => AppResult<Method> | Promise<AppResult<Method>> | Later<AppResult<Method>> | Promise<Later<AppResult<Method>>>;

export type Handlers = { readonly [Method in AppClientRequest]?: Handler<Method> };
