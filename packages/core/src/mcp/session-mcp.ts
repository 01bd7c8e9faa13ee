/**
 * MCP as one session has it: its servers, their tools, who is asked. Made only where a server is configured or a skill
 * may ask for one; loads the client library with the first server that starts.
 */
import type { EventMsg, ThreadSettings } from "@turnkit/protocol";
import type { ProcessHost } from "@turnkit/protocol/exec";
import type { Clock, PauseSignal, Tool } from "@turnkit/tools";
import type { McpServerConfig } from "../config/mcp-config.js";
import type { PluginServer } from "../context/plugins/plugin-hint.js";
import type { Skill } from "../context/skills/skill.js";
import type { PermissionOutcome, PermissionRequest } from "../hooks/permission-request.js";
import type { Modality } from "./call-output.js";
import type { ElicitationAnswer, ElicitationRequest } from "./elicitation.js";
import { McpServers } from "./mcp-servers.js";
import { createMcpTool, type McpToolOptions } from "./mcp-tools.js";
import { createResourceTools } from "./resource-tools.js";
import { installQuestion, SkillServers } from "./skill-servers.js";
import { mayAsk, ToolApprovals } from "./tool-approval.js";

/** What a session is given so that it can have MCP servers. */
export interface McpOptions {
  /** As the configuration names them. */
  readonly servers: Readonly<Record<string, McpServerConfig>>;
  /** Runs the servers that are commands; the session ends it. */
  readonly host: ProcessHost;
  /** What servers may inherit; default: this process's environment. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the folder in which sign-ins are kept. Without it no server is signed in to. */
  readonly home?: string;
  /** Keeps that a tool need not be asked for again. */
  readonly keepApproval?: (server: string, tool: string) => Promise<void>;
  /** Keeps a server that the person agreed to. */
  readonly keepServer?: (name: string, config: McpServerConfig) => Promise<void>;
}

export interface SessionMcpParts {
  readonly threadId: string;
  readonly cwd: string;
  readonly clock: Clock;
  readonly pause: PauseSignal;
  readonly log: (line: string) => void;
  readonly settings: () => ThreadSettings;
  readonly modalities: () => readonly Modality[];
  readonly activeTurnId: () => string | null;
  readonly emit: (turnId: string, event: EventMsg) => void;
  readonly ask: (
    server: string,
    turnId: string | null,
    request: ElicitationRequest,
    signal: AbortSignal,
  ) => Promise<ElicitationAnswer>;
  readonly permissionRequest: (
    request: PermissionRequest,
    signal: AbortSignal,
  ) => Promise<PermissionOutcome | undefined>;
}

/** What a person's input points at, each once. */
export interface NeededByInput {
  /** Names of servers. */
  readonly servers: readonly string[];
  /** Ids of plugins. */
  readonly plugins: readonly string[];
  readonly skills: readonly Skill[];
}

export class SessionMcp implements AsyncDisposable {
  readonly servers: McpServers;
  readonly #skillServers = new SkillServers();
  readonly #toolOptions: McpToolOptions;
  #tools: { readonly version: number; readonly list: readonly Tool[] } | undefined;

  constructor(
    private readonly options: McpOptions,
    private readonly parts: SessionMcpParts,
  ) {
    this.servers = new McpServers({
      servers: options.servers,
      host: options.host,
      cwd: parts.cwd,
      environment: options.environment ?? process.env,
      home: options.home,
      log: parts.log,
      report: (event) => parts.emit("", event),
      elicit: async (server, request, signal) => {
        if (!mayAsk(parts.settings().approval_policy)) return { action: "decline" };
        return await parts.ask(server, parts.activeTurnId(), request, signal);
      },
    });
    this.#toolOptions = {
      servers: this.servers,
      threadId: parts.threadId,
      clock: parts.clock,
      pause: parts.pause,
      approvals: new ToolApprovals(options.keepApproval, (message) => this.#warn(message)),
      settings: parts.settings,
      modalities: parts.modalities,
      permissionRequest: parts.permissionRequest,
      ask: parts.ask,
    };
  }

  /** Another number whenever the tools are others. */
  get version(): number {
    return this.servers.version;
  }

  /** What the model is offered beside the session's own tools. */
  get tools(): readonly Tool[] {
    const { version } = this;
    if (this.#tools?.version !== version) {
      const list = this.servers.tools.map((named) => createMcpTool(named, this.#toolOptions));
      this.#tools = { version, list: this.servers.isEmpty ? [] : [...createResourceTools(this.#toolOptions), ...list] };
    }
    return this.#tools.list;
  }

  /** Those of plugins that run. */
  get pluginServers(): readonly PluginServer[] {
    return this.servers.ofPlugins.filter(({ name }) => this.servers.get(name)?.state.state === "connected");
  }

  /**
   * Before the model is asked: the servers that the input and its skills need run, or have failed. Others are waited
   * for no longer than `graceMs`.
   */
  async prepare(turnId: string, input: NeededByInput, graceMs: number, signal: AbortSignal): Promise<void> {
    for (const missing of this.#skillServers.takeMissing(input.skills, (name) => this.servers.has(name))) {
      if (signal.aborted) return;
      if (!mayAsk(this.parts.settings().approval_policy)) {
        this.#warn(
          `The skill "${missing.skill}" needs the MCP server "${missing.name}", which is not configured.`,
          turnId,
        );
        continue;
      }
      const answer = await this.parts.ask(missing.name, turnId, installQuestion(missing), signal);
      if (answer.action !== "accept" || signal.aborted) continue;
      await this.options
        .keepServer?.(missing.name, missing.config)
        .catch((error: unknown) =>
          this.#warn(`The MCP server "${missing.name}" could not be kept: ${String((error as Error).message)}`, turnId),
        );
      void this.servers.add(missing.name, missing.config);
    }
    // Nobody asked for one of them by name: one that has failed is not tried again.
    const ofPlugins = this.servers.ofPlugins.filter(
      ({ name, plugin }) => input.plugins.includes(plugin.id) && this.servers.get(name)?.state.state !== "failed",
    );
    const needed = [...input.servers, ...ofPlugins.map(({ name }) => name), ...this.#skillServers.needed(input.skills)];
    await this.servers.settle(needed, graceMs, signal);
  }

  #warn(message: string, turnId = this.parts.activeTurnId() ?? ""): void {
    this.parts.emit(turnId, { type: "warning", message });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.servers[Symbol.asyncDispose]();
  }
}
