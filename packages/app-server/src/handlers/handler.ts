/** What a handler is. */
import type { AppClientRequest, AppParams, AppResult } from "@turnkit/protocol/app";
import type { AppServer } from "../app-server.js";
import type { Connection } from "../connection/connection.js";

export interface HandlerContext {
  readonly server: AppServer;
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
