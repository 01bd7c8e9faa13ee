/** MCP servers as clients see them: what they have, calls and reads by the client, the configuration read again. */
import type { McpServerSnapshot } from "@turnkit/core";
import { RpcErrorCode } from "@turnkit/protocol";
import type { McpServerStatus } from "@turnkit/protocol/app";
import { RpcError } from "@turnkit/rpc";
import { numbered } from "./catalogue.js";
import type { Handlers } from "./handler.js";
import { sessionCall } from "./session-call.js";

export const mcpHandlers: Handlers = {
  async "mcpServerStatus/list"({ cursor, limit, detail, threadId }, { server, signal }) {
    const options = { resources: detail !== "toolsAndAuthOnly", signal };
    const rows =
      threadId == null
        ? await sessionCall("failed to list MCP servers", async () => (await server.host()).mcp.look(options))
        : await server.threads.get(threadId).session.mcpServers(options);
    // Without a thread there is nothing that goes on running.
    return numbered(
      rows.map((row) => toStatus(row, threadId != null)),
      cursor,
      limit,
      "MCP servers",
    );
  },

  async "config/mcpServer/reload"(_params, { server }) {
    const servers = await sessionCall("failed to reload MCP servers", async () => (await server.host()).mcp.servers());
    await Promise.all(
      server.threads
        .all()
        .map((thread) => sessionCall("failed to reload MCP servers", () => thread.session.reloadMcpServers(servers))),
    );
    return {};
  },

  async "mcpServer/tool/call"({ threadId, server: name, tool, arguments: input, _meta }, { server }) {
    const { session } = server.threads.get(threadId);
    const result = await sessionCall("failed to call MCP tool", () => session.callMcpTool(name, tool, input, _meta));
    return { ...result, content: [...result.content] };
  },

  async "mcpServer/resource/read"({ threadId, server: name, uri, originCallId }, { server }) {
    if (threadId == null) throw new RpcError(RpcErrorCode.invalidRequest, "params.threadId must name a loaded thread");
    const { session } = server.threads.get(threadId);
    const { contents } = await sessionCall("failed to read MCP resource", () => session.readMcpResource(name, uri));
    return { contents: Array.isArray(contents) ? contents : [], originCallId: originCallId ?? null };
  },
};

function toStatus(row: McpServerSnapshot, running: boolean): McpServerStatus {
  const { state } = row.state;
  return {
    name: row.name,
    runtimeStatus: !running
      ? null
      : row.state.state === "failed" && row.state.authenticationRequired
        ? "authenticationRequired"
        : state,
    pluginId: row.pluginId,
    serverInfo: row.serverInfo ? toInfo(row.serverInfo) : null,
    tools: Object.fromEntries(row.tools.map((tool) => [tool.name, tool as McpServerStatus["tools"][string]])),
    resources: [...row.resources] as McpServerStatus["resources"],
    resourceTemplates: [...row.resourceTemplates] as McpServerStatus["resourceTemplates"],
    authStatus: row.auth,
  };
}

function toInfo(info: Readonly<Record<string, unknown>>): NonNullable<McpServerStatus["serverInfo"]> {
  const text = (key: string) => (typeof info[key] === "string" ? (info[key] as string) : null);
  return {
    name: text("name") ?? "",
    title: text("title"),
    version: text("version") ?? "",
    description: text("description"),
    icons: Array.isArray(info.icons) ? (info.icons as unknown[]) : null,
    websiteUrl: text("websiteUrl"),
  };
}
