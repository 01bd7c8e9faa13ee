/**
 * All named schemas by name, and JSON Schema made from them. Owns no shape.
 * Names are unique over the whole package; a second schema of the same name is an error at load time.
 */
import * as agent from "./agent/index.js";
import * as schemas from "./all-schemas.js";
import * as app from "./app/schemas.js";
import * as exec from "./exec/schemas.js";
import * as rollout from "./rollout/schemas.js";
import * as rpc from "./rpc/index.js";

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
  const { $ref } = schema as { readonly $ref?: unknown };
  if (typeof $ref === "string") {
    used.add($ref);
    return { $ref: prefix + $ref };
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

const families = { rpc, agent, app, exec, rollout };
export type SchemaFamily = keyof typeof families;

/** The family of each name: the one that exports it, else the first that uses it. */
export function schemaFamilies(): Map<string, SchemaFamily> {
  const found = new Map<string, SchemaFamily>();
  const entries = Object.entries(families) as [SchemaFamily, Record<string, unknown>][];
  for (const [family, members] of entries) {
    for (const name of Object.keys(members)) if (all().has(name) && !found.has(name)) found.set(name, family);
  }
  for (const name of all().keys()) {
    const family = found.get(name);
    if (family) for (const inner of definition(name).references) if (!found.has(inner)) found.set(inner, family);
  }
  return found;
}

/** One JSON Schema document for each family; references to another family name its file. */
export function schemaBundles(): Record<SchemaFamily, { $schema: string; title: string; definitions: JsonSchema }> {
  const owner = schemaFamilies();
  const bundle = (family: SchemaFamily) => {
    const definitions: Record<string, JsonSchema> = {};
    for (const [name, its] of [...owner].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (its !== family) continue;
      definitions[name] = relocated(definition(name).schema, (ref) => {
        const file = owner.get(ref) === family ? "" : `${owner.get(ref)}.json`;
        return `${file}#/definitions/${ref}`;
      }) as JsonSchema;
    }
    return { $schema: "http://json-schema.org/draft-07/schema#", title: `Turnkit ${family}`, definitions };
  };
  return Object.fromEntries(
    (Object.keys(families) as SchemaFamily[]).map((family) => [family, bundle(family)]),
  ) as ReturnType<typeof schemaBundles>;
}

function relocated(schema: unknown, place: (name: string) => string): unknown {
  if (Array.isArray(schema)) return schema.map((inner) => relocated(inner, place));
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, inner]) => [
      key,
      key === "$ref" && typeof inner === "string" ? place(inner) : relocated(inner, place),
    ]),
  );
}
