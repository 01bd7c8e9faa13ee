/**
 * The app-server: threads, subscriptions and server requests for clients of the UI protocol.
 * `runAppServer` is the command, `createInProcessAppServer` the same server without a process of its own.
 */
export { AppServer, type AppServerOptions } from "./app-server.js";
export { createInProcessAppServer, type InProcessAppServer, type InProcessOptions } from "./in-process.js";
export type {
  Environments,
  OpenedThread,
  ThreadHost,
  ThreadOptions,
  ThreadOrigin,
  ThreadQuery,
  ThreadRecord,
  ThreadStore,
} from "./ports.js";
export { homeFolder, type RunIo, runAppServer } from "./run-app-server.js";
