/** What the model is told about a plugin that a person points at. Pure; texts that a client can match are the reference's. */
import type { ResponseItem } from "@turnkit/protocol";
import { developerMessage } from "../fragments.js";
import type { Skill } from "../skills/skill.js";

export const PLUGIN_KIND = "plugins.instructions";

/** One message for each plugin that has something to offer. @param mentioned ids, each once */
export function pluginHints(mentioned: readonly string[], skills: readonly Skill[]): readonly ResponseItem[] {
  return mentioned.flatMap((id) => {
    const plugin = skills.find((skill) => skill.enabled && skill.plugin?.id === id)?.plugin;
    return plugin === undefined ? [] : [developerMessage([hint(plugin.name)])];
  });
}

function hint(name: string): string {
  return [
    `Capabilities from the \`${name}\` plugin:`,
    `- Skills from this plugin are prefixed with \`${name}:\`.`,
    "Use these plugin-associated capabilities to help solve the task.",
  ].join("\n");
}
