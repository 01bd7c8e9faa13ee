/**
 * `turnkit mcp list|get|add|remove`: the MCP servers of the configuration. Starts none of them; those behind a URL are
 * asked whether one can log in.
 */
import path from "node:path";
import type { Config, McpServerConfig } from "@turnkit/core/config";
import type { McpAuth } from "@turnkit/core/mcp-oauth";
import { allValues, type CommandRun, lastValue, type ParsedArguments } from "../arguments/command-spec.js";
import { nearest } from "../arguments/nearest.js";
import { configOverrides } from "../arguments/thread-options.js";
import { homeFolder } from "../client/model-configured.js";
import { CliError, ExitCode, messageOf } from "../exit.js";
import { changeConfig, configModule, inConfigTerms } from "./config/config-file.js";

export const run: CommandRun = async () => ExitCode.usage;

const NAME = /^[a-zA-Z0-9_-]+$/;

async function loadServers(parsed: ParsedArguments): Promise<Config["mcpServers"]> {
  const { loadConfig, parseOverrides } = await configModule();
  const load = async () => loadConfig({ home: homeFolder(), overrides: parseOverrides(configOverrides(parsed)) });
  return (await inConfigTerms(load())).mcpServers;
}

function transportJson({ transport }: McpServerConfig): Record<string, unknown> {
  if (transport.type === "http")
    return {
      type: "streamable_http",
      url: transport.url,
      bearer_token_env_var: transport.bearerTokenVariable ?? null,
      http_headers: orNull(transport.headers),
      env_http_headers: orNull(transport.variableHeaders),
    };
  const { command, args, env, envVars, cwd } = transport;
  return { type: "stdio", command, args, env: orNull(env), env_vars: envVars, cwd: cwd ?? null };
}

function orNull(map: Readonly<Record<string, string>>): Readonly<Record<string, string>> | null {
  return Object.keys(map).length === 0 ? null : map;
}

const AUTH_JSON: Readonly<Record<McpAuth, string>> = {
  unknown: "unknown",
  unsupported: "unsupported",
  bearerToken: "bearer_token",
  notLoggedIn: "not_logged_in",
  oAuth: "o_auth",
};

const AUTH_WORDS: Readonly<Record<McpAuth, string>> = {
  unknown: " (login unknown)",
  unsupported: "",
  bearerToken: " (bearer token)",
  notLoggedIn: " (not logged in)",
  oAuth: " (logged in)",
};

async function authOf(name: string, config: McpServerConfig): Promise<McpAuth> {
  if (config.transport.type !== "http") return "unsupported";
  const { mcpAuthStatus } = await import("@turnkit/core/mcp-oauth");
  try {
    return await mcpAuthStatus(name, config, { home: homeFolder(), environment: process.env });
  } catch (error) {
    throw new CliError(messageOf(error), ExitCode.input, "Repair the file, or remove it and log in again.", {
      cause: error,
    });
  }
}

function serverJson(name: string, config: McpServerConfig, auth: McpAuth): Record<string, unknown> {
  return {
    name,
    ...(config.plugin && { plugin: config.plugin.id }),
    enabled: config.enabled,
    required: config.required,
    transport: transportJson(config),
    enabled_tools: config.enabledTools ?? null,
    disabled_tools: config.disabledTools.length > 0 ? config.disabledTools : null,
    startup_timeout_sec: config.startupTimeoutMs / 1000,
    tool_timeout_sec: config.toolTimeoutMs / 1000,
    auth_status: AUTH_JSON[auth],
  };
}

function whereOf({ transport }: McpServerConfig): string {
  return transport.type === "http" ? transport.url : [transport.command, ...transport.args].join(" ");
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

export const list: CommandRun = async (parsed) => {
  const servers = Object.entries(await loadServers(parsed));
  const rows = await Promise.all(
    servers.map(async ([name, config]) => ({ name, config, auth: await authOf(name, config) })),
  );
  if (parsed.switches.has("json")) {
    process.stdout.write(json(rows.map(({ name, config, auth }) => serverJson(name, config, auth))));
    return ExitCode.ok;
  }
  if (servers.length === 0) {
    process.stdout.write("No MCP servers are configured. `turnkit mcp add NAME -- COMMAND` adds one.\n");
    return ExitCode.ok;
  }
  const width = Math.max(...servers.map(([name]) => name.length));
  for (const { name, config, auth } of rows) {
    const state = config.enabled ? "on " : "off";
    const origin = config.plugin ? ` (plugin ${config.plugin.id})` : "";
    process.stdout.write(`${name.padEnd(width)}  ${state}  ${whereOf(config)}${origin}${AUTH_WORDS[auth]}\n`);
  }
  return ExitCode.ok;
};

export function unknownServer(name: string, names: readonly string[]): CliError {
  const near = nearest(name, names);
  const hint = "`turnkit mcp list` names them all.";
  return new CliError(`there is no MCP server ${name}${near ? `; did you mean ${near}?` : ""}`, ExitCode.usage, hint);
}

export const get: CommandRun = async (parsed) => {
  const [name = ""] = parsed.positionals;
  const servers = await loadServers(parsed);
  const config = Object.hasOwn(servers, name) ? servers[name] : undefined;
  if (!config) throw unknownServer(name, Object.keys(servers));
  const shown = serverJson(name, config, await authOf(name, config));
  if (parsed.switches.has("json")) {
    process.stdout.write(json(shown));
    return ExitCode.ok;
  }
  const { name: _, transport, ...rest } = shown as { transport: Record<string, unknown> } & Record<string, unknown>;
  const rows = Object.entries({ ...transport, ...rest }).filter(
    ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
  );
  const lines = rows.map(([key, value]) => `  ${key}: ${masked(key, value)}`);
  process.stdout.write(`${[name, ...lines].join("\n")}\n`);
  return ExitCode.ok;
};

/** Values of variables and headers may be secrets. */
function masked(key: string, value: unknown): string {
  if (key === "env" || key === "http_headers")
    return Object.keys(value as object)
      .map((name) => `${name}=*****`)
      .join(", ");
  if (Array.isArray(value)) return value.join(" ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** @throws {CliError} */
function newServer(parsed: ParsedArguments): Record<string, unknown> {
  const [, ...words] = parsed.positionals;
  const url = lastValue(parsed, "url");
  const token = lastValue(parsed, "bearer-token-env-var");
  const env = Object.fromEntries(allValues(parsed, "env").map(environmentPair));
  if (url !== undefined) {
    if (words.length > 0) throw new CliError("a server has a command or a --url, not both", ExitCode.usage);
    if (Object.keys(env).length > 0) throw new CliError("--env is for servers that are commands", ExitCode.usage);
    return { url, ...(token !== undefined && { bearer_token_env_var: token }) };
  }
  if (token !== undefined) throw new CliError("--bearer-token-env-var is for servers with a --url", ExitCode.usage);
  const [command, ...args] = words;
  if (command === undefined)
    throw new CliError(
      "a server needs a command after `--`, or a --url",
      ExitCode.usage,
      "Example: turnkit mcp add docs -- npx docs-server",
    );
  return { command, ...(args.length > 0 && { args }), ...(Object.keys(env).length > 0 && { env }) };
}

function environmentPair(given: string): [string, string] {
  const at = given.indexOf("=");
  if (at < 1) throw new CliError(`--env must be NAME=VALUE, not ${JSON.stringify(given)}`, ExitCode.usage);
  return [given.slice(0, at), given.slice(at + 1)];
}

export const add: CommandRun = async (parsed) => {
  const [name = ""] = parsed.positionals;
  if (!NAME.test(name))
    throw new CliError(`NAME must consist of letters, digits, - and _, not ${JSON.stringify(name)}`, ExitCode.usage);
  const server = newServer(parsed);
  const { setConfigKey } = await configModule();
  const key = ["mcp_servers", name];
  const before = await fileServers();
  const replaced = Object.hasOwn(before, name) && !before[name]?.plugin;
  await changeConfig((text) => setConfigKey(text, key, server), key);
  process.stdout.write(`${replaced ? "replaced" : "added"} MCP server ${name} in ${configFile()}\n`);
  return ExitCode.ok;
};

export const remove: CommandRun = async (parsed) => {
  const [name = ""] = parsed.positionals;
  const before = await fileServers();
  const { plugin } = before[name] ?? {};
  if (plugin)
    throw new CliError(
      `${name} comes from the plugin ${plugin.id}`,
      ExitCode.usage,
      `\`turnkit config set 'plugins."${plugin.id}".mcp_servers.${name}.enabled' false\` switches it off.`,
    );
  if (!Object.hasOwn(before, name)) throw unknownServer(name, Object.keys(before));
  const { removeConfigKey } = await configModule();
  const key = ["mcp_servers", name];
  await changeConfig((text) => removeConfigKey(text, key), key);
  process.stdout.write(`removed MCP server ${name} from ${configFile()}\n`);
  return ExitCode.ok;
};

function configFile(): string {
  return path.join(homeFolder(), "config.toml");
}

/** Those of the file itself, without what the command line adds. */
async function fileServers(): Promise<Config["mcpServers"]> {
  const { loadConfig } = await configModule();
  return (await inConfigTerms(loadConfig({ home: homeFolder() }))).mcpServers;
}
