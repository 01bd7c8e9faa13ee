/** `key=value` from the command line: a dotted key and a TOML value, or any other text as it stands. Pure. */
import { parseTomlValue } from "./config-file.js";

export class OverrideError extends Error {
  override readonly name = "OverrideError";
}

/** Later entries win. @throws {OverrideError} */
export function parseOverrides(entries: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    entries.map((entry) => {
      const equals = entry.indexOf("=");
      const key = entry.slice(0, Math.max(0, equals)).trim();
      if (equals < 0 || !/^[\w-]+(\.[\w-]+)*$/.test(key)) {
        throw new OverrideError(`invalid override \`${entry}\`: expected key=value`);
      }
      return [key, parseTomlValue(entry.slice(equals + 1).trim())];
    }),
  );
}
