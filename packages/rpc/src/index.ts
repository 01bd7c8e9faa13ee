export * from "./errors.js";
export * from "./message.js";
export * from "./peer.js";
export { type CloseInfo, LOW_WATER_BYTES, type Transport } from "./transport.js";
export { createInMemoryPair } from "./transports/in-memory.js";
