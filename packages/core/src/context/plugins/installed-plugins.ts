/**
 * The plugins a person has installed: each is named under `[plugins]` of the configuration and lies below `plugins` in
 * the configuration's folder. Owns finding them; installing them is left to other programs of the same layout.
 */
import { readdir } from "node:fs/promises";
import path from "node:path";
import {
  isJsonTable,
  isPluginName,
  type JsonTable,
  PluginError,
  type PluginManifest,
  readPluginManifest,
} from "./plugin-manifest.js";

export interface InstalledPlugin {
  /** `name@marketplace` */
  readonly id: string;
  readonly name: string;
  readonly marketplace: string;
  /** Absolute. */
  readonly folder: string;
  readonly enabled: boolean;
  readonly manifest: PluginManifest;
  /** Its table in the configuration. */
  readonly settings: JsonTable;
}

export interface InstalledPlugins {
  readonly plugins: readonly InstalledPlugin[];
  readonly problems: readonly { readonly path: string; readonly message: string }[];
}

/** Those of a configuration; none while the feature is switched off. */
export async function pluginsOf(config: {
  readonly home: string;
  readonly features: Readonly<Record<string, boolean>>;
  readonly raw: { readonly plugins?: unknown };
}): Promise<InstalledPlugins> {
  if (config.features.plugins === false) return { plugins: [], problems: [] };
  return await installedPlugins(config.home, config.raw.plugins);
}

/** @param home folder of the configuration @param table its `[plugins]`; entries that name no plugin are passed over */
export async function installedPlugins(home: string, table: unknown): Promise<InstalledPlugins> {
  const plugins: InstalledPlugin[] = [];
  const problems: { path: string; message: string }[] = [];
  for (const [id, entry] of Object.entries(isJsonTable(table) ? table : {})) {
    const [name, marketplace, ...more] = id.split("@");
    if (!isPluginName(name) || !isPluginName(marketplace) || more.length > 0 || !isJsonTable(entry)) continue;
    const folder = await newestVersion(path.join(home, "plugins", "cache", marketplace, name));
    if (folder === undefined) continue;
    try {
      const manifest = await readPluginManifest(folder);
      plugins.push({
        id,
        name,
        marketplace,
        folder,
        enabled: entry.enabled !== false,
        manifest,
        settings: entry,
      });
    } catch (error) {
      if (!(error instanceof PluginError)) throw error;
      problems.push({ path: folder, message: error.message });
    }
  }
  return { plugins, problems };
}

/** A plugin under development is called `local` and comes before any number. */
async function newestVersion(folder: string): Promise<string | undefined> {
  const found = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = found.filter((entry) => entry.isDirectory() && !entry.name.startsWith(".")).map(({ name }) => name);
  const newest = names.includes("local")
    ? "local"
    : names.sort((a, b) => a.localeCompare(b, "en", { numeric: true })).at(-1);
  return newest === undefined ? undefined : path.join(folder, newest);
}
