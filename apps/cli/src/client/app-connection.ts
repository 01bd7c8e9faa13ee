/**
 * What the command needs of an app-server, whether it runs in this process or elsewhere: typed requests,
 * notifications in order, and questions of the server that must be answered. Types only.
 */
import type {
  AppClientRequest,
  AppParams,
  AppResult,
  AppServerNotification,
  AppServerRequest,
} from "@turnkit/protocol/app";

export type ServerNotification = {
  [M in AppServerNotification]: { readonly method: M; readonly params: AppParams<M> };
}[AppServerNotification];

export type ServerRequest = {
  [M in AppServerRequest]: { readonly id: string | number; readonly method: M; readonly params: AppParams<M> };
}[AppServerRequest];

export interface AppConnection extends AsyncDisposable {
  /** @throws {Error} the server refused or the connection is gone; `message` is fit for a person */
  request<M extends AppClientRequest>(method: M, params: AppParams<M>): Promise<AppResult<M>>;
  /** Notifications arrive in order and never before the listener was set. */
  onNotification(listener: (notification: ServerNotification) => void): void;
  /** The returned promise is the answer; a rejection is an error answer. */
  onRequest(listener: (request: ServerRequest) => Promise<unknown>): void;
  /** The connection ended without having been closed here. */
  onClose(listener: (reason: string) => void): void;
}
