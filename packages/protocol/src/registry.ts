/**
 * All named schemas by name, and JSON Schema made from them. Owns no shape.
 * Names are unique over the whole package; a second schema of the same name is an error at load time.
 */
import * as schemas from "./all-schemas.js";

export { PROTOCOL_VERSION } from "./version.js";

export type JsonSchema = Readonly<Record<string, unknown>>;

function isNamed(value: unknown): value is JsonSchema & { $id: string } {
  return typeof value === "object" && value !== null && typeof (value as { $id?: unknown }).$id === "string";
}

function collect(): Map<string, JsonSchema> {
  const found = new Map<string, JsonSchema>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    if (isNamed(value)) {
      if (found.has(value.$id)) return;
      found.set(value.$id, value);
    }
    for (const inner of Object.values(value)) visit(inner);
  };
  for (const schema of Object.values(schemas)) visit(schema);
  for (const [name, schema] of Object.entries(schemas)) {
    if (isNamed(schema) && (schema as { $id: string }).$id !== name) {
      throw new Error(`schema ${name} is named ${(schema as { $id: string }).$id}`);
    }
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

let registry: Map<string, JsonSchema> | undefined;

function all(): Map<string, JsonSchema> {
  registry ??= collect();
  return registry;
}

/** The names of all schemas, sorted. */
export function schemaNames(): string[] {
  return [...all().keys()];
}

/** Copies a schema, with `$ref` in place of every named schema inside it. */
function withReferences(schema: unknown, prefix: string, root: boolean, used: Set<string>): unknown {
  if (Array.isArray(schema)) return schema.map((inner) => withReferences(inner, prefix, false, used));
  if (typeof schema !== "object" || schema === null) return schema;
  if (!root && isNamed(schema)) {
    used.add(schema.$id);
    return { $ref: prefix + schema.$id };
  }
  const copy: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(schema)) {
    if (key === "$id") continue;
    copy[key] = withReferences(inner, prefix, false, used);
  }
  return copy;
}

/** One definition with references to others by plain name. @throws {RangeError} no such schema */
export function definition(name: string, prefix = ""): { schema: JsonSchema; references: string[] } {
  const schema = all().get(name);
  if (schema === undefined) throw new RangeError(`there is no schema named ${name}`);
  const used = new Set<string>();
  return { schema: withReferences(schema, prefix, true, used) as JsonSchema, references: [...used].sort() };
}

/** A self-contained JSON Schema (draft-07) of one name. @throws {RangeError} no such schema */
export function jsonSchema(name: string): JsonSchema {
  const prefix = "#/definitions/";
  const { schema, references } = definition(name, prefix);
  const definitions = new Map<string, JsonSchema>();
  const queue = [...references];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    if (definitions.has(next)) continue;
    const inner = definition(next, prefix);
    definitions.set(next, inner.schema);
    queue.push(...inner.references);
  }
  const sorted = Object.fromEntries([...definitions].sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: name,
    ...schema,
    ...(definitions.size > 0 ? { definitions: sorted } : {}),
  };
}
