/** How much of what the model thinks `exec` shows: this machine's configuration says, wherever the server is. */
import { homeFolder } from "../../client/model-configured.js";
import type { ReasoningShown } from "../../tui/state/reasoning-shown.js";
import { configModule, inConfigTerms } from "../config/config-file.js";

/** @throws {CliError} */
export async function readReasoningShown(overrides: readonly string[]): Promise<ReasoningShown> {
  const { loadConfig, parseOverrides } = await configModule();
  const load = async () => loadConfig({ home: homeFolder(), overrides: parseOverrides(overrides) });
  return (await inConfigTerms(load())).tui.reasoning;
}
