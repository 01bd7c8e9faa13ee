/**
 * The only place where core and exec-server meet: a session with its model, its files and the host of its
 * processes. Owns the lifetimes of what it puts together, no behaviour of theirs.
 */
import { join, resolve } from "node:path";
import {
  createResponsesClient,
  createSession,
  type InitialHistory,
  type LoadedHooks,
  type ModelProvider,
  type ProjectInstructions,
  readProjectInstructions,
  type Session,
  type SessionOptions,
  VERSION,
} from "@turnkit/core";
import {
  baseInstructionsOf,
  type Config,
  ConfigError,
  compactPromptOf,
  loadConfig,
  parseOverrides,
  profileSettings,
  readModelCatalogue,
  threadSettings,
  withWorkspaceRoots,
} from "@turnkit/core/config";
import { FileThreadStore, readThread } from "@turnkit/core/rollout";
import { connectExecServer } from "@turnkit/exec-server";
import { coveringStdio, LocalHost } from "@turnkit/exec-server/local-host";
import type { ThreadSettings } from "@turnkit/protocol";
import type { ProcessHost } from "@turnkit/protocol/exec";
import { projectThread } from "@turnkit/protocol/rollout";
import { ConfigCatalogue, unfinishedFeatures } from "./host/catalogue.js";
import { HostEnvironments, LOCAL_ENVIRONMENT } from "./host/environments.js";
import { FileQueues } from "./host/file-queues.js";
import { FileThreads } from "./host/file-threads.js";
import { writeFork } from "./host/fork-file.js";
import { configuredMcpServers, mcpOptions } from "./host/mcp.js";
import { withStoredApprovals, withStoredSettings } from "./host/stored-settings.js";
import { hooksFor, hookWarnings, skillsFor } from "./host/surroundings.js";
import type { ConfiguredMcp, OpenedThread, ThreadHost, ThreadOptions, ThreadOrigin } from "./ports.js";

export interface ComposeOptions {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `key=value`, as for `-c`. */
  readonly overrides: readonly string[];
  readonly log: (line: string) => void;
}

/** @throws {ConfigError} @throws {OverrideError} */
export async function composeHost(options: ComposeOptions): Promise<ThreadHost> {
  return new ComposedHost(options, parseOverrides(options.overrides));
}

type Client = ReturnType<typeof createResponsesClient>;

class ComposedHost implements ThreadHost {
  readonly home: string;
  readonly version = VERSION;
  readonly store: FileThreads;
  readonly queues: FileQueues;
  readonly catalogue: ConfigCatalogue;
  readonly mcp: ConfiguredMcp;
  readonly environments: HostEnvironments;
  readonly #options: ComposeOptions;
  readonly #overrides: Readonly<Record<string, unknown>>;
  readonly #clients = new Map<string, Client>();
  readonly #processHosts = new WeakMap<Session, ProcessHost>();
  /** Hosts of sessions that are over, until they are closed. */
  readonly #closing = new Set<Promise<void>>();

  constructor(options: ComposeOptions, overrides: Readonly<Record<string, unknown>>) {
    this.home = options.home;
    this.#options = options;
    this.#overrides = overrides;
    this.store = new FileThreads(options.home);
    this.queues = new FileQueues(options.home, options.log);
    this.mcp = configuredMcpServers(() => this.#config({}), { environment: options.env, host: () => new LocalHost() });
    this.catalogue = new ConfigCatalogue(() => this.#config({}), options.env);
    this.environments = new HostEnvironments(
      { local: () => new LocalHost(), remote: connectExecServer },
      options.env.TURNKIT_EXEC_SERVER_URL || options.env.CODEX_EXEC_SERVER_URL,
    );
  }

  async open(origin: ThreadOrigin, options: ThreadOptions): Promise<OpenedThread> {
    switch (origin.kind) {
      case "new":
        return this.#start(options, {});
      case "items":
        return this.#start(options, {
          history: { items: origin.items, usage: null, worldState: null, path: null } satisfies InitialHistory,
        });
      case "resume":
        return this.#resume(origin.path, options);
      case "fork": {
        const fork = await writeFork(origin.path, origin.lastTurnId, {
          home: this.home,
          originator: options.clientName,
          cwd: options.cwd,
        });
        return this.#resume(fork.path, options, { forkedFromId: fork.forkedFromId });
      }
    }
  }

  async #start(options: ThreadOptions, session: Partial<SessionOptions>): Promise<OpenedThread> {
    const config = await this.#config(options.config, options);
    const settings = withOptions(threadSettings(config, resolve(options.cwd ?? process.cwd())), options);
    const around = await surroundings(config, settings.cwd);
    const opened = await this.#create(config, settings, options, around, session);
    const now = Math.floor(Date.now() / 1000);
    return this.#opened(
      opened,
      {
        id: opened.threadId,
        sessionId: opened.threadId,
        forkedFromId: null,
        parentThreadId: null,
        path: opened.snapshot().rolloutPath,
        cwd: settings.cwd,
        createdAt: now,
        updatedAt: now,
        preview: "",
        modelProvider: settings.model_provider_id,
        source: "vscode",
        threadSource: options.threadSource,
        cliVersion: VERSION,
        gitInfo: null,
        name: null,
      },
      config,
      options,
      around,
    );
  }

  async #resume(
    path: string,
    options: ThreadOptions,
    session: Pick<SessionOptions, "forkedFromId"> = {},
  ): Promise<OpenedThread> {
    const stored = await readThread(path, { findFiles: (id) => this.store.files.findFiles(id) });
    const record = await this.store.read(path);
    if (!record || !stored.meta) throw new Error(`${path} has no readable head`);
    const config = await this.#config(options.config, options);
    const cwd = resolve(options.cwd ?? stored.lastTurnContext?.cwd ?? stored.meta.cwd);
    const chosen = {
      ...this.#overrides,
      ...options.config,
      ...(options.model !== undefined && { model: options.model }),
      ...(options.modelProvider !== undefined && { model_provider: options.modelProvider }),
    };
    const configured = threadSettings(config, cwd);
    const isFork = session.forkedFromId !== undefined;
    const kept = (isFork ? withStoredApprovals : withStoredSettings)(configured, stored, chosen);
    const settings = withOptions(kept, options);
    const around = await surroundings(config, settings.cwd);
    const opened = await this.#create(config, settings, options, around, {
      ...session,
      history: stored.history,
      threadId: stored.meta.id,
      sessionId: stored.meta.session_id ?? stored.meta.id,
    });
    const { records, inherited, wasInterrupted } = stored;
    return {
      ...this.#opened(opened, record, config, options, around),
      wasInterrupted,
      turns: () => projectThread(records, { inherited }).turns,
    };
  }

  async #create(
    config: Config,
    settings: ThreadSettings,
    options: ThreadOptions,
    { hooks }: Surroundings,
    session: Partial<SessionOptions>,
  ): ReturnType<typeof createSession> {
    const provider = config.providers[settings.model_provider_id];
    if (!provider) throw new ConfigError(unknownProvider(config, settings.model_provider_id));
    const { env, log } = this.#options;
    const baseInstructions = options.baseInstructions ?? (await baseInstructionsOf(config));
    const environmentId = options.environmentId ?? this.environments.defaultId;
    const compactPrompt = await compactPromptOf(config);
    const models = config.modelCatalogue === undefined ? undefined : await readModelCatalogue(config.modelCatalogue);
    const mcp = mcpOptions(config, { environment: env, host: () => new LocalHost() });
    const modelClient = this.#client(provider, options.clientName);
    // Last: whatever fails before has nothing to close.
    const processHost = await this.environments.open(environmentId);
    return await createSession({
      modelClient,
      settings,
      processHost,
      store: options.ephemeral ? null : new FileThreadStore(this.home),
      source: "vscode",
      originator: options.clientName,
      ...(options.startSource !== undefined && { startSource: options.startSource }),
      features: {
        defaultModeQuestions: config.features.default_mode_request_user_input ?? false,
        questionTool: config.questionTool,
        permissionTool: config.features.request_permissions_tool ?? false,
        commandPermissions: config.features.exec_permission_approvals ?? false,
      },
      logger: { warn: log, info: log },
      rulesFile: join(this.home, "rules", "default.rules"),
      instructionsFolder: this.home,
      projectInstructions: config.projectInstructions,
      // The proxy listens on this machine's loopback: processes of another do not reach it.
      ...(config.features.network_proxy && environmentId === LOCAL_ENVIRONMENT && { network: "ask" as const }),
      commandHooks: { handlers: hooks.runnable, environment: env, coverDescriptors: coveringStdio },
      ...(config.notify.length > 0 && {
        notify: { command: config.notify, environment: env, coverDescriptors: coveringStdio },
      }),
      skills: async (cwd) => (await skillsFor(config, cwd, env.HOME)).skills,
      ...(baseInstructions !== undefined && { baseInstructions }),
      ...developerInstructions(options.developerInstructions ?? config.developerInstructions),
      ...(config.contextWindow !== undefined && { modelContextWindow: config.contextWindow }),
      compaction: { prompt: compactPrompt, tokenLimit: config.compactionTokenLimit },
      exec: {
        loginAllowed: config.loginShellAllowed,
        environmentPolicy: config.environmentPolicy,
        environment: this.#options.env,
        ...(config.backgroundTerminalMaxTimeoutMs !== undefined && {
          maxPollMs: config.backgroundTerminalMaxTimeoutMs,
        }),
      },
      ...(models !== undefined && { models }),
      modelOverrides: config.modelOverrides,
      toldSections: config.toldSections,
      mcp,
      ...session,
    }).then(
      (created) => {
        this.#processHosts.set(created, processHost);
        return created;
      },
      async (error: unknown) => {
        await processHost[Symbol.asyncDispose]();
        throw error;
      },
    );
  }

  /** The last step before a session is handed over: whoever subscribes sets its MCP servers going. */
  #closeHostWith(session: Session): void {
    const processHost = this.#processHosts.get(session);
    session.subscribe(({ msg }) => {
      if (msg.type !== "shutdown_complete") return;
      const closed = Promise.resolve(processHost?.[Symbol.asyncDispose]())
        .catch((error: unknown) => this.#options.log(`process host did not close: ${String(error)}`))
        .finally(() => this.#closing.delete(closed));
      this.#closing.add(closed);
    });
  }

  #opened(
    session: Session,
    record: OpenedThread["record"],
    config: Config,
    options: ThreadOptions,
    { hooks, instructions }: Surroundings,
  ): OpenedThread {
    const { cwd } = session.snapshot().settings;
    this.#closeHostWith(session);
    return {
      session,
      record,
      instructionSources: instructions?.sources ?? [],
      workspaceRoots: options.workspaceRoots ?? [cwd],
      environmentId: options.environmentId ?? this.environments.defaultId,
      warnings: [...warningsOf(config), ...hookWarnings(hooks)],
    };
  }

  #config(overrides: Readonly<Record<string, unknown>>, options?: ThreadOptions): Promise<Config> {
    const named = {
      ...(options?.model !== undefined && { model: options.model }),
      ...(options?.modelProvider !== undefined && { model_provider: options.modelProvider }),
      ...(options?.sandbox !== undefined && { sandbox_mode: options.sandbox }),
    };
    return loadConfig({ home: this.home, overrides: this.#overrides, requested: { ...overrides, ...named } });
  }

  /** One client, and so one pool of connections, for each provider. */
  #client(provider: ModelProvider, userAgent: string): Client {
    const key = JSON.stringify(provider);
    const client =
      this.#clients.get(key) ?? createResponsesClient({ provider, environment: this.#options.env, userAgent });
    this.#clients.set(key, client);
    return client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.mcp[Symbol.asyncDispose]();
    await Promise.all(this.#closing);
    await Promise.all([...this.#clients.values()].map((client) => client[Symbol.asyncDispose]()));
  }
}

function withOptions(settings: ThreadSettings, options: ThreadOptions): ThreadSettings {
  return {
    ...withWorkspaceRoots(
      { ...settings, ...(options.permissions !== undefined && profileSettings(options.permissions, settings.cwd)) },
      options.workspaceRoots ?? [],
    ),
    ...(options.approvalPolicy !== undefined && { approval_policy: options.approvalPolicy }),
    ...(options.personality !== undefined && { personality: options.personality }),
    ...(options.serviceTier !== undefined && { service_tier: options.serviceTier }),
  };
}

/** Features that are not finished say so, and unknown keys of the configuration are named. */
/** What lies around a folder, read side by side; before anything is opened, so that a failure leaves nothing behind. */
async function surroundings(config: Config, cwd: string): Promise<Surroundings> {
  const [hooks, instructions] = await Promise.all([
    hooksFor(config, cwd),
    readProjectInstructions(cwd, config.home, config.projectInstructions),
  ]);
  return { hooks, instructions };
}

interface Surroundings {
  readonly hooks: LoadedHooks;
  readonly instructions: ProjectInstructions | undefined;
}

function warningsOf(config: Config): string[] {
  const unfinished = unfinishedFeatures.filter((name) => config.features[name]);
  if (unfinished.length === 0 || config.raw.suppress_unstable_features_warning === true) return [...config.warnings];
  const notice = `Under-development features enabled: ${unfinished.join(", ")}. Under-development features are incomplete and may behave unpredictably. To suppress this warning, set \`suppress_unstable_features_warning = true\` in ${config.home}/config.toml.`;
  return [...config.warnings, notice];
}

function developerInstructions(text: string | undefined): { developerInstructions?: string } {
  return text === undefined ? {} : { developerInstructions: text };
}

function unknownProvider(config: Config, id: string) {
  return {
    file: config.file ?? config.home,
    line: undefined,
    key: "model_provider",
    rule: `names "${id}", which is not under model_providers`,
  };
}
