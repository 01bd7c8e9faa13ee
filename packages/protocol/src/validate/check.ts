/** The one place that runs a compiled validator and turns its errors into an issue. */
import * as generated from "../generated/validators.js";
import type { CompiledError, CompiledValidator } from "./compiled.js";
import { type Fault, faultOf } from "./fault.js";
import { type Objection, ofMeantForm } from "./forms.js";
import { type Issue, issueOf } from "./issue.js";
import { joinPath } from "./path.js";

const { tags, unions, ...compiled } = generated as typeof generated & Record<string, CompiledValidator>;

export const table = compiled as unknown as Readonly<Record<string, CompiledValidator>>;

export function compiledFor(name: string): CompiledValidator {
  const found = table[name];
  if (found === undefined) throw new RangeError(`there is no schema named ${name}`);
  return found;
}

/** Methods without params may leave them out. */
function absentParams(name: string, value: unknown): boolean {
  return value === undefined && name === "NoParams";
}

function objectionTo(name: string, value: unknown): Objection | undefined {
  const run = compiledFor(name);
  if (run(value) || absentParams(name, value)) return undefined;
  return ofMeantForm({ path: "", root: value, errors: run.errors ?? [] }, unions, table);
}

function issueIn({ path, root, errors }: Objection): Issue {
  const issue = issueOf(errors, root, tags);
  return { path: joinPath(path, issue.path), message: issue.message };
}

/** The issue of an invalid value; undefined for a valid one. @throws {RangeError} no such schema */
export function check(name: string, value: unknown): Issue | undefined {
  const objection = objectionTo(name, value);
  return objection && issueIn(objection);
}

/** Like `check`, for words of one's own. @throws {RangeError} no such schema */
export function findFault(name: string, value: unknown): Fault | undefined {
  const objection = objectionTo(name, value);
  if (objection === undefined) return undefined;
  const fault = faultOf(objection.errors, objection.root);
  return { ...fault, path: joinPath(objection.path, fault.path) };
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
  const objection = objectionTo(name, value);
  if (objection === undefined) return undefined;
  const { errors } = objection;
  const deepest = Math.max(...errors.map((error) => error.instancePath.length));
  const telling = errors.filter((error) => error.instancePath.length === deepest && error.keyword !== "type");
  return {
    issue: issueIn(objection),
    unknown: telling.length > 0 && telling.every((error) => isUnknownName(error) || error.keyword === "anyOf"),
  };
}
