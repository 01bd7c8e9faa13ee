/**
 * Which form of a union a value was meant to be, where one member does not tell all forms apart: what the other forms
 * have against the value says nothing about it. Owns the choice; the forms are listed by the generator.
 */
import type { CompiledError, CompiledValidator } from "./compiled.js";
import { depthOf, joinPath, locate } from "./path.js";

/** A closed object with a name. */
export interface Form {
  readonly name: string;
  /** What its tag may be. */
  readonly tags: readonly string[];
  readonly required: readonly string[];
  readonly known: readonly string[];
}

export interface Forms {
  /** A member of every form, which several may share a value of. */
  readonly tag: string;
  readonly forms: readonly Form[];
}

/** What a validator has against `root`, which stands at `path`. */
export interface Objection {
  readonly path: string;
  readonly root: unknown;
  readonly errors: readonly CompiledError[];
}

type Json = Readonly<Record<string, unknown>>;

interface Attempt {
  readonly errors: readonly CompiledError[];
  /** Compared member by member: the smallest is the form that was meant. */
  readonly distance: readonly [strange: number, missing: number, height: number];
}

function attempt(form: Form, value: Json, validator: CompiledValidator | undefined): Attempt[] {
  if (validator === undefined || validator(value)) return [];
  const errors = validator.errors ?? [];
  const strange = Object.keys(value).filter((member) => !form.known.includes(member)).length;
  const missing = form.required.filter((member) => !Object.hasOwn(value, member)).length;
  const depth = Math.max(...errors.map(({ instancePath }) => depthOf(instancePath)));
  return [{ errors, distance: [strange, missing, -depth] }];
}

function closer(a: Attempt, b: Attempt): number {
  const [strange, missing, height] = a.distance.map((part, index) => part - (b.distance[index] as number));
  return strange || missing || (height as number);
}

function errorsOf(
  { tag, forms }: Forms,
  value: Json,
  validators: Readonly<Record<string, CompiledValidator>>,
): readonly CompiledError[] | undefined {
  if (!Object.hasOwn(value, tag)) return [{ instancePath: "", keyword: "required", params: { missingProperty: tag } }];
  const tagged = forms.filter(({ tags }) => tags.includes(value[tag] as string));
  if (tagged.length === 0) {
    const allowedValues = [...new Set(forms.flatMap(({ tags }) => tags))];
    return [{ instancePath: `/${tag}`, keyword: "enum", params: { allowedValues } }];
  }
  const attempts = tagged.flatMap((form) => attempt(form, value, validators[form.name])).sort(closer);
  const nearest = attempts.filter((other) => closer(other, attempts[0] as Attempt) === 0);
  return nearest.length > 0 ? unique(nearest.flatMap(({ errors }) => errors)) : undefined;
}

/** Forms that are equally near often have the same against a value. */
function unique(errors: readonly CompiledError[]): readonly CompiledError[] {
  return [...new Map(errors.map((error) => [JSON.stringify(error), error])).values()];
}

/** The objection of the form that was meant, in place of those of all forms of a union. */
export function ofMeantForm(
  objection: Objection,
  unions: Readonly<Record<string, Forms>>,
  validators: Readonly<Record<string, CompiledValidator>>,
): Objection {
  const failed = objection.errors.filter(({ params }) => Object.hasOwn(unions, String(params.union)));
  // A union of unions ends with the error of the outermost.
  const outermost = failed.sort((a, b) => depthOf(b.instancePath) - depthOf(a.instancePath)).at(-1);
  if (outermost === undefined) return objection;
  const { path, value } = locate(objection.root, outermost.instancePath);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return objection;
  const errors = errorsOf(unions[String(outermost.params.union)] as Forms, value as Json, validators);
  if (errors === undefined) return objection;
  return ofMeantForm({ path: joinPath(objection.path, path), root: value, errors }, unions, validators);
}
