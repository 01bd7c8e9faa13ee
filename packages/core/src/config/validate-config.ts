/** Holds a configuration table against the protocol's `ConfigFile`. Owns the words that people who write TOML know. */
import type { ConfigFile } from "@turnkit/protocol";
import { validateConfigFile } from "@turnkit/protocol/validate/config";
import { type ConfigSource, problemAt } from "./table-reader.js";

const WORDS: Readonly<Record<string, string>> = {
  string: "a string",
  boolean: "true or false",
  integer: "an integer",
  array: "a list",
  object: "a table",
  // A table is what some features have; who set something else meant to switch.
  "boolean or object": "true or false",
};

function inTomlWords(rule: string): string {
  const bound = /^must be (>=|<=) (.*)$/.exec(rule);
  if (bound) return `must be at ${bound[1] === ">=" ? "least" : "most"} ${bound[2]}`;
  const kind = /^must be (.*)$/.exec(rule)?.[1];
  const known = kind !== undefined && Object.hasOwn(WORDS, kind) ? WORDS[kind] : undefined;
  return known === undefined ? rule : `must be ${known}`;
}

/** `a["b c"].d[0]` in its parts. */
function partsOf(path: string): string[] {
  return [...path.matchAll(/\[("(?:[^"\\]|\\.)*")\]|\[(\d+)\]|([^.[\]]+)/g)].map(([, quoted, index, plain]) =>
    quoted === undefined ? (index ?? plain ?? "") : (JSON.parse(quoted) as string),
  );
}

/** @throws {ConfigError} one problem */
export function validateConfig(table: unknown, source: ConfigSource): ConfigFile {
  const result = validateConfigFile(table);
  if (result.ok) return result.value;
  const [issue] = result.issues;
  throw problemAt(source, partsOf(issue?.path ?? ""), inTomlWords(issue?.message ?? "is not valid"));
}
