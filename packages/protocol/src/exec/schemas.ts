/** Every schema of the exec-server's protocol. */
export * from "./environment.js";
export * from "./filesystem.js";
export * from "./http.js";
export * from "./process.js";
export * from "./sandbox.js";
export * from "./session.js";
