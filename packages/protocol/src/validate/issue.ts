/**
 * Turns a validator's errors into the one issue a person can act on. Owns the wording, not the rules.
 */
import type { CompiledError } from "./compiled.js";
import { tellingOf } from "./fault.js";
import { joinPath, memberPath } from "./path.js";

/** `path` is empty for the value itself. The two read as one sentence: `input[1].text must be string`. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** The issue as a sentence; `label` stands for the value itself and goes before its members. */
export function formatIssue(issue: Issue, label = ""): string {
  const path = joinPath(label, issue.path);
  return path === "" ? `value ${issue.message}` : `${path} ${issue.message}`;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}

function list(values: readonly unknown[]): string {
  const shown = values.map((value) => (typeof value === "string" ? `"${value}"` : JSON.stringify(value)));
  return shown.length === 1 ? (shown[0] as string) : `one of ${shown.join(", ")}`;
}

function types(errors: readonly CompiledError[]): string[] {
  const names = errors.flatMap((error) => error.params.type as string | string[]);
  return [...new Set(names)].sort((a, b) => Number(a === "null") - Number(b === "null"));
}

/** Errors of one level of a value that matches no alternative. */
function alternatives(errors: readonly CompiledError[], value: unknown): Issue {
  const kind = kindOf(value);
  const wrongType = errors.filter((error) => error.keyword === "type");
  const rest = errors.filter((error) => error.keyword !== "type" && error.keyword !== "anyOf");
  const enums = rest.filter((error) => error.keyword === "enum" || error.keyword === "const");
  if (kind === "object") {
    const keys = rest.filter((error) => error.keyword === "required").map((error) => error.params.missingProperty);
    const unique = [...new Set(keys)];
    if (unique.length > 1) return { path: "", message: `must have exactly one of the members ${unique.join(", ")}` };
    const nullOnly = enums.length === 0 && wrongType.every((error) => error.params.type === "null");
    if (
      unique.length === 1 &&
      !nullOnly &&
      enums.length + wrongType.length > 0 &&
      !(String(unique[0]) in Object(value))
    )
      return { path: "", message: `must have the member ${unique[0]}` };
    if (rest[0] && enums.length === 0) return describe(rest[0], value);
  } else if (enums.length > 0 && kind === "string") {
    const values = enums.flatMap((error) => (error.params.allowedValues as unknown[]) ?? [error.params.allowedValue]);
    return { path: "", message: `must be ${list([...new Set(values)])}` };
  }
  const names = types(wrongType);
  if (enums.length > 0 && !names.includes("string")) names.unshift("string");
  if (names.length > 0) return { path: "", message: `must be ${names.join(" or ")}` };
  return rest[0] ? describe(rest[0], value) : { path: "", message: "matches none of the allowed forms" };
}

function describe(error: CompiledError, value: unknown, tags: Readonly<Record<string, readonly string[]>> = {}): Issue {
  const { params } = error;
  switch (error.keyword) {
    case "required":
      return { path: memberPath("", String(params.missingProperty)), message: "is required" };
    case "additionalProperties":
      return {
        path: memberPath("", String(params.additionalProperty)),
        message: `is not a known member (known: ${params.known})`,
      };
    case "discriminator": {
      const tag = String(params.tag);
      const known = tags[String(params.union)];
      if (params.tagValue === undefined && !(tag in Object(value))) return { path: tag, message: "is required" };
      return { path: tag, message: known ? `must be ${list(known)}` : "has a value that is not known" };
    }
    case "type":
      return { path: "", message: `must be ${types([error]).join(" or ")}` };
    case "enum":
      return { path: "", message: `must be ${list(params.allowedValues as unknown[])}` };
    case "const":
      return { path: "", message: `must be ${list([params.allowedValue])}` };
    case "minItems":
    case "minLength":
      return { path: "", message: params.limit === 1 ? "must not be empty" : `must have at least ${params.limit}` };
    case "minimum":
    case "maximum":
    case "exclusiveMinimum":
    case "exclusiveMaximum":
      return { path: "", message: `must be ${params.comparison} ${params.limit}` };
    case "maxItems":
    case "maxLength":
      return { path: "", message: `must have at most ${params.limit}` };
    case "pattern":
      return { path: "", message: `must match ${params.pattern}` };
    default:
      return { path: "", message: "is not valid" };
  }
}

/** @param errors what a validator has to say of `root` */
export function issueOf(
  errors: readonly CompiledError[],
  root: unknown,
  tags: Readonly<Record<string, readonly string[]>>,
): Issue {
  const { path, value, errors: telling } = tellingOf(errors, root);
  const first = telling[0];
  if (!first) return { path: "", message: "is not valid" };
  const tagged = telling.find((error) => error.keyword === "discriminator");
  const issue =
    tagged && kindOf(value) === "object"
      ? describe(tagged, value, tags)
      : telling.length > 1
        ? alternatives(telling, value)
        : describe(first, value, tags);
  return { path: joinPath(path, issue.path), message: issue.message };
}
