/**
 * The life of one configured MCP server: started once, started again when it has died and is needed, ended with the
 * session. Owns its state and what is known of its tools; whoever wants to know of changes is told.
 */
import type { ProcessHost } from "@turnkit/protocol/exec";
import type { McpServerConfig } from "../config/mcp-config.js";
import type { McpConnection } from "./connection.js";
import type { ElicitationAnswer, ElicitationRequest } from "./elicitation.js";
import { McpError, McpLoginError, mcpErrorText } from "./errors.js";
import { bringsToken } from "./http-headers.js";
import type { McpAuth, McpServerSnapshot, McpServerState, McpToolInfo } from "./server-facts.js";

const NAME = /^[a-zA-Z0-9_-]+$/;

export interface McpServerOptions {
  readonly host: ProcessHost;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where sign-ins are kept; undefined: none are used. */
  readonly home: string | undefined;
  readonly log: (line: string) => void;
  readonly elicit: (server: string, request: ElicitationRequest, signal: AbortSignal) => Promise<ElicitationAnswer>;
  /** The state is another one, or the tools are. */
  readonly changed: (server: McpServer, what: "state" | "tools") => void;
}

export class McpServer {
  #state: McpServerState;
  #tools: readonly McpToolInfo[] = [];
  #connection: McpConnection | undefined;
  #starting: Promise<void> | undefined;
  #abort = new AbortController();

  constructor(
    readonly name: string,
    readonly config: McpServerConfig,
    private readonly options: McpServerOptions,
  ) {
    this.#state = { state: config.enabled ? "notStarted" : "disabled" };
  }

  get state(): McpServerState {
    return this.#state;
  }

  /** Those that the configuration lets through. A server that has died keeps them: it is started again for a call. */
  get tools(): readonly McpToolInfo[] {
    const { enabledTools, disabledTools } = this.config;
    return this.#tools.filter(({ name }) => (enabledTools?.includes(name) ?? true) && !disabledTools.includes(name));
  }

  get instructions(): string | undefined {
    return this.#connection?.instructions;
  }

  /** Resolves when it runs or has failed; never rejects. Does nothing when it runs, is disabled or was stopped. */
  start(): Promise<void> {
    if (this.#state.state === "disabled" || this.#abort.signal.aborted || this.#connection) return Promise.resolve();
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  /** The running server; one that has died is started again, once. @throws {McpError} it does not run */
  async connection(): Promise<McpConnection> {
    await this.start();
    if (this.#connection) return this.#connection;
    const { state } = this;
    throw new McpError(state.state === "failed" ? state.error : `MCP server '${this.name}' is ${state.state}`);
  }

  /** What a person is shown of it. With `resources`, the server is asked for them. */
  async snapshot(options: { readonly resources: boolean; readonly signal: AbortSignal }): Promise<McpServerSnapshot> {
    const connection = this.#connection;
    const all = options.resources && connection?.offers.resources === true;
    const list = async (page: (cursor: string | undefined) => Promise<Record<string, unknown>>, key: string) =>
      all ? await pages(page, key).catch(() => []) : [];
    return {
      name: this.name,
      pluginId: this.config.plugin?.id ?? null,
      state: this.#state,
      serverInfo: connection?.serverInfo ?? null,
      tools: this.tools,
      resources: await list((cursor) => connection!.listResources(cursor, options.signal), "resources"),
      resourceTemplates: await list(
        (cursor) => connection!.listResourceTemplates(cursor, options.signal),
        "resourceTemplates",
      ),
      auth: await this.#auth(),
    };
  }

  /** Ends it for good. */
  async stop(): Promise<void> {
    this.#abort.abort();
    const connection = this.#connection;
    this.#connection = undefined;
    await Promise.all([this.#starting, connection?.close().catch(() => {})]);
  }

  async #start(): Promise<void> {
    this.#become({ state: "starting" });
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), this.config.startupTimeoutMs);
    const signal = AbortSignal.any([limit.signal, this.#abort.signal]);
    let connection: McpConnection | undefined;
    try {
      if (!NAME.test(this.name))
        throw new McpError(`Invalid MCP server name '${this.name}': must match pattern ${NAME.source}`);
      connection = await this.#connect(signal);
      const tools = await this.#list(connection, signal);
      if (this.#abort.signal.aborted) throw new McpError("stopped");
      this.#connection = connection;
      this.#tools = tools;
      this.#become({ state: "connected" });
    } catch (error) {
      await connection?.close().catch(() => {});
      if (this.#abort.signal.aborted) this.#become({ state: "cancelled" });
      else this.#become(this.#failure(error, limit.signal.aborted));
    } finally {
      clearTimeout(timer);
    }
  }

  async #connect(signal: AbortSignal): Promise<McpConnection> {
    const { connect } = await import("./connection.js");
    signal.throwIfAborted();
    const { host, cwd, environment, home, log, elicit } = this.options;
    let connection: McpConnection | undefined;
    connection = await connect({
      name: this.name,
      config: this.config,
      host,
      cwd,
      environment,
      home,
      signal,
      log: (line) => log(`MCP server ${this.name}: ${line}`),
      elicit: (request, requestSignal) => elicit(this.name, request, requestSignal),
      toolsChanged: () => void this.#listAgain(),
      closed: () => {
        if (this.#connection === connection) this.#connection = undefined;
      },
    });
    return connection;
  }

  #failure(error: unknown, timedOut: boolean): McpServerState {
    if (error instanceof McpLoginError)
      return { state: "failed", error: error.message, authenticationRequired: true, loginExpired: error.again };
    const seconds = this.config.startupTimeoutMs / 1000;
    const message = timedOut
      ? `timed out after ${seconds} ${seconds === 1 ? "second" : "seconds"}. Add or adjust \`startup_timeout_sec\` in your config.toml:\n[mcp_servers.${this.name}]\nstartup_timeout_sec = XX`
      : `failed to start: MCP startup failed: ${mcpErrorText(error)}`;
    return {
      state: "failed",
      error: `MCP client for \`${this.name}\` ${message}`,
      authenticationRequired: error instanceof McpError && error.authenticationRequired,
      loginExpired: false,
    };
  }

  /** The model reads from which plugin a tool comes. */
  async #list(connection: McpConnection, signal: AbortSignal): Promise<readonly McpToolInfo[]> {
    const tools = await connection.listTools(signal);
    const { plugin } = this.config;
    return plugin ? tools.map((tool) => ({ ...tool, description: ofPlugin(tool.description, plugin.name) })) : tools;
  }

  async #listAgain(): Promise<void> {
    try {
      if (!this.#connection) return;
      this.#tools = await this.#list(this.#connection, this.#abort.signal);
      this.options.changed(this, "tools");
    } catch (error) {
      this.options.log(`MCP server ${this.name}: its tools could not be listed: ${mcpErrorText(error)}`);
    }
  }

  #become(state: McpServerState): void {
    this.#state = state;
    this.options.changed(this, "state");
  }

  async #auth(): Promise<McpAuth> {
    const { transport } = this.config;
    const { state } = this;
    if (transport.type === "stdio") return "unsupported";
    if (bringsToken(transport)) return "bearerToken";
    if (state.state === "failed" && state.authenticationRequired) return "notLoggedIn";
    const { home } = this.options;
    if (home !== undefined) {
      const { hasSignedIn } = await import("./oauth/auth-status.js");
      if (await hasSignedIn(home, this.name, transport.url).catch(() => false)) return "oAuth";
    }
    return state.state === "failed" ? "unknown" : "unsupported";
  }
}

function ofPlugin(description: string | undefined, plugin: string): string {
  const own = description?.trimEnd() ?? "";
  const ended = own === "" || /[.!?]$/.test(own) ? own : `${own}.`;
  return `${ended} This tool is part of plugin \`${plugin}\`.`.trimStart();
}

/** Every entry of a list that comes in pages. */
export async function pages(
  page: (cursor: string | undefined) => Promise<Record<string, unknown>>,
  key: string,
): Promise<unknown[]> {
  const entries: unknown[] = [];
  const seen = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const answer = await page(cursor);
    const found = answer[key];
    if (Array.isArray(found)) entries.push(...found);
    const next = answer.nextCursor;
    if (typeof next !== "string" || seen.has(next)) return entries;
    seen.add(next);
    cursor = next;
  }
}
