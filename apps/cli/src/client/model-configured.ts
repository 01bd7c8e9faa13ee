/** Whether a model is configured at all; reads the configuration only where there is one. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { CliError, ExitCode } from "../exit.js";

export function homeFolder(env: NodeJS.ProcessEnv = process.env): string {
  const named = env.TURNKIT_HOME;
  return named ? path.resolve(named) : path.join(homedir(), ".turnkit");
}

/** @throws {CliError} exit code 4: the configuration cannot be used */
export async function modelConfigured(overrides: readonly string[], env = process.env): Promise<boolean> {
  const configured = await fileNamesModel();
  const named = overrides.some((entry) => /^\s*(?:model|model_provider|model_providers\..*|profile)\s*=/.test(entry));
  return configured || named || Boolean(env.OPENAI_API_KEY);
}

async function fileNamesModel(): Promise<boolean> {
  const home = homeFolder();
  if (!existsSync(path.join(home, "config.toml"))) return false;
  const { ConfigError, loadConfig } = await import("@turnkit/core/config");
  try {
    const config = await loadConfig({ home });
    return config.model !== undefined || config.providerId !== "openai";
  } catch (error) {
    if (error instanceof ConfigError) throw new CliError(error.message, ExitCode.config);
    throw error;
  }
}
