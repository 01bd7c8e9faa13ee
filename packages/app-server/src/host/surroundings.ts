/** What a person has laid out around a session: hooks that may run and skills there are. From the configuration. */
import { join, resolve } from "node:path";
import {
  type FoundSkills,
  findSkills,
  type LoadedHooks,
  loadHooks,
  pluginsOf,
  projectRoot,
  skillRoots,
} from "@turnkit/core";
import type { Config } from "@turnkit/core/config";

/** Where a project keeps configuration of its own. */
const projectFolders = [".turnkit", ".codex"];

export async function hooksFor(config: Config, cwd: string): Promise<LoadedHooks> {
  const root = await projectRoot(cwd, config.projectInstructions.rootMarkers);
  const trusted = [root, resolve(cwd)].some((folder) => config.projects[folder] === "trusted");
  return loadHooks({
    home: config.home,
    table: config.hooks,
    projectFolders: trusted ? projectFolders.map((folder) => join(root, folder)) : [],
    bypassTrust: config.bypassHookTrust,
  });
}

/** What is to be said about hooks when a session opens. */
export function hookWarnings({ declarations, trust }: LoadedHooks): string[] {
  const bypass =
    "`--dangerously-bypass-hook-trust` is enabled. Enabled hooks may run without review for this invocation.";
  return [
    ...(trust.bypass ? [bypass] : []),
    ...declarations.errors.map(({ path, message }) => `${path}: ${message}; its hooks are not used`),
    ...declarations.warnings,
  ];
}

export async function skillsFor(config: Config, cwd: string, userHome: string | undefined): Promise<FoundSkills> {
  const { rootMarkers } = config.projectInstructions;
  const [{ plugins }, root] = await Promise.all([pluginsOf(config), projectRoot(cwd, rootMarkers)]);
  const on = plugins.filter(({ enabled }) => enabled);
  const found = await findSkills(skillRoots({ home: config.home, userHome, cwd, projectRoot: root, plugins: on }));
  const off = disabledSkills(config);
  return {
    ...found,
    skills: found.skills.map((skill) =>
      off.has(skill.path) || off.has(skill.foundAt) ? { ...skill, enabled: false } : skill,
    ),
  };
}

/** `[[skills.config]] path = … enabled = false`; the path names the file or its folder. */
function disabledSkills(config: Config): ReadonlySet<string> {
  const entries = (config.raw.skills as { config?: unknown } | undefined)?.config;
  if (!Array.isArray(entries)) return new Set();
  return new Set(
    entries.flatMap((entry: { path?: unknown; enabled?: unknown } | null) =>
      typeof entry?.path === "string" && entry.enabled === false
        ? [resolve(entry.path), join(resolve(entry.path), "SKILL.md")]
        : [],
    ),
  );
}
