/** The server side: everything that may reach node-pty. */
export { ExecServer, type ExecServerLimits } from "./exec-server.js";
export { type Listener, listen } from "./listen.js";
export { type ExecServerIo, runExecServer } from "./main.js";
export type { Listen } from "./options.js";
export type { ServerSettings } from "./settings.js";
