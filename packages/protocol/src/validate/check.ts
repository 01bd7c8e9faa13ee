/** The one place that runs a compiled validator and turns its errors into an issue. */
import * as generated from "../generated/validators.js";
import type { CompiledError, CompiledValidator } from "./compiled.js";
import { type Issue, issueOf } from "./issue.js";

const { tags, ...compiled } = generated as typeof generated & Record<string, CompiledValidator>;

export const table = compiled as unknown as Readonly<Record<string, CompiledValidator>>;
export { tags };

export function compiledFor(name: string): CompiledValidator {
  const found = table[name];
  if (found === undefined) throw new RangeError(`there is no schema named ${name}`);
  return found;
}

/** Methods without params may leave them out. */
function absentParams(name: string, value: unknown): boolean {
  return value === undefined && name === "NoParams";
}

/** The issue of an invalid value; undefined for a valid one. @throws {RangeError} no such schema */
export function check(name: string, value: unknown): Issue | undefined {
  const run = compiledFor(name);
  if (run(value) || absentParams(name, value)) return undefined;
  return issueOf(run.errors ?? [], value, tags);
}

export interface Refusal {
  readonly issue: Issue;
  /** The value is well formed as far as it is understood: a tag or a name is one this version does not know. */
  readonly unknown: boolean;
}

function isUnknownName(error: CompiledError): boolean {
  return error.keyword === "enum" || (error.keyword === "discriminator" && error.params.error === "mapping");
}

/** Like `check`, telling "not known to this version" from "malformed". */
export function judge(name: string, value: unknown): Refusal | undefined {
  const run = compiledFor(name);
  if (run(value)) return undefined;
  const errors = run.errors ?? [];
  const deepest = Math.max(...errors.map((error) => error.instancePath.length));
  const telling = errors.filter((error) => error.instancePath.length === deepest && error.keyword !== "type");
  return {
    issue: issueOf(errors, value, tags),
    unknown: telling.length > 0 && telling.every((error) => isUnknownName(error) || error.keyword === "anyOf"),
  };
}
