/** Signing in to MCP servers, for programs that do it without a session. Loaded when somebody asks for it. */
import type { McpServerConfig } from "../../config/mcp-config.js";
import { McpError } from "../errors.js";
import { CredentialsFile } from "./credentials-file.js";
import type { McpLogin, McpLoginOptions } from "./login.js";

export { McpError } from "../errors.js";
export type { McpAuth } from "../server-facts.js";
export { type AuthStatusOptions, mcpAuthStatus } from "./auth-status.js";
export type { McpLogin, McpLoginOptions } from "./login.js";

/** @throws {McpError} nobody can sign in to this server, or the login cannot begin */
export async function startMcpLogin(options: McpLoginOptions): Promise<McpLogin> {
  // Nothing else here needs the client library.
  const login = await import("./login.js");
  return await login.startMcpLogin(options);
}

/** Whether there was something to forget. @throws {McpError} the file cannot be read, or no server of that kind */
export async function forgetMcpLogin(home: string, name: string, { transport }: McpServerConfig): Promise<boolean> {
  if (transport.type !== "http") throw new McpError("OAuth logout is only supported for streamable_http transports.");
  return await new CredentialsFile(home).remove(name, transport.url);
}
