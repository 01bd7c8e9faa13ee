/** What the model is told about a plugin that a person points at. Pure; texts that a client can match are the reference's. */
import type { ResponseItem } from "@turnkit/protocol";
import { developerMessage } from "../fragments.js";
import type { Skill } from "../skills/skill.js";

export const PLUGIN_KIND = "plugins.instructions";

/** A server that runs, and the plugin that brought it. */
export interface PluginServer {
  readonly name: string;
  readonly plugin: { readonly id: string; readonly name: string };
}

/** One message for each plugin that has something to offer. @param mentioned ids, each once */
export function pluginHints(
  mentioned: readonly string[],
  skills: readonly Skill[],
  servers: readonly PluginServer[],
): readonly ResponseItem[] {
  return mentioned.flatMap((id) => {
    const skilled = skills.find((skill) => skill.enabled && skill.plugin?.id === id)?.plugin;
    const own = servers.filter(({ plugin }) => plugin.id === id);
    const name = skilled?.name ?? own[0]?.plugin.name;
    if (name === undefined) return [];
    return [developerMessage([hint(name, skilled !== undefined, own.map((server) => server.name).sort())])];
  });
}

function hint(name: string, hasSkills: boolean, servers: readonly string[]): string {
  const quoted = servers.map((server) => `\`${server}\``).join(", ");
  return [
    `Capabilities from the \`${name}\` plugin:`,
    ...(hasSkills ? [`- Skills from this plugin are prefixed with \`${name}:\`.`] : []),
    ...(servers.length > 0 ? [`- MCP servers from this plugin available in this session: ${quoted}.`] : []),
    "Use these plugin-associated capabilities to help solve the task.",
  ].join("\n");
}
