/**
 * MCP of a session, made when it is first needed: with a configured server at once, else with a skill that depends on
 * one or with a changed configuration. A session that never needs it loads none of it.
 */
import type { Tool } from "@turnkit/tools";
import type { McpServerConfig } from "../config/mcp-config.js";
import type { McpServerSnapshot } from "./server-facts.js";
import type { McpOptions, NeededByInput, SessionMcp, SessionMcpParts } from "./session-mcp.js";

/** With the first turn servers that are just starting get this long, so that its request can name their tools. */
const FIRST_TURN_GRACE_MS = 2000;
const NO_TOOLS: readonly Tool[] = [];

export class LazyMcp implements AsyncDisposable {
  #mcp: SessionMcp | undefined;
  #opening: Promise<SessionMcp> | undefined;
  #followed = false;
  #hadTurn = false;
  #disposed = false;

  constructor(
    private readonly options: McpOptions,
    private readonly parts: SessionMcpParts,
  ) {}

  /** What there is by now. */
  get current(): SessionMcp | undefined {
    return this.#mcp;
  }

  get tools(): readonly Tool[] {
    return this.#mcp?.tools ?? NO_TOOLS;
  }

  /** Another number whenever the tools are others. */
  get version(): number {
    return this.#mcp?.version ?? 0;
  }

  /** Before anybody knows the session. @throws {McpError} a required server does not start */
  async openConfigured(): Promise<void> {
    const servers = Object.values(this.options.servers);
    if (!servers.some(({ enabled }) => enabled)) return;
    const mcp = await this.open();
    if (servers.some(({ enabled, required }) => enabled && required)) await mcp.servers.startRequired();
  }

  open(): Promise<SessionMcp> {
    this.#opening ??= import("./session-mcp.js").then(async ({ SessionMcp }) => {
      const mcp = new SessionMcp(this.options, this.parts);
      this.#mcp = mcp;
      if (this.#disposed) await mcp[Symbol.asyncDispose]();
      else if (this.#followed) mcp.servers.start();
      return mcp;
    });
    return this.#opening;
  }

  /** Somebody listens: servers start, in a later step, and what they have done so far is told. */
  follow(): void {
    if (this.#followed) return;
    this.#followed = true;
    setImmediate(() => {
      if (!this.#disposed) this.#mcp?.servers.start();
    });
  }

  /** Before the model is asked; see {@link SessionMcp.prepare}. */
  async prepare(turnId: string, input: NeededByInput, signal: AbortSignal): Promise<void> {
    const dependent = input.skills.some(({ dependencies }) => dependencies.some(({ type }) => type === "mcp"));
    const mcp = this.#mcp ?? (dependent ? await this.open() : undefined);
    if (!mcp) return;
    const graceMs = this.#hadTurn ? 0 : FIRST_TURN_GRACE_MS;
    this.#hadTurn = true;
    await mcp.prepare(turnId, input, graceMs, signal);
  }

  /** Of all servers there are; servers that nobody uses yet are not started for it. */
  async snapshots(options: {
    readonly resources?: boolean;
    readonly signal?: AbortSignal;
  }): Promise<readonly McpServerSnapshot[]> {
    if (!this.#mcp && Object.keys(this.options.servers).length === 0) return [];
    const { servers } = await this.open();
    return await servers.snapshots({
      resources: options.resources ?? false,
      signal: options.signal ?? new AbortController().signal,
    });
  }

  async reload(servers: Readonly<Record<string, McpServerConfig>>): Promise<void> {
    if (!this.#mcp && !Object.values(servers).some(({ enabled }) => enabled)) return;
    await (await this.open()).servers.reload(servers);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed = true;
    const mcp = await this.#opening?.catch(() => undefined);
    if (mcp) await mcp[Symbol.asyncDispose]();
    else await this.options.host[Symbol.asyncDispose]();
  }
}
