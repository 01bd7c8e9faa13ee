/** The one place that runs a compiled validator and turns its errors into an issue. Loads no validators of its own. */
import type { CompiledError, CompiledValidator } from "./compiled.js";
import { type Fault, faultOf } from "./fault.js";
import { type Forms, type Objection, ofMeantForm } from "./forms.js";
import { type Issue, issueOf } from "./issue.js";
import { joinPath } from "./path.js";

type Validators = Readonly<Record<string, CompiledValidator>>;

/** A generated file of validators, as `import *` gives it. */
export interface Generated {
  readonly tags: Readonly<Record<string, readonly string[]>>;
  readonly unions: Readonly<Record<string, Forms>>;
}

export interface Refusal {
  readonly issue: Issue;
  /** The value is well formed as far as it is understood: a tag or a name is one this version does not know. */
  readonly unknown: boolean;
}

export interface Checks {
  readonly table: Validators;
  /** @throws {RangeError} no such schema */
  compiledFor(name: string): CompiledValidator;
  /** The issue of an invalid value; undefined for a valid one. @throws {RangeError} no such schema */
  check(name: string, value: unknown): Issue | undefined;
  /** Like `check`, for words of one's own. @throws {RangeError} no such schema */
  findFault(name: string, value: unknown): Fault | undefined;
  /** Like `check`, telling "not known to this version" from "malformed". */
  judge(name: string, value: unknown): Refusal | undefined;
}

/** Methods without params may leave them out. */
function absentParams(name: string, value: unknown): boolean {
  return value === undefined && name === "NoParams";
}

function isUnknownName(error: CompiledError): boolean {
  return error.keyword === "enum" || (error.keyword === "discriminator" && error.params.error === "mapping");
}

export function checksBy(generated: Generated): Checks {
  const { tags, unions, ...compiled } = generated;
  const table = compiled as unknown as Validators;

  const compiledFor = (name: string): CompiledValidator => {
    const found = table[name];
    if (found === undefined) throw new RangeError(`there is no schema named ${name}`);
    return found;
  };

  const objectionTo = (name: string, value: unknown): Objection | undefined => {
    const run = compiledFor(name);
    if (run(value) || absentParams(name, value)) return undefined;
    return ofMeantForm({ path: "", root: value, errors: run.errors ?? [] }, unions, table);
  };

  const issueIn = ({ path, root, errors }: Objection): Issue => {
    const issue = issueOf(errors, root, tags);
    return { path: joinPath(path, issue.path), message: issue.message };
  };

  return {
    table,
    compiledFor,
    check(name, value) {
      const objection = objectionTo(name, value);
      return objection && issueIn(objection);
    },
    findFault(name, value) {
      const objection = objectionTo(name, value);
      if (objection === undefined) return undefined;
      const fault = faultOf(objection.errors, objection.root);
      return { ...fault, path: joinPath(objection.path, fault.path) };
    },
    judge(name, value) {
      const objection = objectionTo(name, value);
      if (objection === undefined) return undefined;
      const { errors } = objection;
      const deepest = Math.max(...errors.map((error) => error.instancePath.length));
      const telling = errors.filter((error) => error.instancePath.length === deepest && error.keyword !== "type");
      return {
        issue: issueIn(objection),
        unknown: telling.length > 0 && telling.every((error) => isUnknownName(error) || error.keyword === "anyOf"),
      };
    },
  };
}
