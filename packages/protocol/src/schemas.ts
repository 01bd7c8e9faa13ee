/**
 * Every schema, and JSON Schema made from them. Loading it loads typebox; programs that only validate want
 * `@turnkit/protocol/validate`.
 */
export * from "./all-schemas.js";
export { type JsonSchema, jsonSchema, schemaNames } from "./registry.js";
