/** Every schema of every family. */
export * from "./agent/index.js";
export * from "./app/schemas.js";
export * from "./exec/schemas.js";
export * from "./rollout/schemas.js";
export * from "./rpc/index.js";
