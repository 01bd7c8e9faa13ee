/** The YAML reader, in a module of its own so that it is loaded with the first skill. */
import { parse } from "yaml";

/** @throws {Error} not YAML */
export function parseYaml(text: string): unknown {
  return parse(text);
}
