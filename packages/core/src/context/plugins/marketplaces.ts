/** Marketplaces on this machine: folders that list plugins in a file. Owns reading them; nothing is fetched. */
import { stat } from "node:fs/promises";
import path from "node:path";
import {
  isJsonTable,
  isPluginName,
  isWithin,
  type JsonTable,
  PluginError,
  type PluginManifest,
  readJsonTable,
  readPluginManifest,
} from "./plugin-manifest.js";

export interface ListedPlugin {
  readonly name: string;
  /** Absolute path of its folder; undefined: it has to be fetched from elsewhere. */
  readonly folder: string | undefined;
  /** undefined: it cannot be read. */
  readonly manifest: PluginManifest | undefined;
  /** The entry as the marketplace has it. */
  readonly entry: JsonTable;
}

export interface Marketplace {
  readonly name: string;
  /** Absolute path of the file that lists its plugins. */
  readonly file: string;
  readonly displayName: string | undefined;
  readonly plugins: readonly ListedPlugin[];
}

export interface FoundMarketplaces {
  readonly marketplaces: readonly Marketplace[];
  readonly problems: readonly { readonly path: string; readonly message: string }[];
}

const LIST = path.join(".agents", "plugins", "marketplace.json");

/** Each file once. @param folders absolute; those without a marketplace add nothing */
export async function findMarketplaces(folders: readonly string[]): Promise<FoundMarketplaces> {
  const marketplaces: Marketplace[] = [];
  const problems: { path: string; message: string }[] = [];
  for (const folder of new Set(folders)) {
    const file = path.join(folder, LIST);
    if (!(await isFile(file))) continue;
    try {
      marketplaces.push(await readMarketplace(folder, file));
    } catch (error) {
      if (!(error instanceof PluginError)) throw error;
      problems.push({ path: file, message: error.message });
    }
  }
  return { marketplaces, problems };
}

/** The folders of the marketplaces that `[marketplaces]` names. */
export function marketplaceFolders(home: string, table: unknown): readonly string[] {
  return Object.entries(isJsonTable(table) ? table : {}).flatMap(([name, entry]) => {
    if (!isPluginName(name) || !isJsonTable(entry)) return [];
    const { source, source_type: type } = entry;
    if (type !== "local") return [path.join(home, ".tmp", "marketplaces", name)];
    return typeof source === "string" ? [path.resolve(home, source)] : [];
  });
}

async function readMarketplace(folder: string, file: string): Promise<Marketplace> {
  const table = await readJsonTable(file);
  if (!isPluginName(table.name)) throw new PluginError(`${file}: name must be of letters, digits, - and _`);
  const shown = isJsonTable(table.interface) ? table.interface.displayName : undefined;
  const entries = Array.isArray(table.plugins) ? table.plugins : [];
  const named = entries.filter((entry): entry is JsonTable => isJsonTable(entry) && isPluginName(entry.name));
  return {
    name: table.name,
    file,
    displayName: typeof shown === "string" ? shown : undefined,
    plugins: await Promise.all(named.map((entry) => readEntry(folder, entry))),
  };
}

async function readEntry(root: string, entry: JsonTable): Promise<ListedPlugin> {
  const { source } = entry;
  const given = isJsonTable(source) && source.source === "local" ? source.path : source;
  const folder = typeof given === "string" ? path.resolve(root, given) : undefined;
  const inside = folder !== undefined && isWithin(root, folder) ? folder : undefined;
  const manifest =
    inside === undefined
      ? undefined
      : await readPluginManifest(inside).catch((error: unknown) => {
          if (error instanceof PluginError) return undefined;
          throw error;
        });
  return { name: entry.name as string, folder: inside, manifest, entry };
}

function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
}
