/** Schemas of rollout files. */
export * from "./rollout-line.js";
export * from "./session-meta.js";
export * from "./turn-context.js";
