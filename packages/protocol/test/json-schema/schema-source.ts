/** Schemas by name, ours and the reference's, behind one interface. */
import { definition } from "../../src/registry.js";
import { type JsonSchema, schemaNames } from "../../src/schemas.js";

export type Schema = JsonSchema | boolean;

export interface SchemaSource {
  names(): string[];
  named(name: string): Schema;
  /** What a `$ref` points to. */
  resolve(reference: string): { name: string; schema: Schema };
}

const prefix = "#/definitions/";

export function ourSchemas(): SchemaSource {
  const made = new Map<string, Schema>();
  const named = (name: string): Schema => {
    const known = made.get(name) ?? definition(name, prefix).schema;
    made.set(name, known);
    return known;
  };
  return {
    names: schemaNames,
    named,
    resolve(reference) {
      const name = reference.slice(prefix.length);
      return { name, schema: named(name) };
    },
  };
}

/** The reference's document keeps most types under `definitions.v2`, older ones beside it. */
export function referenceSchemas(document: JsonSchema): SchemaSource {
  const { v2, ...older } = document.definitions as Record<string, Schema> & { v2: Record<string, Schema> };
  const all = new Map(Object.entries({ ...older, ...v2 }));
  const named = (name: string): Schema => {
    const found = all.get(name);
    if (found === undefined) throw new RangeError(`the reference has no schema named ${name}`);
    return found;
  };
  return {
    names: () => [...all.keys()].sort(),
    named,
    resolve(reference) {
      const parts = reference.slice(prefix.length).split("/");
      const name = parts.at(-1) as string;
      const schema = parts[0] === "v2" ? v2[name] : older[name];
      if (schema === undefined) throw new RangeError(`${reference} points nowhere`);
      return { name, schema };
    },
  };
}

/** The same schemas without some forms of their tagged unions: `[union, value of the tag]`. */
export function withoutForms(source: SchemaSource, forms: readonly (readonly [string, string])[]): SchemaSource {
  const cut = new Map<string, Schema>();
  for (const [name, value] of forms) {
    const schema = (cut.get(name) ?? source.named(name)) as JsonSchema & { oneOf: JsonSchema[] };
    const { propertyName } = schema.discriminator as { propertyName: string };
    const tag = (form: JsonSchema): unknown =>
      (form.properties as Record<string, { const?: unknown }>)[propertyName]?.const;
    cut.set(name, { ...schema, oneOf: schema.oneOf.filter((form) => tag(form) !== value) });
  }
  const named = (name: string): Schema => cut.get(name) ?? source.named(name);
  return {
    names: source.names,
    named,
    resolve(reference) {
      const { name, schema } = source.resolve(reference);
      return { name, schema: cut.get(name) ?? schema };
    },
  };
}
