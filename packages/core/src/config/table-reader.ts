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
  /** What the text says, where something was laid over it. */
  readonly table?: Readonly<Record<string, unknown>>;
  /** What was laid over it, the last on top: what they set is not to be blamed on the file. */
  readonly layers?: readonly ConfigLayer[];
}

export interface ConfigLayer {
  readonly file: string;
  readonly text: string | undefined;
  readonly table: Readonly<Record<string, unknown>>;
  /** The table of the text that this layer is; absent: all of it. */
  readonly prefix?: readonly string[];
}

function sets(table: unknown, path: readonly string[]): boolean {
  let at = table;
  for (const part of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, part)) return false;
    at = (at as Readonly<Record<string, unknown>>)[part];
  }
  return true;
}

/** Who set the value, or the nearest table around a value that is missing; undefined: the text below all layers. */
function layerOf({ layers = [], table }: ConfigSource, path: readonly string[]): ConfigLayer | undefined {
  for (let length = path.length; length > 0; length -= 1) {
    const around = path.slice(0, length);
    const layer = layers.findLast((each) => sets(each.table, around));
    if (layer || sets(table, around)) return layer;
  }
  return undefined;
}

export function problemAt(source: ConfigSource, path: readonly string[], rule: string): ConfigError {
  const layer = layerOf(source, path);
  const { file, text } = layer ?? source;
  return new ConfigError({
    file,
    line: text === undefined ? undefined : lineOfKey(text, [...(layer?.prefix ?? []), ...path]),
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
