/** Plugins on this machine, as the session's skills need them and as clients list them. */
import { join } from "node:path";
import {
  type FoundMarketplaces,
  findMarketplaces,
  type InstalledPlugin,
  type ListedPlugin,
  marketplaceFolders,
  type PluginManifest,
  pluginsOf,
  projectRoot,
} from "@turnkit/core";
import type { Config } from "@turnkit/core/config";
import type { AppResult } from "@turnkit/protocol/app";

type PluginList = AppResult<"plugin/list">;
type Summary = PluginList["marketplaces"][number]["plugins"][number];
type Interface = NonNullable<Summary["interface"]>;

/** Marketplaces of the configuration, of the person's home and of the folders' projects, with what is installed. */
export async function listPlugins(
  config: Config,
  cwds: readonly string[],
  userHome: string | undefined,
): Promise<PluginList> {
  const off = config.features.plugins === false;
  const projects = await Promise.all(cwds.map((cwd) => projectRoot(cwd, config.projectInstructions.rootMarkers)));
  const folders = [
    ...marketplaceFolders(config.home, config.raw.marketplaces),
    ...(userHome === undefined ? [] : [userHome]),
    ...cwds.flatMap((cwd, index) => [projects[index] ?? cwd, cwd]),
  ];
  const found: FoundMarketplaces = off ? { marketplaces: [], problems: [] } : await findMarketplaces(folders);
  const installed = await pluginsOf(config);
  return {
    marketplaces: [...listed(found, installed.plugins), ...unlisted(found, installed.plugins)],
    marketplaceLoadErrors: found.problems.map(({ path, message }) => ({ marketplacePath: path, message })),
    featuredPluginIds: [],
  };
}

function listed(found: FoundMarketplaces, installed: readonly InstalledPlugin[]): PluginList["marketplaces"] {
  return found.marketplaces.map(({ name, file, displayName, plugins }) => ({
    name,
    path: file,
    interface: displayName === undefined ? null : { displayName },
    plugins: plugins.map((plugin) => {
      const id = `${plugin.name}@${name}`;
      return summary(
        id,
        plugin,
        installed.find((each) => each.id === id),
      );
    }),
  }));
}

/** Installed from marketplaces that are not on this machine any more. */
function unlisted(found: FoundMarketplaces, installed: readonly InstalledPlugin[]): PluginList["marketplaces"] {
  const known = new Set(found.marketplaces.map(({ name }) => name));
  const names = new Set(installed.map(({ marketplace }) => marketplace).filter((name) => !known.has(name)));
  return [...names].map((marketplace) => ({
    name: marketplace,
    path: null,
    interface: null,
    plugins: installed
      .filter((plugin) => plugin.marketplace === marketplace)
      .map((plugin) => {
        const { id, name, folder, manifest } = plugin;
        return summary(id, { name, folder, manifest, entry: {} }, plugin);
      }),
  }));
}

function summary(id: string, plugin: ListedPlugin, installed: InstalledPlugin | undefined): Summary {
  const { name, folder, entry } = plugin;
  const manifest = plugin.manifest ?? installed?.manifest;
  const policy = (typeof entry.policy === "object" && entry.policy) || {};
  const { installation, authentication } = policy as { installation?: unknown; authentication?: unknown };
  const place = folder ?? installed?.folder;
  return {
    id,
    remotePluginId: null,
    version: null,
    localVersion: manifest?.version ?? null,
    name,
    shareContext: null,
    source: place === undefined ? { type: "remote" } : { type: "local", path: place },
    installed: installed !== undefined,
    installedAt: null,
    enabled: installed?.enabled ?? false,
    installPolicy:
      installation === "NOT_AVAILABLE" || installation === "INSTALLED_BY_DEFAULT" ? installation : "AVAILABLE",
    installPolicySource: null,
    mustShowInstallationInterstitial: null,
    authPolicy: authentication === "ON_USE" ? "ON_USE" : "ON_INSTALL",
    availability: "AVAILABLE",
    disabledReason: null,
    eligiblePlanTypes: null,
    interface: shown(manifest, place, typeof entry.category === "string" ? entry.category : null),
    keywords: [...(manifest?.keywords ?? [])],
  };
}

const TEXTS = [
  "displayName",
  "shortDescription",
  "longDescription",
  "developerName",
  "websiteUrl",
  "privacyPolicyUrl",
  "termsOfServiceUrl",
  "brandColor",
] as const;
const PICTURES = ["composerIcon", "logo", "logoDark"] as const;

function shown(
  manifest: PluginManifest | undefined,
  folder: string | undefined,
  category: string | null,
): Interface | null {
  if (manifest === undefined && category === null) return null;
  const given = manifest?.interface ?? {};
  const text = (key: string) => (typeof given[key] === "string" ? (given[key] as string) : null);
  const texts = (key: string) =>
    Array.isArray(given[key]) ? given[key].filter((each) => typeof each === "string") : [];
  const picture = (key: string) => (folder !== undefined && text(key) !== null ? join(folder, text(key) ?? "") : null);
  const prompt = text("defaultPrompt");
  return {
    ...(Object.fromEntries(TEXTS.map((key) => [key, text(key)])) as Record<(typeof TEXTS)[number], string | null>),
    category: category ?? text("category"),
    capabilities: texts("capabilities"),
    defaultPrompt: prompt !== null ? [prompt] : texts("defaultPrompt").length > 0 ? texts("defaultPrompt") : null,
    ...(Object.fromEntries(PICTURES.map((key) => [key, picture(key)])) as Record<
      (typeof PICTURES)[number],
      string | null
    >),
    composerIconUrl: null,
    logoUrl: null,
    logoUrlDark: null,
    screenshots: texts("screenshots").flatMap((each) => (folder === undefined ? [] : [join(folder, each)])),
    screenshotUrls: [],
  };
}
