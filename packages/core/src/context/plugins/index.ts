/** Plugins on this machine: what is installed, what marketplaces list, and what the model is told. */
export { type InstalledPlugin, type InstalledPlugins, installedPlugins, pluginsOf } from "./installed-plugins.js";
export { type FoundMarketplaces, findMarketplaces, type ListedPlugin, marketplaceFolders } from "./marketplaces.js";
export {
  isJsonTable,
  isWithin,
  type JsonTable,
  manifestFile,
  PluginError,
  type PluginManifest,
  readJsonTable,
} from "./plugin-manifest.js";
