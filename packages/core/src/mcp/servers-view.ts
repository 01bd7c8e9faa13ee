/** The configured servers, started to be looked at: by a status list or a command, without a session. */
import type { ProcessHost } from "@turnkit/protocol/exec";
import type { McpServerConfig } from "../config/mcp-config.js";
import type { McpServers } from "./mcp-servers.js";
import type { McpServerSnapshot } from "./server-facts.js";

export interface McpServersViewOptions {
  readonly servers: Readonly<Record<string, McpServerConfig>>;
  /** Runs the servers that are commands; ends with the view. */
  readonly host: ProcessHost;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Where sign-ins are kept. */
  readonly home: string;
}

export class McpServersView implements AsyncDisposable {
  private constructor(private readonly servers: McpServers) {}

  /** Starts all that are enabled; those that fail say so in their snapshot. */
  static async open(options: McpServersViewOptions): Promise<McpServersView> {
    const { McpServers } = await import("./mcp-servers.js");
    const servers = new McpServers({
      ...options,
      log: () => {},
      report: () => {},
      // Nobody is there to be asked.
      elicit: async () => ({ action: "decline" }),
    });
    return new McpServersView(servers);
  }

  async snapshots(options: {
    readonly resources: boolean;
    readonly signal: AbortSignal;
  }): Promise<readonly McpServerSnapshot[]> {
    await this.servers.settle(this.servers.names, 0, options.signal);
    return await this.servers.snapshots(options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.servers[Symbol.asyncDispose]();
  }
}
