/**
 * One connection to one MCP server through the official client. The only file that knows that library's client; it is
 * loaded with the first server that is started. Owns the transport; does not own when a server is started or asked.
 */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  ElicitRequestSchema,
  ListResourcesResultSchema,
  ListResourceTemplatesResultSchema,
  ListToolsResultSchema,
  PromptListChangedNotificationSchema,
  ResultSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { ProcessHost } from "@turnkit/protocol/exec";
import type { McpServerConfig } from "../config/mcp-config.js";
import { freshId } from "../ids.js";
import { VERSION } from "../version.js";
import type { ElicitationAnswer, ElicitationRequest } from "./elicitation.js";
import { McpError, mcpErrorText } from "./errors.js";
import { bringsToken, configuredHeaders } from "./http-headers.js";
import type { McpCallResult, McpToolInfo } from "./server-facts.js";
import { StdioTransport } from "./stdio-transport.js";

/** Variables that a server gets without being given them. */
const INHERITED =
  "HOME LOGNAME PATH SHELL USER __CF_USER_TEXT_ENCODING LANG LC_ALL TERM TMPDIR TZ SystemRoot PATHEXT".split(" ");
/** Node's timers take no more; our own limits end requests. */
const NO_TIMEOUT = 2 ** 31 - 1;

export interface ConnectOptions {
  readonly name: string;
  readonly config: McpServerConfig;
  readonly host: ProcessHost;
  /** The thread's folder. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where sign-ins are kept; undefined: none are used. */
  readonly home: string | undefined;
  readonly log: (line: string) => void;
  readonly elicit: (request: ElicitationRequest, signal: AbortSignal) => Promise<ElicitationAnswer>;
  readonly toolsChanged: () => void;
  readonly closed: () => void;
  readonly signal: AbortSignal;
}

export interface McpConnection {
  readonly serverInfo: Readonly<Record<string, unknown>> | null;
  readonly instructions: string | undefined;
  readonly offers: { readonly tools: boolean; readonly resources: boolean };
  listTools(signal: AbortSignal): Promise<readonly McpToolInfo[]>;
  callTool(
    tool: string,
    input: unknown,
    options: { readonly signal: AbortSignal; readonly meta?: unknown; readonly progress?: (text: string) => void },
  ): Promise<McpCallResult>;
  listResources(cursor: string | undefined, signal: AbortSignal): Promise<Record<string, unknown>>;
  listResourceTemplates(cursor: string | undefined, signal: AbortSignal): Promise<Record<string, unknown>>;
  readResource(uri: string, signal: AbortSignal): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

/** @throws {McpError} why it could not be reached */
export async function connect(options: ConnectOptions): Promise<McpConnection> {
  const client = new Client(
    { name: "turnkit", title: "Turnkit", version: VERSION },
    { capabilities: { elicitation: { form: {}, url: {} } } },
  );
  client.setRequestHandler(ElicitRequestSchema, async (request, { signal }) => {
    const answer = await options.elicit(elicitation(request.params), signal);
    return { action: answer.action, ...(answer.action === "accept" && { content: contentOf(answer.content) }) };
  });
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => options.toolsChanged());
  client.setNotificationHandler(PromptListChangedNotificationSchema, () => {});
  client.onerror = (error) => options.log(mcpErrorText(error));
  const transport = await transportOf(options);
  let connected = false;
  client.onclose = () => connected && options.closed();
  try {
    await client.connect(transport as Transport, { signal: options.signal, timeout: NO_TIMEOUT });
  } catch (error) {
    await transport.close().catch(() => {});
    throw startError(error, options.config);
  }
  connected = true;
  return new SdkConnection(client, transport as Transport);
}

async function transportOf(options: ConnectOptions): Promise<Transport> {
  const { name, config, host, cwd, environment, home, log } = options;
  const { transport } = config;
  if (transport.type === "stdio") {
    const names = [...INHERITED, ...transport.envVars];
    const inherited = names.flatMap((key) =>
      environment[key] === undefined ? [] : [[key, environment[key]] as const],
    );
    return new StdioTransport({
      host,
      log,
      start: {
        processId: `mcp-${name}-${freshId()}`,
        argv: [transport.command, ...transport.args],
        cwd: transport.cwd ?? cwd,
        env: { ...Object.fromEntries(inherited), ...transport.env },
      },
    });
  }
  const headers = configuredHeaders(name, transport, environment);
  const { url, oauthResource: resource } = transport;
  if (home === undefined || bringsToken(transport))
    return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }) as Transport;
  const { signedInFetch } = await import("./oauth/stored-sign-in.js");
  const fetch = signedInFetch({ name, url, headers, home, resource });
  return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers }, fetch }) as Transport;
}

function startError(error: unknown, config: McpServerConfig): McpError {
  if (error instanceof McpError) return error;
  const text = mcpErrorText(error);
  if (config.transport.type === "stdio")
    return text === "Transport closed"
      ? new McpError("handshaking with MCP server failed: connection closed: initialize response")
      : new McpError(text);
  const { code } = error as { code?: unknown };
  const refused = code === 401 || (error as Error).name === "UnauthorizedError";
  return new McpError(refused ? "the server wants a token (HTTP 401)" : `cannot reach the server: ${text}`, refused);
}

function elicitation(params: Record<string, unknown>): ElicitationRequest {
  const meta = params._meta ?? null;
  const message = String(params.message ?? "");
  return params.mode === "url"
    ? { mode: "url", meta, message, url: String(params.url), elicitationId: String(params.elicitationId) }
    : { mode: "form", meta, message, requestedSchema: params.requestedSchema };
}

function contentOf(content: unknown): Record<string, string | number | boolean | string[]> {
  return typeof content === "object" && content !== null && !Array.isArray(content)
    ? (content as Record<string, string | number | boolean | string[]>)
    : {};
}

class SdkConnection implements McpConnection {
  constructor(
    private readonly client: Client,
    private readonly transport: Transport,
  ) {}

  get serverInfo() {
    return (this.client.getServerVersion() as Record<string, unknown> | undefined) ?? null;
  }

  get instructions() {
    return this.client.getInstructions();
  }

  get offers() {
    const offered = this.client.getServerCapabilities();
    return { tools: offered?.tools !== undefined, resources: offered?.resources !== undefined };
  }

  async listTools(signal: AbortSignal): Promise<readonly McpToolInfo[]> {
    if (!this.offers.tools) return [];
    const tools: McpToolInfo[] = [];
    const seen = new Set<string>();
    for (let cursor: string | undefined; ; ) {
      const page = await this.client.request(
        { method: "tools/list", params: cursor === undefined ? {} : { cursor } },
        ListToolsResultSchema,
        { signal, timeout: NO_TIMEOUT },
      );
      tools.push(...(page.tools as readonly McpToolInfo[]));
      cursor = page.nextCursor;
      // A server that gives the same page again would never come to an end.
      if (cursor === undefined || seen.has(cursor)) return tools;
      seen.add(cursor);
    }
  }

  async callTool(
    tool: string,
    input: unknown,
    options: { readonly signal: AbortSignal; readonly meta?: unknown; readonly progress?: (text: string) => void },
  ): Promise<McpCallResult> {
    const { progress, meta } = options;
    // The library's own check of results knows fewer kinds of content than servers send.
    const result: Record<string, unknown> = await this.client.request(
      {
        method: "tools/call",
        params: {
          name: tool,
          arguments: input as Record<string, unknown>,
          ...(meta != null && { _meta: meta as Record<string, unknown> }),
        },
      },
      ResultSchema,
      {
        signal: options.signal,
        timeout: NO_TIMEOUT,
        ...(progress && { onprogress: (step) => progress(progressText(step)) }),
      },
    );
    const { content = [], structuredContent, isError, _meta } = result;
    if (!Array.isArray(content) || !content.every(isContent)) throw new McpError("Unexpected response type");
    return {
      content,
      ...(structuredContent !== undefined && { structuredContent }),
      ...(isError === true && { isError }),
      ...(_meta !== undefined && { _meta }),
    };
  }

  listResources(cursor: string | undefined, signal: AbortSignal): Promise<Record<string, unknown>> {
    return this.client.request(
      { method: "resources/list", params: cursor === undefined ? {} : { cursor } },
      ListResourcesResultSchema,
      { signal, timeout: NO_TIMEOUT },
    );
  }

  listResourceTemplates(cursor: string | undefined, signal: AbortSignal): Promise<Record<string, unknown>> {
    return this.client.request(
      { method: "resources/templates/list", params: cursor === undefined ? {} : { cursor } },
      ListResourceTemplatesResultSchema,
      { signal, timeout: NO_TIMEOUT },
    );
  }

  readResource(uri: string, signal: AbortSignal): Promise<Record<string, unknown>> {
    return this.client.request({ method: "resources/read", params: { uri } }, ResultSchema, {
      signal,
      timeout: NO_TIMEOUT,
    });
  }

  async close(): Promise<void> {
    this.client.onclose = () => {};
    if (this.transport instanceof StreamableHTTPClientTransport)
      // A server that keeps sessions may forget this one; one that does not answers with an error.
      await Promise.race([this.transport.terminateSession().catch(() => {}), delay(1000)]);
    await this.client.close();
  }
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}

function isContent(value: unknown): boolean {
  return typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";
}

function progressText(step: { progress: number; total?: number | undefined; message?: string | undefined }): string {
  return step.message ?? (step.total === undefined ? String(step.progress) : `${step.progress}/${step.total}`);
}
