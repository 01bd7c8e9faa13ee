/**
 * How schemas are written in this package: named objects, tagged unions, string enums.
 * The only file that may call `Type.Unsafe`. Owns no shape of the protocol.
 *
 * A schema with a name carries it as `$id`; where it is used inside another schema the emitted JSON Schema
 * has a `$ref`. Objects are open (unknown members are ignored and kept) unless `closed` says otherwise.
 */
import {
  type Static,
  type TLiteral,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
  type TUnsafe,
  Type,
} from "typebox";

type AnySchema = TSchema & { $id?: string; type?: unknown };

/** A named open object. */
export function open<const Properties extends TProperties>(id: string, properties: Properties): TObject<Properties> {
  return Type.Object(properties, { $id: id });
}

/** A named object that refuses unknown members. */
export function closed<const Properties extends TProperties>(id: string, properties: Properties): TObject<Properties> {
  return Type.Object(properties, { $id: id, additionalProperties: false });
}

/** An open object without a name, for use inside one other schema. */
export function shape<const Properties extends TProperties>(properties: Properties): TObject<Properties> {
  return Type.Object(properties);
}

/** Any object. */
export function anyObject(): TUnsafe<Record<string, unknown>> {
  return Type.Unsafe<Record<string, unknown>>({ type: "object" });
}

/** An object from any name to values of one shape. */
export function record<Schema extends TSchema>(values: Schema): TUnsafe<Record<string, Static<Schema>>> {
  return Type.Unsafe<Record<string, Static<Schema>>>({ type: "object", additionalProperties: values });
}

/** Gives a schema a name. */
export function named<Schema extends TSchema>(id: string, schema: Schema): TUnsafe<Static<Schema>> {
  return Type.Unsafe<Static<Schema>>({ ...schema, $id: id });
}

/** A named set of strings. */
export function stringEnum<const Values extends readonly string[]>(
  id: string,
  values: Values,
): TUnsafe<Values[number]> {
  return Type.Unsafe<Values[number]>({ $id: id, type: "string", enum: [...values] });
}

/** A set of strings without a name. */
export function literals<const Values extends readonly string[]>(values: Values): TUnsafe<Values[number]> {
  return Type.Unsafe<Values[number]>({ type: "string", enum: [...values] });
}

/** The schema or null. */
export function nullable<Schema extends TSchema>(schema: Schema): TUnsafe<Static<Schema> | null> {
  const plain = schema as AnySchema;
  const simple = plain.$id === undefined && typeof plain.type === "string" && !("enum" in plain) && !("const" in plain);
  return Type.Unsafe<Static<Schema> | null>(
    simple ? { ...plain, type: [plain.type, "null"] } : { anyOf: [schema, { type: "null" }] },
  );
}

/** A member that may be left out or null. */
export function maybe<Schema extends TSchema>(schema: Schema): TOptional<TUnsafe<Static<Schema> | null>> {
  return Type.Optional(nullable(schema));
}

/** One of several shapes that no single member tells apart. */
export function anyOf<const Schemas extends readonly TSchema[]>(schemas: Schemas): TUnsafe<Static<Schemas[number]>> {
  return Type.Unsafe<Static<Schemas[number]>>({ anyOf: [...schemas] });
}

/** An externally tagged variant: an object with exactly this one member. */
export function wrapped<const Key extends string, Schema extends TSchema>(
  key: Key,
  schema: Schema,
): TObject<{ [K in Key]: Schema }> {
  return Type.Object({ [key]: schema } as { [K in Key]: Schema }, { additionalProperties: false });
}

type Variants = Readonly<Record<string, TProperties>>;
type Tagged<Tag extends string, Value extends string, Properties extends TProperties> = Static<
  TObject<{ [K in Tag]: TLiteral<Value> } & Properties>
>;
type TaggedUnion<Tag extends string, Map extends Variants> = {
  [Value in keyof Map & string]: Tagged<Tag, Value, Map[Value]>;
}[keyof Map & string];

/**
 * A named union of open objects told apart by one string member. Emitted as `oneOf` with `discriminator`:
 * a wrong value gives one error about the variant that was meant.
 */
export function taggedUnion<const Tag extends string, const Map extends Variants>(
  id: string,
  tag: Tag,
  variants: Map,
): TUnsafe<TaggedUnion<Tag, Map>> {
  return Type.Unsafe<TaggedUnion<Tag, Map>>({
    $id: id,
    type: "object",
    discriminator: { propertyName: tag },
    oneOf: Object.entries(variants).map(([value, properties]) =>
      Type.Object({ [tag]: Type.Literal(value), ...properties }),
    ),
  });
}

/** The same of objects that refuse unknown members; those of `openTags` take them. */
export function closedTaggedUnion<const Tag extends string, const Map extends Variants>(
  id: string,
  tag: Tag,
  variants: Map,
  openTags: readonly (keyof Map)[] = [],
): TUnsafe<TaggedUnion<Tag, Map>> {
  return Type.Unsafe<TaggedUnion<Tag, Map>>({
    $id: id,
    type: "object",
    discriminator: { propertyName: tag },
    oneOf: Object.entries(variants).map(([value, properties]) =>
      Type.Object(
        { [tag]: Type.Literal(value), ...properties },
        openTags.includes(value) ? {} : { additionalProperties: false },
      ),
    ),
  });
}

/** A named schema where it is used inside of itself. */
export function itself<Value>(id: string): TUnsafe<Value> {
  return Type.Unsafe<Value>({ $ref: id });
}

/** A value of any JSON kind that this package carries without looking inside. */
export function opaque<Value = unknown>(): TUnsafe<Value> {
  return Type.Unsafe<Value>({});
}
