/**
 * Invalid values made from a valid one: a value of a kind its schema does not take, a required member left out, an
 * unknown tag. Each names the place that an error about it must name. Made from the schema alone: no validator is asked.
 */
import { memberPath } from "../../src/validate/path.js";
import { type ObjectShape, type Shape, shapeOf } from "../reference-schema/shape.js";
import type { Schema, SchemaSource } from "./schema-source.js";

export interface Breakage {
  /** As in an issue: `input[0].text`; empty for the whole value. */
  readonly path: string;
  readonly what: "wrong kind" | "missing member";
  readonly value: unknown;
}

type Json = Record<string, unknown>;
type Rebuild = (inner: unknown) => unknown;

/** A value of none of the kinds that are taken; undefined where every kind is. */
function wrongKind(shape: Shape): unknown {
  if (shape.any) return undefined;
  if (!shape.boolean) return true;
  if (shape.string === undefined) return "a text";
  if (shape.number === undefined) return 5;
  if (shape.arrays.length === 0) return [];
  return shape.null ? undefined : null;
}

/** The form of an object that a valid value has; undefined where that cannot be said without validating. */
function formOf(shape: Shape, value: Json, source: SchemaSource): ObjectShape | undefined {
  if (shape.objects.length <= 1) return shape.objects[0];
  const fitting = shape.objects.filter((form) =>
    [...form.members].every(([name, { schema, required }]) => {
      const { string } = shapeOf(schema, source);
      return !required || (typeof string === "object" ? string.has(String(value[name])) : Object.hasOwn(value, name));
    }),
  );
  return fitting.length === 1 ? fitting[0] : undefined;
}

export function* breakages(valid: unknown, schema: Schema, source: SchemaSource): Generator<Breakage> {
  yield* at(valid, schema, source, "", (value) => value);
}

function* at(
  value: unknown,
  schema: Schema,
  source: SchemaSource,
  path: string,
  rebuild: Rebuild,
): Generator<Breakage> {
  const shape = shapeOf(schema, source);
  const wrong = wrongKind(shape);
  if (wrong !== undefined) yield { path, what: "wrong kind", value: rebuild(wrong) };
  if (shape.any || typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    const items = shape.arrays[0]?.items;
    if (items === undefined || value.length === 0) return;
    const last = value.length - 1;
    yield* at(value[last], items, source, memberPath(path, last), (inner) => rebuild([...value.slice(0, last), inner]));
    return;
  }
  const object = value as Json;
  const form = formOf(shape, object, source);
  if (form === undefined) return;
  for (const [name, member] of form.members) {
    if (!Object.hasOwn(object, name)) continue;
    const inside = memberPath(path, name);
    const { [name]: _, ...others } = object;
    if (member.required) yield { path: inside, what: "missing member", value: rebuild(others) };
    yield* at(object[name], member.schema, source, inside, (inner) => rebuild({ ...object, [name]: inner }));
  }
}
