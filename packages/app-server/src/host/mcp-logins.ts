/** Logins to MCP servers that wait for a browser, for as long as the host lives: one for each server. */
import type { Config } from "@turnkit/core/config";
import type { McpLogin } from "@turnkit/core/mcp-oauth";
import type { McpLoginRequest } from "../ports.js";

export class McpLogins implements AsyncDisposable {
  readonly #running = new Map<string, McpLogin>();

  constructor(private readonly environment: Readonly<Record<string, string | undefined>>) {}

  /** One that still waits for the same server is given up. @throws {McpError} it cannot begin */
  async begin(config: Config, { name, scopes, timeoutMs }: McpLoginRequest): Promise<McpLogin> {
    const server = config.mcpServers[name];
    if (!server) throw new Error(`No MCP server named '${name}' found.`);
    const { startMcpLogin } = await import("@turnkit/core/mcp-oauth");
    await this.#running.get(name)?.[Symbol.asyncDispose]();
    const login = await startMcpLogin({
      name,
      server,
      home: config.home,
      environment: this.environment,
      scopes,
      callback: config.mcpCallback,
      timeoutMs,
    });
    this.#running.set(name, login);
    const over = () => {
      if (this.#running.get(name) === login) this.#running.delete(name);
    };
    login.completed.then(over, over);
    return login;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#running.values()].map((login) => login[Symbol.asyncDispose]()));
  }
}
