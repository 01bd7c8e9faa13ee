/**
 * A profile: settings by a name, laid over the rest of the configuration. `NAME.config.toml` beside `config.toml`, as in the
 * reference; `[profiles.NAME]` inside it, as older versions had it, when there is no such file.
 */
import path from "node:path";
import { ConfigError } from "./config-error.js";
import { readConfigTable } from "./config-file.js";
import type { ConfigLayer, ConfigSource } from "./table-reader.js";
import { validateConfig } from "./validate-config.js";

type Table = Record<string, unknown>;

const isTable = (value: unknown): value is Table =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** Tables are merged; anything else in `over` replaces what was there. */
function layered(base: Readonly<Table>, over: Readonly<Table>): Table {
  const result: Table = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = result[key];
    result[key] = isTable(value) && isTable(below) ? layered(below, value) : value;
  }
  return result;
}

export interface Profiled {
  readonly table: Table;
  /** The profile alone; undefined: none was named. */
  readonly layer: ConfigLayer | undefined;
}

/** `base` with the profile over it. @throws {ConfigError} there is no such profile, or it cannot be used */
export async function withProfile(
  { table: base, source }: { readonly table: Readonly<Table>; readonly source: ConfigSource },
  name: unknown,
  home: string,
): Promise<Profiled> {
  if (name === undefined) return { table: { ...base }, layer: undefined };
  const main = path.join(home, "config.toml");
  const refuse = (rule: string): ConfigError => new ConfigError({ file: main, line: undefined, key: "profile", rule });
  if (typeof name !== "string" || !/^[\w-]+$/.test(name))
    throw refuse("must be a name of letters, digits, hyphens and underscores");
  const file = path.join(home, `${name}.config.toml`);
  const own = await readConfigTable(file);
  if (own) {
    validateConfig(own.table, own.source);
    return { table: layered(base, own.table), layer: { ...own.source, table: own.table } };
  }
  const inside = isTable(base.profiles) ? base.profiles[name] : undefined;
  if (isTable(inside))
    return { table: layered(base, inside), layer: { ...source, table: inside, prefix: ["profiles", name] } };
  throw refuse(`names "${name}", but there is neither ${file} nor a table profiles.${name}`);
}
