/**
 * The configuration in force: `config.toml` of the home folder, then overrides. Keys are the reference's.
 * Unknown keys are warnings, or errors when strict. Owns reading and defaults, not what is done with them.
 */
import path from "node:path";
import type {
  ConfigEnvironmentPolicy,
  ConfigFile,
  ConfigMcpServer,
  Personality,
  ThreadSettings,
} from "@turnkit/protocol";
// Types only: the tools themselves are not loaded to read a configuration.
import type { ShellEnvironmentPolicy } from "@turnkit/tools";
import { PROJECT_INSTRUCTION_DEFAULTS, type ProjectInstructionSettings } from "../context/project-instructions.js";
import type { ToldSections } from "../context/world-state.js";
import type { ModelOverrides } from "../model/model-catalogue.js";
import { DEFAULT_OPENAI_MODEL, type ModelProvider, OPENAI_PROVIDER } from "../model/provider.js";
import { permissionProfile, profileSettings } from "../session/permission-profile.js";
import { ConfigError, formatProblem } from "./config-error.js";
import { parseToml, readConfigTable } from "./config-file.js";
import { type McpServerConfig, readMcpServer } from "./mcp-config.js";
import { type PermissionKeys, readPermissionKeys, trustOf } from "./permission-keys.js";
import { withPluginServers } from "./plugin-servers.js";
import { withProfile } from "./profile.js";
import { openaiProvider, readProvider } from "./provider-config.js";
import { KEYS_READ_ELSEWHERE, KEYS_WITHOUT_EFFECT, MCP_REFERENCE_ONLY_KEYS } from "./reference-keys.js";
import { type ConfigLayer, type ConfigSource, TableReader } from "./table-reader.js";
import { validateConfig } from "./validate-config.js";

type Table = Record<string, unknown>;

const isTable = (value: unknown): value is Readonly<Table> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);

export interface Config extends PermissionKeys {
  /** Native absolute path. */
  readonly home: string;
  /** The file that was read; null: there is none. */
  readonly file: string | null;
  /** undefined: nothing was configured. */
  readonly model: string | undefined;
  readonly providerId: string;
  readonly providers: Readonly<Record<string, ModelProvider>>;
  readonly reasoningEffort: string | undefined;
  readonly reasoningSummary: "auto" | "concise" | "detailed" | "none" | undefined;
  readonly modelOverrides: ModelOverrides;
  /** What the model is told of its surroundings. */
  readonly toldSections: ToldSections;
  readonly contextWindow: number | undefined;
  /** Absolute path of a catalogue of models; see `readModelCatalogue`. */
  readonly modelCatalogue: string | undefined;
  /** With the base instructions, absolute; see `baseInstructionsOf`. */
  readonly instructionsFile: string | undefined;
  /** What is asked for when a history is compacted; undefined: our own prompt. */
  readonly compactPrompt: string | undefined;
  /** Absolute; stands in for `compactPrompt` where that is not given. See `compactPromptOf`. */
  readonly compactPromptFile: string | undefined;
  /** Tokens from which on a history is compacted; undefined: nine tenths of the window. */
  readonly compactionTokenLimit: number | undefined;
  readonly projectInstructions: ProjectInstructionSettings;
  readonly personality: Personality;
  readonly serviceTier: string | undefined;
  readonly developerInstructions: string | undefined;
  /** As configured; features nobody mentioned are not in it. */
  readonly features: Readonly<Record<string, boolean>>;
  /** `[tools.experimental_request_user_input] enabled`. */
  readonly questionTool: boolean;
  readonly environmentPolicy: ShellEnvironmentPolicy;
  readonly loginShellAllowed: boolean;
  /** Longest wait of an empty poll, in milliseconds. */
  readonly backgroundTerminalMaxTimeoutMs: number | undefined;
  /** Those of plugins too. */
  readonly mcpServers: Readonly<Record<string, McpServerConfig>>;
  /** Where the browser brings the answer of a login to an MCP server; undefined: any free port of loopback. */
  readonly mcpCallback: { readonly port: number | undefined; readonly url: string | undefined };
  readonly hooks: Readonly<Record<string, unknown>>;
  /** Hooks run whether or not they are trusted. */
  readonly bypassHookTrust: boolean;
  /** A program and its arguments, run when a turn has ended well; empty: none. */
  readonly notify: readonly string[];
  /** Folder → trust level. */
  readonly projects: Readonly<Record<string, string>>;
  readonly tui: {
    readonly questionAutoResolution: boolean;
    readonly vimKeys: boolean;
    /** false: a newline is the Enter key however fast it follows what came before it. */
    readonly pasteBursts: boolean;
    /** What the model says of its thoughts: nothing is shown, summaries, or the thoughts themselves. */
    readonly reasoning: "hidden" | "summary" | "raw";
  };
  /** Keys of the reference that are set and change nothing here. */
  readonly withoutEffect: readonly string[];
  /** The whole table, with overrides. */
  readonly raw: Readonly<Table>;
  readonly warnings: readonly string[];
}

export interface LoadConfigOptions {
  readonly home: string;
  /** Values by dotted key, from the command line. */
  readonly overrides?: Readonly<Record<string, unknown>>;
  /** Values by dotted key, from a client's request; they come before the others. */
  readonly requested?: Readonly<Record<string, unknown>>;
  /** Unknown keys are errors. */
  readonly strict?: boolean;
}

/** `TURNKIT_HOME`, else `~/.turnkit`. */
export function turnkitHome(environment: Readonly<Record<string, string | undefined>>, userHome: string): string {
  const given = environment.TURNKIT_HOME;
  return given !== undefined && given !== "" ? path.resolve(given) : path.join(userHome, ".turnkit");
}

/** @throws {ConfigError} a file cannot be read, is not TOML, or a value breaks a rule */
export async function loadConfig(options: LoadConfigOptions): Promise<Config> {
  const file = path.join(options.home, "config.toml");
  const read = await readConfigTable(file);
  const { overrides = {}, requested = {} } = options;
  const base = { table: read?.table ?? {}, source: read?.source ?? { file: "configuration", text: undefined } };
  const { profile = base.table.profile } = { ...overrides, ...requested };
  const profiled = await withProfile(base, profile, options.home);
  const under = withoutOverruled(profiled.table, { ...overrides, ...requested });
  const table = withOverrides(withOverrides(under, overrides), requested);
  const layers: ConfigLayer[] = [
    ...(profiled.layer ? [profiled.layer] : []),
    { file: "the command line", text: undefined, table: withOverrides({}, overrides) },
    { file: "the request", text: undefined, table: withOverrides({}, requested) },
  ];
  const source = { ...base.source, table: base.table, layers };
  return await withPluginServers(configFrom(table, source, { ...options, file: read ? file : null }));
}

/** Who asks for a sandbox now does not mean the profile that the file chose for good. */
function withoutOverruled(table: Readonly<Table>, overrides: Readonly<Record<string, unknown>>): Readonly<Table> {
  if (overrides.sandbox_mode === undefined) return table;
  const { default_permissions: _, ...rest } = table;
  return rest;
}

/** What a `config.toml` with this text would mean. @throws {ConfigError} */
export function configOfText(text: string, file: string): Config {
  return configFrom(parseToml(text, file), { file, text }, { home: path.dirname(file), file });
}

interface Origin {
  readonly home: string;
  readonly strict?: boolean;
  readonly file: string | null;
}

function configFrom(table: Table, source: ConfigSource, { home, strict = false, file }: Origin): Config {
  const reader = new TableReader(validateConfig(table, source), [], source);
  const warnings: string[] = [];
  const config = readConfig(reader, { home, file, table, source, warnings });
  for (const problem of reader.unknown(new Set([...KEYS_READ_ELSEWHERE, ...KEYS_WITHOUT_EFFECT])))
    note(problem, strict, warnings);
  return config;
}

function note(problem: ConfigError, strict: boolean, warnings: string[]): void {
  if (strict) throw problem;
  warnings.push(`${formatProblem(problem.problem)} and is ignored`);
}

/** Dotted keys reach into tables; what they lead to is replaced. */
export function withOverrides(base: Readonly<Table>, overrides: Readonly<Record<string, unknown>>): Table {
  const result: Table = structuredClone(base);
  for (const [key, value] of Object.entries(overrides)) {
    const parts = key.split(".");
    const last = parts.pop()!;
    let at = result;
    for (const part of parts) {
      const next = isTable(at[part]) ? at[part] : {};
      at[part] = next;
      at = next as Table;
    }
    at[last] = value;
  }
  return result;
}

interface Facts {
  readonly home: string;
  readonly file: string | null;
  readonly table: Table;
  readonly source: ConfigSource;
  readonly warnings: string[];
}

function readConfig(reader: TableReader<ConfigFile>, facts: Facts): Config {
  const providers: Record<string, ModelProvider> = { openai: openaiProvider(reader) };
  for (const [id, given] of Object.entries(reader.take("model_providers") ?? {})) {
    const table = new TableReader(given, ["model_providers", id], facts.source);
    providers[id] = readProvider(id, table);
    for (const problem of table.unknown()) note(problem, false, facts.warnings);
  }
  const providerId = reader.take("model_provider") ?? "openai";
  if (!Object.hasOwn(providers, providerId))
    throw reader.problem("model_provider", `names "${providerId}", which is not under model_providers`);
  const tui = reader.take("tui");
  const projects = Object.entries(reader.take("projects") ?? {});
  return {
    home: facts.home,
    file: facts.file,
    model: reader.take("model"),
    providerId,
    providers,
    ...readPermissionKeys(reader, facts.warnings),
    reasoningEffort: reader.take("model_reasoning_effort"),
    reasoningSummary: reader.take("model_reasoning_summary"),
    modelOverrides: {
      verbosity: reader.take("model_verbosity"),
      outputTokenLimit: reader.take("tool_output_token_limit"),
      takesReasoning: reader.take("model_supports_reasoning_summaries") || undefined,
    },
    toldSections: {
      environment: reader.take("include_environment_context") ?? true,
      permissions: reader.take("include_permissions_instructions") ?? true,
      collaborationMode: reader.take("include_collaboration_mode_instructions") ?? true,
    },
    contextWindow: reader.take("model_context_window"),
    modelCatalogue: absolute(reader.take("model_catalog_json"), facts.home),
    instructionsFile: absolute(reader.take("model_instructions_file"), facts.home),
    compactPrompt: reader.take("compact_prompt"),
    compactPromptFile: absolute(reader.take("experimental_compact_prompt_file"), facts.home),
    compactionTokenLimit: readCompactionLimit(reader, facts.warnings),
    projectInstructions: readProjectInstructionSettings(reader),
    personality: reader.take("personality") ?? "pragmatic",
    serviceTier: reader.take("service_tier"),
    developerInstructions: reader.take("developer_instructions"),
    features: flagsOf(reader.take("features") ?? {}),
    questionTool: readQuestionTool(reader.take("tools")),
    environmentPolicy: readEnvironmentPolicy(reader.take("shell_environment_policy") ?? {}),
    loginShellAllowed: reader.take("allow_login_shell") ?? true,
    backgroundTerminalMaxTimeoutMs: reader.take("background_terminal_max_timeout"),
    bypassHookTrust: reader.take("bypass_hook_trust") ?? false,
    mcpServers: readMcpServers(reader.take("mcp_servers") ?? {}, facts),
    mcpCallback: readMcpCallback(reader, facts.warnings),
    hooks: reader.take("hooks") ?? {},
    notify: reader.take("notify") ?? [],
    projects: Object.fromEntries(
      projects.flatMap(([folder, { trust_level: level }]) => (level === undefined ? [] : [[folder, level]])),
    ),
    tui: {
      questionAutoResolution: tui?.question_auto_resolution ?? true,
      vimKeys: tui?.vim_keys ?? true,
      pasteBursts: !(reader.take("disable_paste_burst") ?? false),
      reasoning: readReasoningShown(reader),
    },
    withoutEffect: Object.keys(facts.table).filter((key) => KEYS_WITHOUT_EFFECT.has(key)),
    raw: facts.table,
    warnings: facts.warnings,
  };
}

function readCompactionLimit(reader: TableReader<ConfigFile>, warnings: string[]): number | undefined {
  if (reader.take("model_auto_compact_token_limit_scope") === "body_after_prefix") {
    const { problem } = reader.problem(
      "model_auto_compact_token_limit_scope",
      '= "body_after_prefix" is not supported',
    );
    warnings.push(`${formatProblem(problem)}: the whole conversation counts`);
  }
  return reader.take("model_auto_compact_token_limit");
}

function readReasoningShown(reader: TableReader<ConfigFile>): Config["tui"]["reasoning"] {
  const hidden = reader.take("hide_agent_reasoning") ?? false;
  const raw = reader.take("show_raw_agent_reasoning") ?? false;
  return hidden ? "hidden" : raw ? "raw" : "summary";
}

function readMcpServers(
  given: Readonly<Record<string, ConfigMcpServer>>,
  facts: Facts,
): Record<string, McpServerConfig> {
  const servers: Record<string, McpServerConfig> = {};
  for (const [name, members] of Object.entries(given)) {
    const table = new TableReader(members, ["mcp_servers", name], facts.source);
    servers[name] = readMcpServer(table);
    for (const problem of table.unknown(MCP_REFERENCE_ONLY_KEYS)) note(problem, false, facts.warnings);
  }
  return servers;
}

function readMcpCallback(reader: TableReader<ConfigFile>, warnings: string[]): Config["mcpCallback"] {
  if (reader.take("mcp_oauth_credentials_store") === "keyring") {
    const { problem } = reader.problem("mcp_oauth_credentials_store", '= "keyring" is not supported');
    warnings.push(`${formatProblem(problem)}: what logins bring is kept in .credentials.json`);
  }
  return { port: reader.take("mcp_oauth_callback_port"), url: reader.take("mcp_oauth_callback_url") };
}

function readProjectInstructionSettings(reader: TableReader<ConfigFile>): ProjectInstructionSettings {
  const names = reader.take("project_doc_fallback_filenames") ?? [];
  return {
    maxBytes: reader.take("project_doc_max_bytes") ?? PROJECT_INSTRUCTION_DEFAULTS.maxBytes,
    fallbackNames: names.map((name) => name.trim()).filter((name) => name !== ""),
    rootMarkers: reader.take("project_root_markers") ?? PROJECT_INSTRUCTION_DEFAULTS.rootMarkers,
  };
}

function absolute(file: string | undefined, home: string): string | undefined {
  return file === undefined ? undefined : path.resolve(home, file);
}

/** Features that have a table instead of a switch are not ours. */
function flagsOf(features: Readonly<Record<string, unknown>>): Record<string, boolean> {
  return Object.fromEntries(
    Object.entries(features).filter((entry): entry is [string, boolean] => typeof entry[1] === "boolean"),
  );
}

function readQuestionTool(tools: ConfigFile["tools"]): boolean {
  const given = tools?.experimental_request_user_input;
  return typeof given === "object" ? (given.enabled ?? true) : (given ?? true);
}

function readEnvironmentPolicy(given: ConfigEnvironmentPolicy): ShellEnvironmentPolicy {
  return {
    inherit: given.inherit ?? "all",
    ignoreDefaultExcludes: given.ignore_default_excludes ?? true,
    exclude: given.exclude ?? [],
    set: given.set ?? {},
    includeOnly: given.include_only ?? [],
  };
}

/** The settings a new thread begins with. @throws {ConfigError} no model is configured */
export function threadSettings(config: Config, cwd: string): ThreadSettings {
  // A key alone is enough for the built-in provider; only other servers have to be told which model is meant.
  const model = config.model ?? (config.providerId === OPENAI_PROVIDER.id ? DEFAULT_OPENAI_MODEL : undefined);
  if (model === undefined)
    throw new ConfigError({
      file: config.file ?? path.join(config.home, "config.toml"),
      line: undefined,
      key: "model",
      rule: `is not set; name one that model_provider "${config.providerId}" serves`,
    });
  return {
    model,
    model_provider_id: config.providerId,
    cwd,
    approval_policy:
      config.approvalPolicy ?? (trustOf(config.projects, cwd) === "untrusted" ? "untrusted" : "on-request"),
    approvals_reviewer: "user",
    sandbox_policy: config.sandboxPolicy,
    permission_profile: permissionProfile(config.sandboxPolicy, cwd),
    ...(config.permissionProfile !== undefined && profileSettings(config.permissionProfile, cwd)),
    ...(config.reasoningEffort === undefined ? {} : { reasoning_effort: config.reasoningEffort }),
    ...(config.reasoningSummary === undefined ? {} : { reasoning_summary: config.reasoningSummary }),
    ...(config.serviceTier === undefined ? {} : { service_tier: config.serviceTier }),
    personality: config.personality,
    collaboration_mode: {
      mode: "default",
      settings: {
        model,
        reasoning_effort: config.reasoningEffort ?? null,
        developer_instructions: null,
      },
    },
  };
}
