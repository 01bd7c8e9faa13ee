/**
 * `config.toml` as far as it is acted on. Open: other keys are warned of by whoever reads it. What one value means to
 * another (a provider that must be there) is not said here.
 */
import { type Static, Type } from "typebox";
import { anyObject, anyOf, literals, maybe, open, record, shape, wrapped } from "../define.js";
import { GranularApproval } from "./settings-values.js";

const text = Type.Optional(Type.String());
const flag = Type.Optional(Type.Boolean());
const strings = Type.Optional(Type.Array(Type.String()));
const stringMap = Type.Optional(record(Type.String()));
const most = Number.MAX_SAFE_INTEGER;
const count = Type.Optional(Type.Integer({ minimum: 0, maximum: most }));
const positive = Type.Optional(Type.Integer({ minimum: 1, maximum: most }));
const seconds = Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000 }));
const oneOf = <const Values extends readonly string[]>(...values: Values) => Type.Optional(literals(values));

export const ConfigProvider = open("ConfigProvider", {
  name: text,
  base_url: text,
  env_key: text,
  env_key_instructions: text,
  wire_api: oneOf("responses"),
  requires_openai_auth: flag,
  supports_websockets: flag,
  http_headers: stringMap,
  /** Header → environment variable. */
  env_http_headers: stringMap,
  query_params: stringMap,
  request_max_retries: count,
  stream_max_retries: count,
  stream_idle_timeout_ms: positive,
});
export type ConfigProvider = Static<typeof ConfigProvider>;

export const ConfigEnvironmentPolicy = open("ConfigEnvironmentPolicy", {
  inherit: oneOf("all", "core", "none"),
  ignore_default_excludes: flag,
  exclude: strings,
  set: stringMap,
  include_only: strings,
});
export type ConfigEnvironmentPolicy = Static<typeof ConfigEnvironmentPolicy>;

export const ConfigMcpTool = open("ConfigMcpTool", { approval_mode: oneOf("auto", "prompt", "writes", "approve") });
export type ConfigMcpTool = Static<typeof ConfigMcpTool>;

/** One MCP server: a command that is run, or a URL. */
export const ConfigMcpServer = open("ConfigMcpServer", {
  command: text,
  args: strings,
  env: stringMap,
  /** Variables of this program that the server gets as they are. */
  env_vars: strings,
  cwd: text,
  url: text,
  bearer_token_env_var: text,
  http_headers: stringMap,
  /** Header → environment variable. */
  env_http_headers: stringMap,
  /** What is asked for when the person signs in. */
  scopes: strings,
  /** Stands for the server where tokens are asked for. */
  oauth_resource: text,
  oauth: Type.Optional(shape({ client_id: text })),
  enabled: flag,
  /** A thread that cannot start it does not start. */
  required: flag,
  startup_timeout_sec: seconds,
  startup_timeout_ms: positive,
  tool_timeout_sec: seconds,
  enabled_tools: strings,
  disabled_tools: strings,
  default_tools_approval_mode: oneOf("auto", "prompt", "writes", "approve"),
  supports_parallel_tool_calls: flag,
  tools: Type.Optional(record(ConfigMcpTool)),
});
export type ConfigMcpServer = Static<typeof ConfigMcpServer>;

/** One model of a catalogue, as the reference's `models.json` has them. */
export const ConfigModel = open("ConfigModel", {
  slug: Type.String({ minLength: 1 }),
  display_name: maybe(Type.String()),
  description: maybe(Type.String()),
  default_reasoning_level: maybe(Type.String()),
  supported_reasoning_levels: maybe(Type.Array(shape({ effort: Type.String(), description: maybe(Type.String()) }))),
  default_reasoning_summary: maybe(Type.String()),
  /** `list` or `hide`. */
  visibility: maybe(Type.String()),
  priority: maybe(Type.Number()),
  input_modalities: maybe(Type.Array(literals(["text", "image", "audio"]))),
  support_verbosity: maybe(Type.Boolean()),
  default_verbosity: maybe(Type.String()),
  supports_parallel_tool_calls: maybe(Type.Boolean()),
  context_window: maybe(Type.Integer({ minimum: 1, maximum: most })),
  effective_context_window_percent: maybe(Type.Integer({ minimum: 1, maximum: 100 })),
  /** Tokens from which on a history is compacted. */
  auto_compact_token_limit: maybe(Type.Integer({ minimum: 1, maximum: most })),
  comp_hash: maybe(Type.String()),
  truncation_policy: maybe(
    shape({ mode: literals(["bytes", "tokens"]), limit: Type.Integer({ minimum: 1, maximum: most }) }),
  ),
});
export type ConfigModel = Static<typeof ConfigModel>;

/** The file that `model_catalog_json` names. */
export const ConfigModelCatalog = open("ConfigModelCatalog", { models: Type.Array(ConfigModel) });
export type ConfigModelCatalog = Static<typeof ConfigModelCatalog>;

export const ConfigFile = open("ConfigFile", {
  model: text,
  model_provider: text,
  model_providers: Type.Optional(record(ConfigProvider)),
  /** Where the built-in provider is served. */
  openai_base_url: text,
  approval_policy: Type.Optional(
    anyOf([literals(["untrusted", "on-failure", "on-request", "never"]), wrapped("granular", GranularApproval)]),
  ),
  approvals_reviewer: oneOf("user", "auto_review", "guardian_subagent"),
  /** The id of a profile of permissions. */
  default_permissions: text,
  sandbox_mode: oneOf("read-only", "workspace-write", "danger-full-access"),
  sandbox_workspace_write: Type.Optional(
    shape({ writable_roots: strings, network_access: flag, exclude_tmpdir_env_var: flag, exclude_slash_tmp: flag }),
  ),
  model_reasoning_effort: text,
  model_reasoning_summary: oneOf("auto", "concise", "detailed", "none"),
  model_verbosity: oneOf("low", "medium", "high"),
  model_supports_reasoning_summaries: flag,
  hide_agent_reasoning: flag,
  show_raw_agent_reasoning: flag,
  /** Tokens of one output of a tool. */
  tool_output_token_limit: count,
  include_environment_context: flag,
  include_permissions_instructions: flag,
  include_collaboration_mode_instructions: flag,
  model_context_window: positive,
  /** Path of a file with a catalogue of models, in place of what is known here. */
  model_catalog_json: text,
  /** Tokens. */
  model_auto_compact_token_limit: positive,
  model_auto_compact_token_limit_scope: oneOf("total", "body_after_prefix"),
  /** Path of a file with the base instructions; the second is its older name. */
  model_instructions_file: text,
  compact_prompt: text,
  /** Path of a file with the same; the text comes first. */
  experimental_compact_prompt_file: text,
  personality: oneOf("none", "friendly", "pragmatic"),
  service_tier: text,
  developer_instructions: text,
  /** Of a project's AGENTS.md together; 0: none is read. */
  project_doc_max_bytes: count,
  project_doc_fallback_filenames: strings,
  project_root_markers: strings,
  /** Some features of the reference have tables. */
  features: Type.Optional(record(anyOf([Type.Boolean(), anyObject()]))),
  tools: Type.Optional(
    shape({ experimental_request_user_input: Type.Optional(anyOf([Type.Boolean(), shape({ enabled: flag })])) }),
  ),
  shell_environment_policy: Type.Optional(ConfigEnvironmentPolicy),
  allow_login_shell: flag,
  disable_paste_burst: flag,
  /** Milliseconds. */
  background_terminal_max_timeout: count,
  bypass_hook_trust: flag,
  mcp_servers: Type.Optional(record(ConfigMcpServer)),
  mcp_oauth_credentials_store: oneOf("auto", "file", "keyring"),
  mcp_oauth_callback_port: Type.Optional(Type.Integer({ minimum: 0, maximum: 65535 })),
  mcp_oauth_callback_url: text,
  hooks: Type.Optional(anyObject()),
  /** A program and its arguments. */
  notify: strings,
  /** By folder. */
  projects: Type.Optional(record(shape({ trust_level: text }))),
  tui: Type.Optional(shape({ question_auto_resolution: flag, vim_keys: flag })),
});
export type ConfigFile = Static<typeof ConfigFile>;
