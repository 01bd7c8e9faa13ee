/**
 * The MCP servers of one session. They start side by side and none waits for another. Owns which servers there are and
 * in which order their start is told; what their tools do is elsewhere.
 */
import type { EventMsg } from "@turnkit/protocol";
import type { ProcessHost } from "@turnkit/protocol/exec";
import type { McpServerConfig } from "../config/mcp-config.js";
import type { PluginServer } from "../context/plugins/plugin-hint.js";
import type { ElicitationAnswer, ElicitationRequest } from "./elicitation.js";
import { McpError } from "./errors.js";
import { McpServer } from "./mcp-server.js";
import type { McpServerSnapshot, McpToolInfo } from "./server-facts.js";
import { type NamedTool, nameTools } from "./tool-names.js";

export interface McpServersOptions {
  readonly servers: Readonly<Record<string, McpServerConfig>>;
  /** Runs the servers that are commands. */
  readonly host: ProcessHost;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where sign-ins are kept; undefined: none are used. */
  readonly home: string | undefined;
  readonly log: (line: string) => void;
  readonly elicit: (server: string, request: ElicitationRequest, signal: AbortSignal) => Promise<ElicitationAnswer>;
  readonly report: (event: EventMsg) => void;
}

export class McpServers implements AsyncDisposable {
  readonly #servers = new Map<string, McpServer>();
  readonly #host: ProcessHost;
  #listed: readonly NamedTool<McpToolInfo>[] | undefined;
  #started = false;
  #version = 0;
  /** Reports from before anybody listened. */
  #held: EventMsg[] | undefined = [];

  constructor(private readonly options: McpServersOptions) {
    this.#host = options.host;
    for (const [name, config] of Object.entries(options.servers)) this.#add(name, config);
  }

  has(name: string): boolean {
    return this.#servers.has(name);
  }

  get(name: string): McpServer | undefined {
    return this.#servers.get(name);
  }

  get names(): readonly string[] {
    return [...this.#servers.keys()];
  }

  /** Those that a plugin brought. */
  get ofPlugins(): readonly PluginServer[] {
    return [...this.#servers.values()].flatMap(({ name, config: { plugin } }) => (plugin ? [{ name, plugin }] : []));
  }

  get isEmpty(): boolean {
    return ![...this.#servers.values()].some(({ config }) => config.enabled);
  }

  /** Another number whenever the tools are others. */
  get version(): number {
    return this.#version;
  }

  /** By the names the model knows them by. */
  get tools(): readonly NamedTool<McpToolInfo>[] {
    this.#listed ??= nameTools(
      [...this.#servers.values()].flatMap(({ name, tools }) => tools.map((tool) => ({ server: name, tool }))),
    );
    return this.#listed;
  }

  /** Those without which the session must not begin. @throws {McpError} one of them does not start */
  async startRequired(): Promise<void> {
    const required = [...this.#servers.values()].filter(({ config }) => config.enabled && config.required);
    await Promise.all(required.map((server) => server.start()));
    const failed = required.flatMap(({ name, state }) =>
      state.state === "failed" ? [`${name}: ${state.error.replace(/^.*MCP startup failed: /, "")}`] : [],
    );
    if (failed.length > 0) throw new McpError(`required MCP servers failed to initialize: ${failed.join("; ")}`);
  }

  /** Starts the others, and tells what has been and will be reported. Once. */
  start(): void {
    if (this.#started) return;
    this.#started = true;
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const event of held) this.options.report(event);
    void this.#startAll();
  }

  async #startAll(): Promise<void> {
    const servers = [...this.#servers.values()].filter(({ config }) => config.enabled);
    await Promise.all(servers.map((server) => server.start()));
    if (servers.length === 0) return;
    const named = (state: string) => servers.filter((server) => server.state.state === state).map(({ name }) => name);
    this.#report({
      type: "mcp_startup_complete",
      ready: named("connected"),
      failed: servers.flatMap(({ name, state }) =>
        state.state === "failed" ? [{ server: name, error: state.error }] : [],
      ),
      cancelled: named("cancelled"),
    });
  }

  /**
   * Waits until the named servers have started or failed, and for the others no longer than `graceMs`.
   * Names of servers that do not exist mean nothing. Ends early with the signal.
   */
  async settle(names: readonly string[], graceMs: number, signal: AbortSignal): Promise<void> {
    this.start();
    const required = names.flatMap((name) => this.#servers.get(name)?.start() ?? []);
    const all = [...this.#servers.values()].filter(({ state }) => state.state === "starting").map((s) => s.start());
    await endsWith(
      Promise.all([...required, Promise.race([Promise.all(all), after(all.length > 0 ? graceMs : 0)])]),
      signal,
    );
  }

  /** Adds a server to the session and starts it. */
  async add(name: string, config: McpServerConfig): Promise<void> {
    if (this.#servers.has(name)) return;
    await this.#add(name, config).start();
  }

  /** Stops what is no longer configured or configured otherwise, and starts what is new. */
  async reload(servers: Readonly<Record<string, McpServerConfig>>): Promise<void> {
    const old = [...this.#servers.values()];
    this.#servers.clear();
    const kept = (server: McpServer) =>
      server.state.state === "connected" && JSON.stringify(servers[server.name]) === JSON.stringify(server.config);
    for (const server of old) if (kept(server)) this.#servers.set(server.name, server);
    const stopped = old.filter((server) => this.#servers.get(server.name) !== server).map((server) => server.stop());
    for (const [name, config] of Object.entries(servers)) if (!this.#servers.has(name)) this.#add(name, config);
    this.#toolsChanged();
    await Promise.all(stopped);
    this.#started = true;
    void this.#startAll();
  }

  snapshots(options: { readonly resources: boolean; readonly signal: AbortSignal }): Promise<McpServerSnapshot[]> {
    const servers = [...this.#servers.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    return Promise.all(servers.map((server) => server.snapshot(options)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.stop()));
    await this.#host[Symbol.asyncDispose]();
  }

  #add(name: string, config: McpServerConfig): McpServer {
    const { host, cwd, environment, home, log, elicit } = this.options;
    const server = new McpServer(name, config, {
      host,
      cwd,
      environment,
      home,
      log,
      elicit,
      changed: (changed, what) => this.#changed(changed, what),
    });
    this.#servers.set(name, server);
    return server;
  }

  #changed({ name, state }: McpServer, what: "state" | "tools"): void {
    if (what === "tools" || state.state === "connected") this.#toolsChanged();
    if (what === "tools") return;
    if (state.state === "starting" || state.state === "cancelled")
      this.#report({ type: "mcp_startup_update", server: name, status: { state: state.state } });
    else if (state.state === "connected")
      this.#report({ type: "mcp_startup_update", server: name, status: { state: "ready" } });
    else if (state.state === "failed")
      this.#report({
        type: "mcp_startup_update",
        server: name,
        status: { state: "failed", error: state.error },
        ...(state.loginExpired && { failure_reason: "reauthentication_required" }),
      });
  }

  #toolsChanged(): void {
    this.#listed = undefined;
    this.#version += 1;
  }

  #report(event: EventMsg): void {
    if (this.#held) this.#held.push(event);
    else this.options.report(event);
  }
}

function after(ms: number): Promise<void> {
  return ms === 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms).unref());
}

/** Resolves with the work or with the signal, whichever comes first. */
async function endsWith(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  let stop: () => void = () => {};
  const aborted = new Promise<void>((resolve) => {
    stop = resolve;
  });
  if (signal.aborted) return;
  signal.addEventListener("abort", stop, { once: true });
  try {
    await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
