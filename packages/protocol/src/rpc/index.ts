/** Schemas of the envelope. */
export * from "./message.js";
export * from "./no-params.js";
export * from "./request-id.js";
