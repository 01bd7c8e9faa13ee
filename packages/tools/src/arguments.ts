/**
 * Reading the JSON arguments of a function call. Unknown keys are ignored; every other departure from a tool's
 * parameters is one error that names the place. The texts keep the reference's prefix and its words for
 * missing fields and wrong types.
 */
import { type PreToolUsePayload, RespondToModel, type ToolCall } from "./tool.js";

export const ARGUMENTS_PREFIX = "failed to parse function arguments: ";

function describe(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "string") return `string ${JSON.stringify(value)}`;
  if (typeof value === "boolean") return `boolean \`${value}\``;
  if (typeof value === "number")
    return Number.isInteger(value) ? `integer \`${value}\`` : `floating point \`${value}\``;
  return Array.isArray(value) ? "sequence" : "map";
}

/** Reads the members of one object; `path` is where it sits in the arguments. */
export class ArgumentReader {
  private constructor(
    private readonly value: Readonly<Record<string, unknown>>,
    private readonly path: string,
  ) {}

  /** @throws {RespondToModel} the text is not a JSON object */
  static parse(text: string): ArgumentReader {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      const what = text.trim() === "" ? "EOF while parsing a value" : `not JSON: ${(error as Error).message}`;
      throw new RespondToModel(`${ARGUMENTS_PREFIX}${what}`);
    }
    return ArgumentReader.of(value, "");
  }

  static of(value: unknown, path: string): ArgumentReader {
    if (value === null || typeof value !== "object" || Array.isArray(value))
      throw new RespondToModel(
        `${ARGUMENTS_PREFIX}invalid type: ${describe(value)}, expected an object${path === "" ? "" : ` at ${path}`}`,
      );
    return new ArgumentReader(value as Record<string, unknown>, path);
  }

  at(key: string): string {
    return this.path === "" ? key : `${this.path}.${key}`;
  }

  has(key: string): boolean {
    return Object.hasOwn(this.value, key);
  }

  wrongType(key: string, expected: string): never {
    throw new RespondToModel(
      `${ARGUMENTS_PREFIX}invalid type: ${describe(this.value[key])}, expected ${expected} at ${this.at(key)}`,
    );
  }

  #required(key: string): unknown {
    if (!this.has(key)) throw new RespondToModel(`${ARGUMENTS_PREFIX}missing field \`${key}\` at ${this.at(key)}`);
    return this.value[key];
  }

  string(key: string): string {
    const value = this.#required(key);
    return typeof value === "string" ? value : this.wrongType(key, "a string");
  }

  /** A default stands only for an absent key: null is a wrong type. */
  stringOr<T>(key: string, fallback: T): string | T {
    return this.has(key) ? this.string(key) : fallback;
  }

  /** Absent and null mean the same. */
  optionalString(key: string): string | undefined {
    return this.has(key) && this.value[key] !== null ? this.string(key) : undefined;
  }

  booleanOr(key: string, fallback: boolean): boolean {
    const value = this.has(key) ? this.value[key] : fallback;
    return typeof value === "boolean" ? value : this.wrongType(key, "a boolean");
  }

  optionalBoolean(key: string): boolean | undefined {
    return this.has(key) && this.value[key] !== null ? this.booleanOr(key, false) : undefined;
  }

  integer(key: string, bounds: { readonly min: number; readonly max: number; readonly name: string }): number {
    const value = this.#required(key);
    if (typeof value !== "number" || !Number.isInteger(value)) return this.wrongType(key, bounds.name);
    if (value < bounds.min || value > bounds.max)
      throw new RespondToModel(
        `${ARGUMENTS_PREFIX}invalid value: integer \`${value}\`, expected ${bounds.name} at ${this.at(key)}`,
      );
    return value;
  }

  unsignedOr<T>(key: string, fallback: T): number | T {
    if (!this.has(key)) return fallback;
    return this.integer(key, { min: 0, max: Number.MAX_SAFE_INTEGER, name: "u64" });
  }

  optionalUnsigned(key: string): number | undefined {
    return this.has(key) && this.value[key] !== null ? this.unsignedOr(key, 0) : undefined;
  }

  oneOf<const T extends string>(key: string, choices: readonly T[]): T {
    const value = this.string(key);
    const found = choices.find((choice) => choice === value);
    if (found === undefined)
      throw new RespondToModel(
        `${ARGUMENTS_PREFIX}unknown variant \`${value}\`, expected one of ${choices.map((c) => `\`${c}\``).join(", ")} at ${this.at(key)}`,
      );
    return found;
  }

  /** The elements with the path of each. */
  array<T>(key: string, read: (value: unknown, path: string) => T): readonly T[] {
    const value = this.#required(key);
    if (!Array.isArray(value)) return this.wrongType(key, "a sequence");
    return value.map((element, index) => read(element, `${this.at(key)}[${index}]`));
  }

  optionalArray<T>(key: string, read: (value: unknown, path: string) => T): readonly T[] | undefined {
    return this.has(key) && this.value[key] !== null ? this.array(key, read) : undefined;
  }
}

export function readString(value: unknown, path: string): string {
  if (typeof value === "string") return value;
  throw new RespondToModel(`${ARGUMENTS_PREFIX}invalid type: ${describe(value)}, expected a string at ${path}`);
}

/** The default way in which a function call is shown to hooks: its arguments as JSON, or as they are. */
export function functionHookPayload(call: ToolCall): PreToolUsePayload | undefined {
  if (call.payload.kind !== "function") return undefined;
  return { toolName: call.name, toolUseId: call.callId, toolInput: hookInput(call.payload.arguments) };
}

export function hookInput(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The default way in which a hook's rewritten input becomes a call: it replaces all arguments. */
export function withFunctionArguments(call: ToolCall, updatedInput: unknown): ToolCall {
  return { ...call, payload: { kind: "function", arguments: JSON.stringify(updatedInput) } };
}
