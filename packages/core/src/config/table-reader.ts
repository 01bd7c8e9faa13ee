/**
 * Takes the members of a validated TOML table and remembers which, so that the others can be named. One problem names
 * file, line, key and rule.
 */
import { ConfigError } from "./config-error.js";
import { lineOfKey } from "./key-lines.js";
import { nearest } from "./nearest.js";

export interface ConfigSource {
  /** Shown in messages. */
  readonly file: string;
  /** undefined: not from a file (command line, a client). */
  readonly text: string | undefined;
}

export function problemAt(source: ConfigSource, path: readonly string[], rule: string): ConfigError {
  return new ConfigError({
    file: source.file,
    line: source.text === undefined ? undefined : lineOfKey(source.text, path),
    key: path.join("."),
    rule,
  });
}

export class TableReader<Table extends object> {
  readonly #read = new Set<string>();

  constructor(
    private readonly table: Table,
    private readonly path: readonly string[],
    private readonly source: ConfigSource,
  ) {}

  take<Key extends keyof Table & string>(key: Key): Table[Key] | undefined {
    this.#read.add(key);
    return Object.hasOwn(this.table, key) ? this.table[key] : undefined;
  }

  problem(key: string, rule: string): ConfigError {
    return problemAt(this.source, [...this.path, key], rule);
  }

  /** Members that nobody asked for, as problems. */
  unknown(alsoKnown: ReadonlySet<string> = new Set()): readonly ConfigError[] {
    const known = new Set([...this.#read, ...alsoKnown]);
    return Object.keys(this.table)
      .filter((key) => !known.has(key))
      .map((key) => {
        const near = nearest(key, known);
        return this.problem(key, `is not a known key${near === undefined ? "" : ` (did you mean ${near}?)`}`);
      });
  }
}
