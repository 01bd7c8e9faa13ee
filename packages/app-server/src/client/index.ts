/** A typed client of an app-server, ours or any other that speaks the protocol. */
export { AppClient, type AppClientOptions, type ServerRequestHandlers } from "./app-client.js";
export type { AppNotification, AppTransport } from "./types.js";
