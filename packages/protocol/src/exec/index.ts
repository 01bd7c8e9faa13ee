/** The exec-server's protocol, and the port behind which processes run. Loads no schema library. */
export * from "./methods.js";
export * from "./process-host.js";
export type * from "./schemas.js";
