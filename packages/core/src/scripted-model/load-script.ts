/**
 * Reads a script file: JSON, then shape, then templates and patterns. One error, naming the place.
 * Owns the rules of the file; nothing of a bad file is played.
 */
import type { Script, ScriptCondition, ScriptEntry, ScriptItem } from "./script.js";
import { templateMistake } from "./template.js";

/** `message` reads `FILE: responses[2].items[0].name must be string`. */
export class ScriptFileError extends Error {
  override readonly name = "ScriptFileError";
  readonly fileName: string;
  /** Where, such as `responses[2].items[0].name`; empty for the file as a whole. */
  readonly path: string;

  constructor(fileName: string, path: string, rule: string) {
    super(`${fileName}: ${path === "" ? "" : `${path} `}${rule}`);
    this.fileName = fileName;
    this.path = path;
  }
}

/** @throws {ScriptFileError} */
export function loadScript(text: string, fileName: string): Script {
  try {
    const value = readJson(text);
    const file = new ObjectReader(value, "", ["$schema", "comment", "responses", "repeat"]);
    file.optional("$schema", string);
    file.optional("comment", string);
    return {
      fileName,
      responses: file.required("responses", list(entry)),
      repeat: file.optional("repeat", list(entry)) ?? [],
    };
  } catch (error) {
    if (error instanceof Refusal) throw new ScriptFileError(fileName, error.path, error.rule);
    throw error;
  }
}

/** Thrown inside this module only; `loadScript` adds the file name. */
class Refusal extends Error {
  readonly path: string;
  readonly rule: string;

  constructor(path: string, rule: string) {
    super(rule);
    this.path = path;
    this.rule = rule;
  }
}

type Reader<T> = (value: unknown, path: string) => T;

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Refusal("", `is not JSON: ${(error as Error).message}`);
  }
}

/** Reads the members of a closed object. */
class ObjectReader {
  readonly #fields: Readonly<Record<string, unknown>>;
  readonly #path: string;

  constructor(value: unknown, path: string, known: readonly string[]) {
    this.#fields = object(value, path);
    this.#path = path;
    const unknown = Object.keys(this.#fields).find((key) => !known.includes(key));
    if (unknown !== undefined)
      throw new Refusal(
        this.#at(unknown),
        `is not a known member (known: ${known.filter((key) => key !== "$schema").join(", ")})`,
      );
  }

  required<T>(key: string, reader: Reader<T>): T {
    if (!Object.hasOwn(this.#fields, key)) throw new Refusal(this.#at(key), "is required");
    return reader(this.#fields[key], this.#at(key));
  }

  optional<T>(key: string, reader: Reader<T>): T | undefined {
    return Object.hasOwn(this.#fields, key) ? reader(this.#fields[key], this.#at(key)) : undefined;
  }

  /** The members present among `readers`, read. */
  present<T extends object>(readers: { readonly [K in keyof T]-?: Reader<T[K]> }): T {
    const found: Partial<Record<string, unknown>> = {};
    for (const [key, reader] of Object.entries(readers) as [string, Reader<unknown>][]) {
      const value = this.optional(key, reader);
      if (value !== undefined) found[key] = value;
    }
    return found as T;
  }

  #at(key: string): string {
    return this.#path === "" ? key : `${this.#path}.${key}`;
  }
}

const any: Reader<unknown> = (value) => value;

const string: Reader<string> = (value, path) => {
  if (typeof value !== "string") throw new Refusal(path, "must be string");
  return value;
};

const boolean: Reader<boolean> = (value, path) => {
  if (typeof value !== "boolean") throw new Refusal(path, "must be boolean");
  return value;
};

const template: Reader<string> = (value, path) => {
  const text = string(value, path);
  const mistake = templateMistake(text);
  if (mistake !== undefined) throw new Refusal(path, `has a template that cannot be read: ${mistake}`);
  return text;
};

const pattern: Reader<string> = (value, path) => {
  const text = string(value, path);
  try {
    new RegExp(text, "u");
    return text;
  } catch {
    throw new Refusal(path, "must be a regular expression");
  }
};

function integer(least: number): Reader<number> {
  return (value, path) => {
    if (!Number.isSafeInteger(value)) throw new Refusal(path, "must be integer");
    if ((value as number) < least) throw new Refusal(path, `must be >= ${least}`);
    return value as number;
  };
}

const object: Reader<Readonly<Record<string, unknown>>> = (value, path) => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Refusal(path, "must be object");
  return value as Readonly<Record<string, unknown>>;
};

function list<T>(reader: Reader<T>): Reader<readonly T[]> {
  return (value, path) => {
    if (!Array.isArray(value)) throw new Refusal(path, "must be array");
    return value.map((item, index) => reader(item, `${path}[${index}]`));
  };
}

/** Any JSON value whose strings are templates. */
const templates: Reader<unknown> = (value, path) => {
  if (typeof value === "string") return template(value, path);
  if (Array.isArray(value)) return list(templates)(value, path);
  if (typeof value !== "object" || value === null) return value;
  for (const [key, member] of Object.entries(value)) templates(member, `${path}.${key}`);
  return value;
};

const templateObject: Reader<Readonly<Record<string, unknown>>> = (value, path) => {
  templates(object(value, path), path);
  return value as Readonly<Record<string, unknown>>;
};

const condition: Reader<ScriptCondition> = (value, path) => {
  const readers = {
    hasOutput: template,
    lacksOutput: template,
    running: template,
    exited: template,
    matches: matching,
    not: (inner: unknown, at: string) => condition(inner, at),
  };
  return new ObjectReader(value, path, Object.keys(readers)).present<ScriptCondition>(readers as never);
};

const matching: Reader<{ text: string; pattern: string }> = (value, path) => {
  const reader = new ObjectReader(value, path, ["text", "pattern"]);
  return { text: reader.required("text", template), pattern: reader.required("pattern", pattern) };
};

const summary: Reader<string | readonly string[]> = (value, path) =>
  Array.isArray(value) ? list(template)(value, path) : template(value, path);

const callArguments: Reader<string | Readonly<Record<string, unknown>>> = (value, path) => {
  if (typeof value === "string") return template(value, path);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Refusal(path, "must be object or string");
  return templateObject(value, path);
};

/** Per item type: its required members, then its optional ones. */
const itemMembers: Readonly<
  Record<string, readonly [Record<string, Reader<unknown>>, Record<string, Reader<unknown>>]>
> = {
  message: [{ text: template }, { phase: string }],
  reasoning: [{ summary }, { content: template }],
  function_call: [{ name: template, arguments: callArguments }, { call_id: template }],
  custom_tool_call: [{ name: template, input: template }, { call_id: template }],
  raw: [{ item: templateObject }, {}],
};

const item: Reader<ScriptItem> = (value, path) => {
  const type = string(object(value, path).type, `${path}.type`);
  const members = Object.hasOwn(itemMembers, type) ? itemMembers[type] : undefined;
  if (members === undefined) throw new Refusal(`${path}.type`, `must be one of ${Object.keys(itemMembers).join(", ")}`);
  const [required, optional] = members;
  const reader = new ObjectReader(value, path, ["type", ...Object.keys(required), ...Object.keys(optional)]);
  for (const [key, read] of Object.entries(required)) reader.required(key, read);
  for (const [key, read] of Object.entries(optional)) reader.optional(key, read);
  return value as ScriptItem;
};

const failure: Reader<{ code?: string; message: string }> = (value, path) => {
  const reader = new ObjectReader(value, path, ["code", "message"]);
  const code = reader.optional("code", string);
  return { message: reader.required("message", template), ...(code === undefined ? {} : { code }) };
};

const usage: Reader<NonNullable<ScriptEntry["usage"]>> = (value, path) => {
  const counts = ["input_tokens", "output_tokens", "total_tokens"];
  const reader = new ObjectReader(value, path, [...counts, "input_tokens_details", "output_tokens_details"]);
  for (const count of counts) reader.required(count, integer(0));
  reader.optional("input_tokens_details", object);
  reader.optional("output_tokens_details", object);
  return value as NonNullable<ScriptEntry["usage"]>;
};

const entry: Reader<ScriptEntry> = (value, path) => {
  const readers = {
    comment: string,
    when: condition,
    until: condition,
    limit: integer(1),
    items: list(item),
    delayMs: integer(0),
    gapMs: integer(0),
    deltaGapMs: integer(0),
    deltas: boolean,
    endTurn: boolean,
    usage,
    status: integer(400),
    errorBody: any,
    failed: failure,
    incomplete: string,
    noCompleted: boolean,
    cut: boolean,
  };
  return new ObjectReader(value, path, Object.keys(readers)).present<ScriptEntry>(readers as never);
};
