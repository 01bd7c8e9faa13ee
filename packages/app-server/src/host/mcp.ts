/** MCP servers as the configuration has them: for a session, and to look at without one. */
import { join } from "node:path";
import { type McpOptions, McpServersView } from "@turnkit/core";
import { type Config, editConfigFile, type McpServerConfig, setConfigKey } from "@turnkit/core/config";
import type { ProcessHost } from "@turnkit/protocol/exec";
import type { ConfiguredMcp } from "../ports.js";
import { McpLogins } from "./mcp-logins.js";

interface Around {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly host: () => ProcessHost;
}

/** What a session gets; what the person agreed to for good goes into `config.toml`. */
export function mcpOptions(config: Config, { environment, host }: Around): McpOptions {
  const file = join(config.home, "config.toml");
  return {
    servers: config.mcpServers,
    host: host(),
    environment,
    home: config.home,
    keepApproval: (server, tool) =>
      editConfigFile(file, (text) =>
        setConfigKey(text, [...settingsKey(config, server), "tools", tool, "approval_mode"], "approve"),
      ),
    keepServer: (name, server) =>
      editConfigFile(file, (text) => setConfigKey(text, ["mcp_servers", name], addedServer(server))),
  };
}

function settingsKey({ mcpServers }: Config, server: string): string[] {
  const plugin = mcpServers[server]?.plugin;
  return [...(plugin ? ["plugins", plugin.id] : []), "mcp_servers", server];
}

/** As a person would write it. */
function addedServer({ transport }: McpServerConfig): Record<string, unknown> {
  if (transport.type === "http") return { url: transport.url };
  return { command: transport.command, ...(transport.args.length > 0 && { args: [...transport.args] }) };
}

export function configuredMcpServers(load: () => Promise<Config>, { environment, host }: Around): ConfiguredMcp {
  const logins = new McpLogins(environment);
  return {
    servers: async () => (await load()).mcpServers,
    async look({ resources, signal }) {
      const { mcpServers, home } = await load();
      if (Object.keys(mcpServers).length === 0) return [];
      const view = await McpServersView.open({
        servers: mcpServers,
        host: host(),
        environment,
        cwd: process.cwd(),
        home,
      });
      try {
        return await view.snapshots({ resources, signal });
      } finally {
        await view[Symbol.asyncDispose]();
      }
    },
    login: async (request) => await logins.begin(await load(), request),
    [Symbol.asyncDispose]: () => logins[Symbol.asyncDispose](),
  };
}
