/** One `[mcp_servers.NAME]` of the configuration: which server it is and the limits it has. Starts nothing. */
import type { ConfigMcpServer } from "@turnkit/protocol";
import type { TableReader } from "./table-reader.js";

/** Who is asked before a tool runs. `auto`: the person, unless the server says the tool changes nothing. */
export type McpApprovalMode = "auto" | "prompt" | "writes" | "approve";

export type McpTransportConfig =
  | {
      readonly type: "stdio";
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      /** Names of variables handed on from this program. */
      readonly envVars: readonly string[];
      /** undefined: the thread's folder. */
      readonly cwd: string | undefined;
    }
  | {
      readonly type: "http";
      readonly url: string;
      readonly bearerTokenVariable: string | undefined;
      readonly headers: Readonly<Record<string, string>>;
      /** Header → environment variable. */
      readonly variableHeaders: Readonly<Record<string, string>>;
      /** Asked for at a login; undefined: what the server names. */
      readonly scopes: readonly string[] | undefined;
      /** Stands for the server where tokens are asked for; undefined: what the server names. */
      readonly oauthResource: string | undefined;
      /** A client that is known to the authorization server; undefined: one is registered. */
      readonly oauthClientId: string | undefined;
    };

export interface McpServerConfig {
  /** Which plugin brought it; undefined: the configuration names it. */
  readonly plugin?: { readonly id: string; readonly name: string };
  readonly transport: McpTransportConfig;
  readonly enabled: boolean;
  /** A thread that cannot start it does not start. */
  readonly required: boolean;
  readonly startupTimeoutMs: number;
  readonly toolTimeoutMs: number;
  /** undefined: all of them. */
  readonly enabledTools: readonly string[] | undefined;
  readonly disabledTools: readonly string[];
  readonly approvalMode: McpApprovalMode;
  /** By tool, as the server names it. */
  readonly toolApprovalModes: Readonly<Record<string, McpApprovalMode>>;
  readonly parallelToolCalls: boolean;
}

const STARTUP_TIMEOUT_MS = 30_000;
const TOOL_TIMEOUT_MS = 120_000;

const STDIO_ONLY = ["args", "env", "env_vars", "cwd"] as const;
const HTTP_ONLY = [
  "bearer_token_env_var",
  "http_headers",
  "env_http_headers",
  "scopes",
  "oauth_resource",
  "oauth",
] as const;

/** @throws {ConfigError} neither a command nor a URL, or members of both */
export function readMcpServer(table: TableReader<ConfigMcpServer>): McpServerConfig {
  const startup = table.take("startup_timeout_sec");
  const startupMs = table.take("startup_timeout_ms");
  const tool = table.take("tool_timeout_sec");
  const tools = Object.entries(table.take("tools") ?? {});
  return {
    transport: readTransport(table),
    enabled: table.take("enabled") ?? true,
    required: table.take("required") ?? false,
    startupTimeoutMs: startup === undefined ? (startupMs ?? STARTUP_TIMEOUT_MS) : startup * 1000,
    toolTimeoutMs: tool === undefined ? TOOL_TIMEOUT_MS : tool * 1000,
    enabledTools: table.take("enabled_tools"),
    disabledTools: table.take("disabled_tools") ?? [],
    approvalMode: table.take("default_tools_approval_mode") ?? "auto",
    toolApprovalModes: Object.fromEntries(
      tools.flatMap(([name, { approval_mode: mode }]) => (mode === undefined ? [] : [[name, mode]])),
    ),
    parallelToolCalls: table.take("supports_parallel_tool_calls") ?? false,
  };
}

function readTransport(table: TableReader<ConfigMcpServer>): McpTransportConfig {
  const command = table.take("command");
  const url = table.take("url");
  if (command !== undefined) {
    if (url !== undefined) throw table.problem("url", "is not supported for stdio: a server has a command or a url");
    for (const key of HTTP_ONLY)
      if (table.take(key) !== undefined) throw table.problem(key, "is not supported for stdio");
    return {
      type: "stdio",
      command,
      args: table.take("args") ?? [],
      env: table.take("env") ?? {},
      envVars: table.take("env_vars") ?? [],
      cwd: table.take("cwd"),
    };
  }
  if (url === undefined) throw table.problem("command", "is missing: a server has a command or a url");
  if (!isHttpUrl(url)) throw table.problem("url", "must be an http or https URL");
  for (const key of STDIO_ONLY)
    if (table.take(key) !== undefined) throw table.problem(key, "is not supported for streamable_http");
  return {
    type: "http",
    url,
    bearerTokenVariable: table.take("bearer_token_env_var"),
    headers: table.take("http_headers") ?? {},
    variableHeaders: table.take("env_http_headers") ?? {},
    scopes: table.take("scopes"),
    oauthResource: table.take("oauth_resource"),
    oauthClientId: table.take("oauth")?.client_id,
  };
}

function isHttpUrl(text: string): boolean {
  try {
    return ["http:", "https:"].includes(new URL(text).protocol);
  } catch {
    return false;
  }
}
