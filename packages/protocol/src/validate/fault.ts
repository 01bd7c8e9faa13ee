/** Which of a validator's errors is told, and about which place. Owns the choice; the words are those of issues. */
import type { CompiledError } from "./compiled.js";
import { depthOf, locate, memberPath } from "./path.js";

/** The rule that a value breaks, for programs that word it themselves. */
export interface Fault {
  /** As in an issue: `input[1].text`; empty for the value itself. */
  readonly path: string;
  /** What stands there; undefined where something is missing. */
  readonly value: unknown;
  /** The word of JSON Schema that is not satisfied: `required`, `type`, `enum`, `minimum`, … */
  readonly keyword: string;
  /** As Ajv gives them with the word: `{ type: ["string", "null"] }`, `{ limit: 0 }`, … */
  readonly params: Readonly<Record<string, unknown>>;
}

export interface Telling {
  readonly path: string;
  readonly value: unknown;
  /** Several only where no form of a union fits. */
  readonly errors: readonly CompiledError[];
}

/** The deepest errors: where a value has several forms, the one that came furthest was meant. */
export function tellingOf(errors: readonly CompiledError[], root: unknown): Telling {
  const deepest = Math.max(...errors.map(({ instancePath }) => depthOf(instancePath)));
  const pointer = errors.find(({ instancePath }) => depthOf(instancePath) === deepest)?.instancePath ?? "";
  const { path, value } = locate(root, pointer);
  return { path, value, errors: errors.filter(({ instancePath }) => instancePath === pointer) };
}

export function faultOf(errors: readonly CompiledError[], root: unknown): Fault {
  const { path, value, errors: telling } = tellingOf(errors, root);
  const { keyword, params }: Omit<CompiledError, "instancePath"> = telling[0] ?? {
    keyword: "false schema",
    params: {},
  };
  if (keyword === "required")
    return { path: memberPath(path, String(params.missingProperty)), value: undefined, keyword, params };
  return { path, value, keyword, params };
}
