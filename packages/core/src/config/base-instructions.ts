/** What the model is told first, from a file that the configuration names. */
import { readFile } from "node:fs/promises";
import type { Config } from "./config.js";
import { ConfigError } from "./config-error.js";

/** undefined: nothing is configured. @throws {ConfigError} the file cannot be read, or holds nothing */
export async function baseInstructionsOf(
  config: Pick<Config, "file" | "instructionsFile">,
): Promise<string | undefined> {
  if (config.instructionsFile === undefined) return undefined;
  const path = config.instructionsFile;
  const problem = (rule: string) =>
    new ConfigError({
      file: config.file ?? "configuration",
      line: undefined,
      key: "model_instructions_file",
      rule: `names ${path}, which ${rule}`,
    });
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw problem(`cannot be read (${error.code ?? error.message})`);
  });
  if (text.trim() === "") throw problem("is empty");
  return text.trim();
}
