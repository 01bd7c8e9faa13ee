/**
 * One normal form for JSON Schema as two generators write it: what kinds of values a schema takes, with enums,
 * members, and which of them are required. Descriptions, titles, defaults and formats are not part of it.
 */
import type { Schema, SchemaSource } from "../json-schema/schema-source.js";

export interface Member {
  readonly schema: Schema;
  readonly required: boolean;
}

export interface ObjectShape {
  readonly members: ReadonlyMap<string, Member>;
  /** What a member of another name may be; false where there may be none. */
  readonly others: Schema;
}

export interface Shape {
  /** Takes every value. */
  readonly any: boolean;
  readonly null: boolean;
  readonly boolean: boolean;
  readonly string: "any" | ReadonlySet<string> | undefined;
  readonly number: string | undefined;
  readonly arrays: readonly { readonly items: Schema; readonly bounds: string }[];
  readonly objects: readonly ObjectShape[];
}

const empty: Shape = {
  any: false,
  null: false,
  boolean: false,
  string: undefined,
  number: undefined,
  arrays: [],
  objects: [],
};

/** Words that say something about a value; a schema with none of them takes everything. */
const constraints = [
  "type",
  "enum",
  "const",
  "anyOf",
  "oneOf",
  "allOf",
  "properties",
  "required",
  "additionalProperties",
  "patternProperties",
  "items",
] as const;

function strings(a: Shape["string"], b: Shape["string"]): Shape["string"] {
  if (a === "any" || b === "any") return "any";
  if (a === undefined || b === undefined) return a ?? b;
  return new Set([...a, ...b]);
}

function union(a: Shape, b: Shape): Shape {
  const numbers = [...new Set([a.number, b.number].filter((kind) => kind !== undefined))].sort();
  return {
    any: a.any || b.any,
    null: a.null || b.null,
    boolean: a.boolean || b.boolean,
    string: strings(a.string, b.string),
    number: numbers.length > 0 ? numbers.join(" or ") : undefined,
    arrays: [...a.arrays, ...b.arrays],
    objects: [...a.objects, ...b.objects],
  };
}

/** A value that is both: written for objects that share their members out over several schemas. */
function both(a: Shape, b: Shape): Shape {
  if (a.any) return b;
  if (b.any) return a;
  const objects = a.objects.flatMap((left) =>
    b.objects.map((right) => ({
      members: new Map([...left.members, ...right.members]),
      others: left.others === true ? right.others : left.others,
    })),
  );
  return { ...a, null: a.null && b.null, objects };
}

function objectOf(schema: Exclude<Schema, boolean>): ObjectShape {
  const required = new Set((schema.required as string[] | undefined) ?? []);
  const properties = Object.entries((schema.properties as Record<string, Schema> | undefined) ?? {});
  const patterns = Object.values((schema.patternProperties as Record<string, Schema> | undefined) ?? {});
  return {
    members: new Map(properties.map(([name, inner]) => [name, { schema: inner, required: required.has(name) }])),
    others: patterns[0] ?? (schema.additionalProperties as Schema | undefined) ?? true,
  };
}

function plain(schema: Exclude<Schema, boolean>, type: string): Shape {
  const values = schema.const === undefined ? (schema.enum as unknown[] | undefined) : [schema.const];
  switch (type) {
    case "null":
      return { ...empty, null: true };
    case "boolean":
      return { ...empty, boolean: true };
    case "string": {
      const known = values?.filter((value) => typeof value === "string");
      return { ...empty, string: known ? new Set(known) : "any" };
    }
    case "integer":
    case "number": {
      const bounds = ["minimum", "maximum"].filter((word) => schema[word] !== undefined);
      return { ...empty, number: [type, ...bounds.map((word) => `${word} ${schema[word]}`)].join(", ") };
    }
    case "array": {
      const bounds = ["minItems", "maxItems", "uniqueItems"].filter((word) => schema[word] !== undefined);
      const items = (schema.items as Schema | undefined) ?? true;
      return { ...empty, arrays: [{ items, bounds: bounds.map((word) => `${word} ${schema[word]}`).join(", ") }] };
    }
    default:
      return { ...empty, objects: [objectOf(schema)] };
  }
}

function typesOf(schema: Exclude<Schema, boolean>): string[] {
  if (schema.type !== undefined) return [schema.type as string | string[]].flat();
  const values = schema.const === undefined ? ((schema.enum as unknown[] | undefined) ?? []) : [schema.const];
  if (values.length > 0) return [...new Set(values.map((value) => (value === null ? "null" : typeof value)))];
  return schema.properties || schema.required || schema.additionalProperties || schema.patternProperties
    ? ["object"]
    : schema.items
      ? ["array"]
      : [];
}

export function shapeOf(schema: Schema, source: SchemaSource): Shape {
  if (schema === true) return { ...empty, any: true };
  if (schema === false) return empty;
  if (typeof schema.$ref === "string") return shapeOf(source.resolve(schema.$ref).schema, source);
  if (!constraints.some((word) => schema[word] !== undefined)) return { ...empty, any: true };
  const own = typesOf(schema).map((type) => plain(schema, type));
  let shape: Shape = own.length > 0 ? own.reduce(union) : { ...empty, any: true };
  for (const word of ["anyOf", "oneOf"] as const) {
    const alternatives = schema[word] as Schema[] | undefined;
    if (alternatives) shape = both(shape, alternatives.map((inner) => shapeOf(inner, source)).reduce(union, empty));
  }
  for (const inner of (schema.allOf as Schema[] | undefined) ?? []) shape = both(shape, shapeOf(inner, source));
  return shape;
}
