/** Reads one TOML file of the configuration. Owns what can be wrong with it as a file and as TOML. */
import { readFile } from "node:fs/promises";
import { parse, TomlError } from "smol-toml";
import { ConfigError } from "./config-error.js";
import type { ConfigSource } from "./table-reader.js";

export interface ConfigTable {
  readonly table: Record<string, unknown>;
  readonly source: ConfigSource;
}

/** undefined: there is no such file. @throws {ConfigError} */
export async function readConfigTable(file: string): Promise<ConfigTable | undefined> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new ConfigError({ file, line: undefined, key: "", rule: `cannot be read: ${message}` });
  }
  return { table: parseToml(text, file), source: { file, text } };
}

/** @throws {ConfigError} */
export function parseToml(text: string, file: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [rule] = error.message.split("\n");
    throw new ConfigError({ file, line: error.line, key: "", rule: `is not TOML: ${rule}` });
  }
}

/** What stands to the right of `key =`: a TOML value, or any other text as it is. */
export function parseTomlValue(text: string): unknown {
  try {
    return parse(`value = ${text}\n`).value;
  } catch (error) {
    if (error instanceof TomlError) return text;
    throw error;
  }
}
