/**
 * Validators for every named schema, compiled at build time. Loads no schema library.
 * A refused value gives exactly one issue.
 */
import type { SchemaName, SchemaTypes } from "../schema-types.js";
import { check, compiledFor, findFault, table } from "./all.js";
import type { Fault } from "./fault.js";
import type { Issue } from "./issue.js";
import type { ValidationResult } from "./result.js";
import { ValidationError } from "./validation-error.js";

export type { Fault } from "./fault.js";
export { formatIssue, type Issue } from "./issue.js";
export { joinPath, memberPath } from "./path.js";
export type { ValidationResult } from "./result.js";
export { ValidationError } from "./validation-error.js";
export type { SchemaName, SchemaTypes };

/** Empty: the value is valid. */
export type Validator = (value: unknown) => readonly Issue[];

type Guards = { readonly [Name in SchemaName]: (value: unknown) => value is SchemaTypes[Name] };

const valid: readonly Issue[] = [];

/** Boolean guards by schema name: `validators.UserInput(value)`. */
export const validators = table as unknown as Guards;

/** The names of all validators. */
export const validatorNames = Object.keys(table) as SchemaName[];

/** The validator of one schema, as routing tables take it. @throws {RangeError} no such schema */
export function validator(name: SchemaName): Validator {
  compiledFor(name);
  return (value) => {
    const issue = check(name, value);
    return issue ? [issue] : valid;
  };
}

export function validate<Name extends SchemaName>(name: Name, value: unknown): ValidationResult<SchemaTypes[Name]> {
  const issue = check(name, value);
  return issue ? { ok: false, issues: [issue] } : { ok: true, value: value as SchemaTypes[Name] };
}

/**
 * Returns the value with its type. `label` names it in the message: `params`.
 * @throws {ValidationError} one issue with its path
 */
export function assertValid<Name extends SchemaName>(name: Name, value: unknown, label = ""): SchemaTypes[Name] {
  const result = validate(name, value);
  if (result.ok) return result.value;
  throw new ValidationError(name, result.issues[0] as Issue, label);
}

export type Examination<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly fault: Fault };

/** Like `validate`, for programs that have words of their own for what is wrong. */
export function examine<Name extends SchemaName>(name: Name, value: unknown): Examination<SchemaTypes[Name]> {
  const fault = findFault(name, value);
  return fault ? { ok: false, fault } : { ok: true, value: value as SchemaTypes[Name] };
}

export interface MethodValidators {
  readonly params: Validator;
  readonly result: Validator;
}

interface MethodNames {
  /** Left out: whatever is sent is ignored. */
  readonly params?: SchemaName;
  readonly result?: SchemaName;
}

const nothing: Validator = () => valid;

/** Looks a method up in a table of schema names; undefined for a method the table does not have. */
export function methodValidators(
  methods: Readonly<Record<string, MethodNames>>,
): (method: string) => MethodValidators | undefined {
  const made = new Map<string, MethodValidators>();
  return (method) => {
    const known = made.get(method);
    if (known) return known;
    if (!Object.hasOwn(methods, method)) return undefined;
    const names = methods[method] as MethodNames;
    const entry = {
      params: names.params ? validator(names.params) : nothing,
      result: names.result ? validator(names.result) : nothing,
    };
    made.set(method, entry);
    return entry;
  };
}
