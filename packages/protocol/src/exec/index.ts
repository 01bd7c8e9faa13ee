/** The exec-server's protocol and the port behind which processes run. */
export * from "./process-host.js";
