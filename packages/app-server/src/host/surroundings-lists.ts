/** Hooks and skills as clients list them. Pure. */
import { type FoundSkills, hookTrust, isHookEnabled, type LoadedHooks } from "@turnkit/core";
import type { HooksListEntry, SkillsListEntry } from "@turnkit/protocol/app";
import { camelCase } from "../events/casing.js";

type AppHook = HooksListEntry["hooks"][number];

export function hooksListEntry(cwd: string, { declarations, trust }: LoadedHooks): HooksListEntry {
  return {
    cwd,
    hooks: declarations.handlers.map((handler, order) => ({
      handlerType: "command",
      key: handler.key,
      eventName: camelCase(handler.event.name) as AppHook["eventName"],
      matcher: handler.event.matches ? (handler.matcher ?? null) : null,
      command: handler.command,
      async: handler.async,
      timeoutSec: handler.timeout,
      statusMessage: handler.statusMessage ?? null,
      additionalContextLimit: handler.additionalContextLimit ?? null,
      sourcePath: handler.sourcePath,
      source: handler.source === "managed" ? "system" : handler.source,
      pluginId: null,
      displayOrder: order,
      enabled: isHookEnabled(handler, trust),
      isManaged: handler.source === "managed",
      currentHash: handler.hash,
      trustStatus: hookTrust(handler, trust),
    })),
    warnings: [...declarations.warnings],
    errors: [...declarations.errors],
  };
}

export function skillsListEntry(cwd: string, { skills, problems }: FoundSkills): SkillsListEntry {
  return {
    cwd,
    skills: skills.map((skill) => ({
      name: skill.name,
      description: skill.description,
      ...(skill.shortDescription === undefined ? {} : { shortDescription: skill.shortDescription }),
      ...(skill.dependencies.length === 0
        ? {}
        : {
            dependencies: {
              tools: skill.dependencies.map((dependency) => ({
                type: dependency.type,
                value: dependency.value,
                description: dependency.description ?? null,
                transport: dependency.transport ?? null,
                command: dependency.command ?? null,
                url: dependency.url ?? null,
              })),
            },
          }),
      path: skill.path,
      scope: skill.scope,
      enabled: skill.enabled,
      pluginId: skill.plugin?.id ?? null,
    })),
    errors: [...problems],
  };
}
