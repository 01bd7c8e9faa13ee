/** Decides at start whether the configuration can be used. Loads the reader only when there is something to read. */
import { existsSync } from "node:fs";
import { join } from "node:path";

/** One line about what is wrong, or null. */
export async function checkConfig(home: string, overrides: readonly string[]): Promise<string | null> {
  if (!existsSync(join(home, "config.toml")) && overrides.length === 0) return null;
  const { loadConfig, parseOverrides } = await import("@turnkit/core/config");
  try {
    await loadConfig({ home, overrides: parseOverrides(overrides) });
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
