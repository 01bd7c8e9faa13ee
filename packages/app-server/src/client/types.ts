import type { AppParams, AppServerNotification } from "@turnkit/protocol/app";
import type { Transport } from "@turnkit/rpc";

export type AppTransport = Transport;

/** A notification as it came; `method` tells the type of `params`. */
export type AppNotification = {
  [Method in AppServerNotification]: { readonly method: Method; readonly params: AppParams<Method> };
}[AppServerNotification];
