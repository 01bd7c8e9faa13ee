/** The app protocol, version 2: its method table and types. Schemas are under `@turnkit/protocol/schemas`. */

export * from "./convert/index.js";
export type * from "./method-types.js";
export { AppMethods, appRequestOrder } from "./methods.js";
export type * from "./schemas.js";
