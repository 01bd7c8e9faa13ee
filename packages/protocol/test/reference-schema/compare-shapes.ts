/**
 * Lists where two schemas differ: members, required members, enums, kinds of values, nullability, bounds.
 * A place is written from the nearest named type of ours: `Thread.gitInfo`, `ThreadItem{type=plan}.text`.
 */
import type { Schema, SchemaSource } from "../json-schema/schema-source.js";
import { type ObjectShape, type Shape, shapeOf } from "./shape.js";

export interface Difference {
  readonly at: string;
  readonly what: string;
}

function kinds(shape: Shape): string[] {
  if (shape.any) return ["any"];
  return [
    shape.null ? "null" : "",
    shape.boolean ? "boolean" : "",
    shape.string === undefined ? "" : "string",
    shape.number ?? "",
    shape.arrays.length > 0 ? "array" : "",
    shape.objects.length > 0 ? "object" : "",
  ].filter((kind) => kind !== "");
}

function quoted(values: Iterable<string>): string {
  return [...values].sort().join(", ");
}

function without(a: Iterable<string>, b: ReadonlySet<string>): string[] {
  return [...a].filter((value) => !b.has(value)).sort();
}

export class Comparison {
  readonly differences: Difference[] = [];
  /** Names of our schemas that were compared on the way. */
  readonly compared = new Set<string>();
  readonly #seen = new Map<Schema, Set<Schema>>();
  readonly #ours: SchemaSource;
  readonly #theirs: SchemaSource;

  constructor(ours: SchemaSource, theirs: SchemaSource) {
    this.#ours = ours;
    this.#theirs = theirs;
  }

  compare(ours: Schema, theirs: Schema, at: string): void {
    if (typeof ours === "object" && typeof ours.$ref === "string") {
      const { name, schema } = this.#ours.resolve(ours.$ref);
      this.compared.add(name);
      this.compare(schema, theirs, name);
      return;
    }
    if (typeof theirs === "object" && typeof theirs.$ref === "string") {
      this.compare(ours, this.#theirs.resolve(theirs.$ref).schema, at);
      return;
    }
    const met = this.#seen.get(ours) ?? new Set();
    if (met.has(theirs)) return;
    this.#seen.set(ours, met.add(theirs));
    this.#compareShapes(shapeOf(ours, this.#ours), shapeOf(theirs, this.#theirs), at);
  }

  #report(at: string, what: string): void {
    this.differences.push({ at, what });
  }

  #compareShapes(ours: Shape, theirs: Shape, at: string): void {
    const [mine, others] = [kinds(ours).join(" | "), kinds(theirs).join(" | ")];
    if (mine !== others) this.#report(at, `takes ${mine}; the reference takes ${others}`);
    if (ours.any || theirs.any) return;
    this.#compareStrings(ours.string, theirs.string, at);
    const [array, otherArray] = [ours.arrays[0], theirs.arrays[0]];
    if (array && otherArray) {
      if (ours.arrays.length !== theirs.arrays.length) this.#report(at, "has another number of array forms");
      if (array.bounds !== otherArray.bounds)
        this.#report(at, `has bounds "${array.bounds}"; the reference "${otherArray.bounds}"`);
      this.compare(array.items, otherArray.items, `${at}[]`);
    }
    if (ours.objects.length > 0 && theirs.objects.length > 0) this.#compareObjects(ours.objects, theirs.objects, at);
  }

  #compareStrings(ours: Shape["string"], theirs: Shape["string"], at: string): void {
    if (ours === undefined || theirs === undefined) return;
    if (ours === "any" || theirs === "any") {
      if (ours !== theirs)
        this.#report(at, ours === "any" ? "takes any string; the reference an enum" : "is an enum; the reference none");
      return;
    }
    const [added, missing] = [without(ours, theirs), without(theirs, ours)];
    if (added.length > 0) this.#report(at, `has the values ${quoted(added)}; the reference has not`);
    if (missing.length > 0) this.#report(at, `lacks the values ${quoted(missing)}`);
  }

  #compareObjects(ours: readonly ObjectShape[], theirs: readonly ObjectShape[], at: string): void {
    const [first, other] = [ours[0], theirs[0]];
    if (ours.length === 1 && theirs.length === 1 && first && other) {
      this.#compareObject(first, other, at);
      return;
    }
    const mine = this.#byVariant(ours, this.#ours);
    const reference = this.#byVariant(theirs, this.#theirs);
    for (const [variant, shape] of mine) {
      const match = reference.get(variant);
      if (match) this.#compareObject(shape, match, `${at}{${variant}}`);
      else this.#report(at, `has the form {${variant}}; the reference has not`);
    }
    for (const variant of reference.keys()) if (!mine.has(variant)) this.#report(at, `lacks the form {${variant}}`);
  }

  /** Forms of an object by what tells them apart: members of one possible value, or else the required members. */
  #byVariant(shapes: readonly ObjectShape[], source: SchemaSource): Map<string, ObjectShape> {
    const found = new Map<string, ObjectShape>();
    for (const shape of shapes) {
      const tags = [...shape.members].flatMap(([name, { schema, required }]) => {
        const { string } = shapeOf(schema, source);
        return required && typeof string === "object" && string.size === 1 ? [`${name}=${[...string][0]}`] : [];
      });
      const required = [...shape.members].filter(([, member]) => member.required).map(([name]) => name);
      let key = tags.length > 0 ? tags.sort().join(",") : quoted(required);
      while (found.has(key)) key += "'";
      found.set(key, shape);
    }
    return found;
  }

  #compareObject(ours: ObjectShape, theirs: ObjectShape, at: string): void {
    for (const [name, member] of ours.members) {
      const other = theirs.members.get(name);
      const place = `${at}.${name}`;
      if (!other) {
        this.#report(place, "is not a member in the reference");
        continue;
      }
      if (member.required !== other.required)
        this.#report(place, member.required ? "is required; in the reference it is not" : "must be required");
      this.compare(member.schema, other.schema, place);
    }
    for (const name of theirs.members.keys()) if (!ours.members.has(name)) this.#report(`${at}.${name}`, "is missing");
    const [mine, others] = [ours.others, theirs.others];
    if (typeof mine === "object" || typeof others === "object") {
      this.compare(mine, others, `${at}.*`);
    } else if (mine !== others) {
      this.#report(at, mine ? "is open; in the reference closed" : "is closed; in the reference open");
    }
  }
}
