/** The configuration file as commands change it: validated before it is written, one line when it cannot be. */
import path from "node:path";
import { homeFolder } from "../../client/model-configured.js";
import { CliError, ExitCode } from "../../exit.js";

export const configModule = (): Promise<typeof import("@turnkit/core/config")> => import("@turnkit/core/config");

/** @throws {CliError} exit code 4 for what is wrong with the configuration */
export async function inConfigTerms<T>(work: Promise<T>): Promise<T> {
  const { ConfigError, OverrideError } = await configModule();
  try {
    return await work;
  } catch (error) {
    if (error instanceof OverrideError) throw new CliError(error.message, ExitCode.usage);
    throw error instanceof ConfigError ? new CliError(error.message, ExitCode.config) : error;
  }
}

export function valueAt(table: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (at, key) =>
      typeof at === "object" && at !== null && Object.hasOwn(at, key) ? at[key as keyof typeof at] : undefined,
    table,
  );
}

/** The text that `edit` makes must be a configuration; `key` is what the person named. @throws {CliError} */
export async function changeConfig(edit: (text: string) => string, key: readonly string[]): Promise<void> {
  const { configOfText, editConfigFile } = await configModule();
  const file = path.join(homeFolder(), "config.toml");
  if (key.length === 0) throw new CliError("KEY must not be empty", ExitCode.usage);
  const checked = (before: string): string => {
    const known = new Set(configOfText(before, file).warnings);
    const after = edit(before);
    const [fresh] = configOfText(after, file).warnings.filter((warning) => !known.has(warning));
    // Lines move with an edit; what counts is whether the named key is one that means nothing.
    if (fresh?.includes(` ${key[0]} is not a known key`)) throw new CliError(withoutPlace(fresh), ExitCode.usage);
    return after;
  };
  await inConfigTerms(editConfigFile(file, checked));
}

const withoutPlace = (warning: string): string => warning.replace(/^.*?: /, "").replace(/ and is ignored$/, "");
