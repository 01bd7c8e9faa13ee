/** Signing in to MCP servers, for programs that do it without a session. Loaded when somebody asks for it. */
import type { McpServerConfig } from "../../config/mcp-config.js";
import { McpError } from "../errors.js";
import { CredentialsFile } from "./credentials-file.js";

export { McpError } from "../errors.js";
export type { McpAuth } from "../server-facts.js";
export { type AuthStatusOptions, mcpAuthStatus } from "./auth-status.js";
export { type McpLogin, type McpLoginOptions, startMcpLogin } from "./login.js";

/** Whether there was something to forget. @throws {McpError} the file cannot be read, or no server of that kind */
export async function forgetMcpLogin(home: string, name: string, { transport }: McpServerConfig): Promise<boolean> {
  if (transport.type !== "http") throw new McpError("OAuth logout is only supported for streamable_http transports.");
  return await new CredentialsFile(home).remove(name, transport.url);
}
