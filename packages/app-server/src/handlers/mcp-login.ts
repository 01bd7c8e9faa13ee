/** Signing in to MCP servers: the page to open is the reply, how it went is told to every client later. */
import { RpcErrorCode } from "@turnkit/protocol";
import { RpcError } from "@turnkit/rpc";
import type { Handlers, ServerContext } from "./handler.js";
import { sessionCall } from "./session-call.js";

export const mcpLoginHandlers: Handlers = {
  async "mcpServer/oauth/login"({ name, scopes, timeoutSecs, threadId, clientRegistration }, { server }) {
    if (threadId != null) server.threads.get(threadId);
    const { mcp } = await server.host();
    const servers = await sessionCall("failed to read MCP servers", () => mcp.servers());
    const { transport } = (Object.hasOwn(servers, name) ? servers[name] : undefined) ?? {};
    if (!transport) throw new RpcError(RpcErrorCode.invalidRequest, `No MCP server named '${name}' found.`);
    if (transport.type !== "http")
      throw new RpcError(RpcErrorCode.invalidRequest, "OAuth login is only supported for streamable HTTP servers.");
    if (clientRegistration === "cimd")
      throw new RpcError(RpcErrorCode.invalidRequest, 'params.clientRegistration must be "auto" or "dcr"');
    const login = await sessionCall(`failed to login to MCP server '${name}'`, () =>
      mcp.login({
        name,
        scopes: scopes ?? undefined,
        timeoutMs: timeoutSecs == null ? undefined : Math.max(1, timeoutSecs) * 1000,
      }),
    );
    login.completed.then(
      () => tell(server, name, threadId ?? null, null),
      (error: unknown) => tell(server, name, threadId ?? null, error instanceof Error ? error.message : String(error)),
    );
    return { authorizationUrl: login.authorizationUrl };
  },
};

function tell(server: ServerContext, name: string, threadId: string | null, error: string | null): void {
  server.notify(server.connections, "mcpServer/oauthLogin/completed", {
    name,
    threadId,
    success: error === null,
    ...(error !== null && { error }),
  });
  if (error !== null) return;
  // Threads that could not start the server before can now.
  const threads = server.threads.all().filter(({ id }) => threadId === null || id === threadId);
  for (const { session } of threads)
    session.retryMcpServer(name).catch((failed: unknown) => server.log(`MCP server ${name}: ${String(failed)}`));
}
