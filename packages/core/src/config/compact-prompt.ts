/** What the model is asked for when a conversation is shortened, from the configuration or from a file that it names. */
import { readFile } from "node:fs/promises";
import type { Config } from "./config.js";
import { ConfigError } from "./config-error.js";

/** undefined: nothing is configured. @throws {ConfigError} the file cannot be read, or holds nothing */
export async function compactPromptOf(
  config: Pick<Config, "compactPrompt" | "compactPromptFile">,
): Promise<string | undefined> {
  const given = config.compactPrompt?.trim();
  if (given) return given;
  const file = config.compactPromptFile;
  if (file === undefined) return undefined;
  const problem = (rule: string) => new ConfigError({ file, line: undefined, key: "", rule });
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw problem(`cannot be read: ${error.message}`);
  });
  if (text.trim() === "") throw problem("must not be empty");
  return text.trim();
}
