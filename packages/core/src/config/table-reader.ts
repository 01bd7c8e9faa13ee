/** Reads the members of a TOML table with the reference's keys. One error names file, line, key and rule. */
import { ConfigError } from "./config-error.js";
import { lineOfKey } from "./key-lines.js";

export interface ConfigSource {
  /** Shown in messages. */
  readonly file: string;
  /** undefined: not from a file (command line, a client). */
  readonly text: string | undefined;
}

type Table = Readonly<Record<string, unknown>>;

export const isTable = (value: unknown): value is Table =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);

export class TableReader {
  readonly #read = new Set<string>();

  constructor(
    private readonly table: Table,
    private readonly path: readonly string[],
    private readonly source: ConfigSource,
  ) {}

  problem(key: string | undefined, rule: string): ConfigError {
    const path = key === undefined ? this.path : [...this.path, key];
    return new ConfigError({
      file: this.source.file,
      line: this.source.text === undefined ? undefined : lineOfKey(this.source.text, path),
      key: path.join("."),
      rule,
    });
  }

  #value(key: string): unknown {
    this.#read.add(key);
    return Object.hasOwn(this.table, key) ? this.table[key] : undefined;
  }

  string(key: string): string | undefined {
    const value = this.#value(key);
    if (value !== undefined && typeof value !== "string") throw this.problem(key, "must be a string");
    return value;
  }

  boolean(key: string): boolean | undefined {
    const value = this.#value(key);
    if (value !== undefined && typeof value !== "boolean") throw this.problem(key, "must be true or false");
    return value;
  }

  integer(key: string, least = 0): number | undefined {
    const value = this.#value(key);
    const number = typeof value === "bigint" ? Number(value) : value;
    if (number === undefined) return undefined;
    if (typeof number !== "number" || !Number.isSafeInteger(number)) throw this.problem(key, "must be an integer");
    if (number < least) throw this.problem(key, `must be at least ${least}`);
    return number;
  }

  oneOf<const Choice extends string>(key: string, choices: readonly Choice[]): Choice | undefined {
    const value = this.string(key);
    if (value === undefined) return undefined;
    const found = choices.find((choice) => choice === value);
    if (found === undefined)
      throw this.problem(key, `must be one of ${choices.map((choice) => `"${choice}"`).join(", ")}`);
    return found;
  }

  strings(key: string): readonly string[] | undefined {
    const value = this.#value(key);
    if (value === undefined) return undefined;
    if (!Array.isArray(value) || value.some((element) => typeof element !== "string"))
      throw this.problem(key, "must be a list of strings");
    return value as string[];
  }

  stringMap(key: string): Readonly<Record<string, string>> | undefined {
    const value = this.#value(key);
    if (value === undefined) return undefined;
    if (!isTable(value) || Object.values(value).some((element) => typeof element !== "string"))
      throw this.problem(key, "must be a table of strings");
    return value as Readonly<Record<string, string>>;
  }

  /** The table as it is, for whoever knows its members. */
  raw(key: string): Table | undefined {
    const value = this.#value(key);
    if (value !== undefined && !isTable(value)) throw this.problem(key, "must be a table");
    return value;
  }

  subtable(key: string): TableReader | undefined {
    const value = this.raw(key);
    return value === undefined ? undefined : new TableReader(value, [...this.path, key], this.source);
  }

  /** One reader for each member. */
  tables(key: string): readonly (readonly [string, TableReader])[] {
    const value = this.raw(key);
    if (value === undefined) return [];
    return Object.entries(value).map(([name, member]) => {
      if (!isTable(member))
        throw new TableReader(value, [...this.path, key], this.source).problem(name, "must be a table");
      return [name, new TableReader(member, [...this.path, key, name], this.source)] as const;
    });
  }

  /** Names with true or false. */
  flags(key: string): Readonly<Record<string, boolean>> {
    const value = this.raw(key) ?? {};
    const flags: Record<string, boolean> = {};
    for (const [name, flag] of Object.entries(value)) {
      if (typeof flag === "boolean") flags[name] = flag;
      else if (!isTable(flag))
        throw new TableReader(value, [...this.path, key], this.source).problem(name, "must be true or false");
    }
    return flags;
  }

  /** Members that nobody asked for, as problems. */
  unknown(known: ReadonlySet<string> = new Set()): readonly ConfigError[] {
    return Object.keys(this.table)
      .filter((key) => !this.#read.has(key) && !known.has(key))
      .map((key) => this.problem(key, "is not a known key"));
  }
}
