/** Reads what a plugin says of itself: `.codex-plugin/plugin.json` in its folder. */
import { readFile } from "node:fs/promises";
import path from "node:path";

export interface PluginManifest {
  readonly name: string;
  readonly version: string | undefined;
  readonly keywords: readonly string[];
  /** Absolute path of the folder with its skills. */
  readonly skills: string;
  /** What it says of its MCP servers, as written: a table, or the path of a file. */
  readonly mcpServers: unknown;
  /** What a client may show of it, as written. */
  readonly interface: Readonly<Record<string, unknown>>;
}

const MANIFEST = path.join(".codex-plugin", "plugin.json");
const NAME = /^[A-Za-z0-9_-]+$/;

/** The file is no manifest. `message` says why, and begins with its path. */
export class PluginError extends Error {
  override readonly name = "PluginError";
}

export type JsonTable = Readonly<Record<string, unknown>>;

export function isJsonTable(value: unknown): value is JsonTable {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @throws {PluginError} the file is not there, or is not a JSON object */
export async function readJsonTable(file: string): Promise<JsonTable> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    throw new PluginError(`${file}: ${(error as Error).message}`, { cause: error });
  }
  if (!isJsonTable(value)) throw new PluginError(`${file}: must be an object`);
  return value;
}

export function isPluginName(name: unknown): name is string {
  return typeof name === "string" && NAME.test(name);
}

/** Absolute path of the file that {@link readPluginManifest} reads. */
export function manifestFile(folder: string): string {
  return path.join(folder, MANIFEST);
}

/** @throws {PluginError} */
export async function readPluginManifest(folder: string): Promise<PluginManifest> {
  const file = manifestFile(folder);
  const table = await readJsonTable(file);
  const name = table.name ?? path.basename(folder);
  if (!isPluginName(name)) throw new PluginError(`${file}: name must be of letters, digits, - and _`);
  const given = typeof table.skills === "string" ? table.skills : "skills";
  const skills = path.resolve(folder, given);
  if (!isWithin(folder, skills)) throw new PluginError(`${file}: skills must be a folder of the plugin`);
  const keywords = Array.isArray(table.keywords) ? table.keywords : [];
  return {
    name,
    version: typeof table.version === "string" ? table.version : undefined,
    keywords: keywords.filter((keyword): keyword is string => typeof keyword === "string"),
    skills,
    mcpServers: table.mcpServers,
    interface: isJsonTable(table.interface) ? table.interface : {},
  };
}

export function isWithin(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
