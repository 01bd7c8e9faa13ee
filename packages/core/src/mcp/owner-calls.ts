/** Calls that the session's owner makes of MCP servers, outside of any turn. */

import { McpError, mcpErrorText } from "./errors.js";
import type { LazyMcp } from "./lazy-mcp.js";
import type { McpServer } from "./mcp-server.js";
import type { McpCallResult } from "./server-facts.js";
import { callFailure } from "./tool-call.js";

/** @throws {McpError} */
function serverOf(mcp: LazyMcp | undefined, name: string): McpServer {
  const server = mcp?.current?.servers.get(name);
  if (!server) throw new McpError(`unknown MCP server '${name}'`);
  return server;
}

/** @throws {McpError} */
export async function ownerCall(
  mcp: LazyMcp | undefined,
  name: string,
  tool: string,
  input: unknown,
  meta: unknown,
): Promise<McpCallResult> {
  const server = serverOf(mcp, name);
  try {
    const connection = await server.connection();
    return await connection.callTool(tool, input ?? {}, { signal: limit(server), meta });
  } catch (error) {
    throw new McpError(callFailure(name, tool, error), false, { cause: error });
  }
}

/** @throws {McpError} */
export async function ownerRead(
  mcp: LazyMcp | undefined,
  name: string,
  uri: string,
): Promise<Readonly<Record<string, unknown>>> {
  const server = serverOf(mcp, name);
  try {
    return await (await server.connection()).readResource(uri, limit(server));
  } catch (error) {
    throw new McpError(`resources/read failed for \`${name}\` (${uri}): ${mcpErrorText(error)}`, false, {
      cause: error,
    });
  }
}

function limit(server: McpServer): AbortSignal {
  return AbortSignal.timeout(server.config.toolTimeoutMs);
}
