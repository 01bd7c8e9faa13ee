/**
 * The MCP servers that installed plugins bring, beside those that the configuration names itself: of two with one name
 * the configuration's is used, then the one of the plugin whose id comes first. Owns finding and reading them.
 */
import path from "node:path";
import type { ConfigMcpServer } from "@turnkit/protocol";
import {
  type InstalledPlugin,
  isJsonTable,
  isWithin,
  type JsonTable,
  manifestFile,
  PluginError,
  pluginsOf,
  readJsonTable,
} from "../context/plugins/index.js";
import { ConfigError, formatProblem } from "./config-error.js";
import { type McpServerConfig, readMcpServer } from "./mcp-config.js";
import { TableReader } from "./table-reader.js";
import { validateConfig } from "./validate-config.js";

type Servers = Readonly<Record<string, McpServerConfig>>;

interface WithServers {
  readonly home: string;
  readonly features: Readonly<Record<string, boolean>>;
  readonly raw: { readonly plugins?: unknown };
  readonly mcpServers: Servers;
  readonly warnings: readonly string[];
}

/** Read where a manifest says nothing of servers. */
const DEFAULT_FILE = ".mcp.json";

/** What `[plugins."ID".mcp_servers.NAME]` may say of a server; how it is started is the plugin's business. */
const SETTINGS = ["enabled", "enabled_tools", "disabled_tools", "default_tools_approval_mode", "tools"] as const;

/** The same configuration with the plugins' servers. What cannot be used is not there, and a warning says why. */
export async function withPluginServers<Config extends WithServers>(config: Config): Promise<Config> {
  if (!isJsonTable(config.raw.plugins)) return config;
  const { plugins, problems } = await pluginsOf(config);
  const warnings = problems.map(({ message }) => `${message}; the plugin is not used`);
  const brought: Record<string, McpServerConfig> = {};
  for (const plugin of plugins.filter(({ enabled }) => enabled).sort((a, b) => (a.id < b.id ? -1 : 1)))
    for (const [name, server] of await serversOf(plugin, warnings)) brought[name] ??= server;
  return {
    ...config,
    mcpServers: { ...brought, ...config.mcpServers },
    warnings: [...config.warnings, ...warnings],
  };
}

async function serversOf(plugin: InstalledPlugin, warnings: string[]): Promise<[string, McpServerConfig][]> {
  try {
    const { file, servers } = await declared(plugin);
    const settings = isJsonTable(plugin.settings.mcp_servers) ? plugin.settings.mcp_servers : {};
    return Object.entries(servers).flatMap(([name, given]): [string, McpServerConfig][] => {
      try {
        return [[name, readServer(plugin, file, name, given, settings[name])]];
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        const { problem } = error;
        const key = problem.key.replace(/^mcp_servers/, "mcpServers");
        warnings.push(`${formatProblem({ ...problem, key })}; the MCP server is not used`);
        return [];
      }
    });
  } catch (error) {
    if (!(error instanceof PluginError)) throw error;
    warnings.push(`${error.message}; the plugin's MCP servers are not used`);
    return [];
  }
}

interface Declared {
  readonly file: string;
  readonly servers: JsonTable;
}

/** @throws {PluginError} */
async function declared({ folder, manifest }: InstalledPlugin): Promise<Declared> {
  const given = manifest.mcpServers;
  const asked = manifestFile(folder);
  if (isJsonTable(given)) return { file: asked, servers: given };
  if (given !== undefined && typeof given !== "string")
    throw new PluginError(`${asked}: mcpServers must be an object or the path of a file`);
  const file = path.resolve(folder, given ?? DEFAULT_FILE);
  if (!isWithin(folder, file)) throw new PluginError(`${asked}: mcpServers must be a file of the plugin`);
  const table = await readJsonTable(file).catch((error: PluginError): JsonTable => {
    if (given === undefined && (error.cause as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw error;
  });
  return { file, servers: isJsonTable(table.mcpServers) ? table.mcpServers : table };
}

/** Members that are not known here are other programs'. @throws {ConfigError} */
function readServer(plugin: InstalledPlugin, file: string, name: string, given: unknown, settings: unknown) {
  const source = { file, text: undefined };
  const chosen = isJsonTable(settings) ? settings : {};
  const own = Object.fromEntries(SETTINGS.flatMap((key) => (key in chosen ? [[key, chosen[key]]] : [])));
  const table = { mcp_servers: { [name]: isJsonTable(given) ? { ...given, ...own } : given } };
  const members = validateConfig(table, source).mcp_servers?.[name] as ConfigMcpServer;
  const server = readMcpServer(new TableReader(members, ["mcp_servers", name], source));
  const { transport } = server;
  return {
    ...server,
    plugin: { id: plugin.id, name: plugin.manifest.name },
    transport:
      transport.type === "stdio" && transport.cwd !== undefined
        ? { ...transport, cwd: path.resolve(plugin.folder, transport.cwd) }
        : transport,
  };
}
