/** The effective configuration and the layers it came from. */
import { type Static, Type } from "typebox";
import {
  ApprovalsReviewer,
  AskForApproval,
  ReasoningEffort,
  ReasoningSummary,
  SandboxMode,
  Verbosity,
} from "../agent/settings-values.js";
import { anyOf, closed, maybe, named, open, record, stringEnum, taggedUnion } from "../define.js";
import { AllowDenyRequirement, BrowserUseOriginPolicyConfig } from "./config-access.js";
import { AbsolutePathBuf } from "./scalars.js";

export const AnalyticsConfig = open("AnalyticsConfig", {
  enabled: maybe(Type.Boolean()),
});
export type AnalyticsConfig = Static<typeof AnalyticsConfig>;

export const AppToolApproval = stringEnum("AppToolApproval", ["auto", "prompt", "writes", "approve"]);
export type AppToolApproval = Static<typeof AppToolApproval>;

export const AppsDefaultConfig = open("AppsDefaultConfig", {
  enabled: Type.Optional(Type.Boolean()),
  approvals_reviewer: maybe(ApprovalsReviewer),
  destructive_enabled: Type.Optional(Type.Boolean()),
  open_world_enabled: Type.Optional(Type.Boolean()),
  default_tools_approval_mode: maybe(AppToolApproval),
});
export type AppsDefaultConfig = Static<typeof AppsDefaultConfig>;

export const AppsConfig = open("AppsConfig", {
  _default: maybe(AppsDefaultConfig),
});
export type AppsConfig = Static<typeof AppsConfig>;

export const AutoCompactTokenLimitScope = stringEnum("AutoCompactTokenLimitScope", ["total", "body_after_prefix"]);
export type AutoCompactTokenLimitScope = Static<typeof AutoCompactTokenLimitScope>;

export const BrowserUseConfig = open("BrowserUseConfig", {
  allow_history_access: maybe(Type.Boolean()),
  default_origin_policy: maybe(BrowserUseOriginPolicyConfig),
  origins: maybe(record(BrowserUseOriginPolicyConfig)),
});
export type BrowserUseConfig = Static<typeof BrowserUseConfig>;

export const CliAuthCredentialsStoreMode = stringEnum("CliAuthCredentialsStoreMode", [
  "file",
  "keyring",
  "auto",
  "ephemeral",
]);
export type CliAuthCredentialsStoreMode = Static<typeof CliAuthCredentialsStoreMode>;

export const ComputerUseMacosConfig = open("ComputerUseMacosConfig", {
  bundle_ids: maybe(record(AllowDenyRequirement)),
});
export type ComputerUseMacosConfig = Static<typeof ComputerUseMacosConfig>;

export const ComputerUseWindowsExeConfig = open("ComputerUseWindowsExeConfig", {
  publisher_name: Type.String(),
  product_name: Type.String(),
  binary_name: maybe(Type.String()),
  access: AllowDenyRequirement,
});
export type ComputerUseWindowsExeConfig = Static<typeof ComputerUseWindowsExeConfig>;

export const ComputerUseWindowsConfig = open("ComputerUseWindowsConfig", {
  aumids: maybe(record(AllowDenyRequirement)),
  exes: maybe(Type.Array(ComputerUseWindowsExeConfig)),
});
export type ComputerUseWindowsConfig = Static<typeof ComputerUseWindowsConfig>;

export const ComputerUseConfig = open("ComputerUseConfig", {
  default_app_access: maybe(AllowDenyRequirement),
  macos: maybe(ComputerUseMacosConfig),
  windows: maybe(ComputerUseWindowsConfig),
});
export type ComputerUseConfig = Static<typeof ComputerUseConfig>;

export const ForcedChatgptWorkspaceIds = named(
  "ForcedChatgptWorkspaceIds",
  anyOf([Type.String(), Type.Array(Type.String())]),
);
export type ForcedChatgptWorkspaceIds = Static<typeof ForcedChatgptWorkspaceIds>;

export const ForcedLoginMethod = stringEnum("ForcedLoginMethod", ["chatgpt", "api"]);
export type ForcedLoginMethod = Static<typeof ForcedLoginMethod>;

export const SandboxWorkspaceWrite = open("SandboxWorkspaceWrite", {
  writable_roots: Type.Optional(Type.Array(Type.String())),
  network_access: Type.Optional(Type.Boolean()),
  exclude_tmpdir_env_var: Type.Optional(Type.Boolean()),
  exclude_slash_tmp: Type.Optional(Type.Boolean()),
});
export type SandboxWorkspaceWrite = Static<typeof SandboxWorkspaceWrite>;

export const WebSearchContextSize = stringEnum("WebSearchContextSize", ["low", "medium", "high"]);
export type WebSearchContextSize = Static<typeof WebSearchContextSize>;

export const WebSearchLocation = closed("WebSearchLocation", {
  country: maybe(Type.String()),
  region: maybe(Type.String()),
  city: maybe(Type.String()),
  timezone: maybe(Type.String()),
});
export type WebSearchLocation = Static<typeof WebSearchLocation>;

export const WebSearchToolConfig = closed("WebSearchToolConfig", {
  context_size: maybe(WebSearchContextSize),
  allowed_domains: maybe(Type.Array(Type.String())),
  location: maybe(WebSearchLocation),
});
export type WebSearchToolConfig = Static<typeof WebSearchToolConfig>;

export const ToolsV2 = open("ToolsV2", {
  web_search: maybe(WebSearchToolConfig),
});
export type ToolsV2 = Static<typeof ToolsV2>;

export const WebSearchMode = stringEnum("WebSearchMode", ["disabled", "cached", "indexed", "live"]);
export type WebSearchMode = Static<typeof WebSearchMode>;

export const Config = open("Config", {
  model: maybe(Type.String()),
  review_model: maybe(Type.String()),
  model_context_window: maybe(Type.Integer()),
  model_auto_compact_token_limit: maybe(Type.Integer()),
  model_auto_compact_token_limit_scope: maybe(AutoCompactTokenLimitScope),
  model_provider: maybe(Type.String()),
  approval_policy: maybe(AskForApproval),
  approvals_reviewer: maybe(ApprovalsReviewer),
  sandbox_mode: maybe(SandboxMode),
  sandbox_workspace_write: maybe(SandboxWorkspaceWrite),
  forced_chatgpt_workspace_id: maybe(ForcedChatgptWorkspaceIds),
  forced_login_method: maybe(ForcedLoginMethod),
  web_search: maybe(WebSearchMode),
  tools: maybe(ToolsV2),
  instructions: maybe(Type.String()),
  developer_instructions: maybe(Type.String()),
  compact_prompt: maybe(Type.String()),
  model_reasoning_effort: maybe(ReasoningEffort),
  model_reasoning_summary: maybe(ReasoningSummary),
  model_verbosity: maybe(Verbosity),
  service_tier: maybe(Type.String()),
  analytics: maybe(AnalyticsConfig),
  apps: maybe(AppsConfig),
  browser_use: maybe(BrowserUseConfig),
  computer_use: maybe(ComputerUseConfig),
  desktop: maybe(record(Type.Unknown())),
});
export type Config = Static<typeof Config>;

export const ConfigLayerSource = taggedUnion("ConfigLayerSource", "type", {
  packagedDefaults: {
    file: AbsolutePathBuf,
  },
  mdm: {
    domain: Type.String(),
    key: Type.String(),
  },
  system: {
    file: AbsolutePathBuf,
  },
  enterpriseManaged: {
    id: Type.String(),
    name: Type.String(),
  },
  user: {
    file: AbsolutePathBuf,
    profile: maybe(Type.String()),
  },
  project: {
    dotCodexFolder: AbsolutePathBuf,
  },
  sessionFlags: {},
  legacyManagedConfigTomlFromFile: {
    file: AbsolutePathBuf,
  },
  legacyManagedConfigTomlFromMdm: {},
});
export type ConfigLayerSource = Static<typeof ConfigLayerSource>;

export const ConfigLayer = open("ConfigLayer", {
  name: ConfigLayerSource,
  version: Type.String(),
  config: Type.Unknown(),
  disabledReason: maybe(Type.String()),
});
export type ConfigLayer = Static<typeof ConfigLayer>;

export const ConfigLayerMetadata = open("ConfigLayerMetadata", {
  name: ConfigLayerSource,
  version: Type.String(),
});
export type ConfigLayerMetadata = Static<typeof ConfigLayerMetadata>;

export const ConfigReadParams = open("ConfigReadParams", {
  includeLayers: Type.Optional(Type.Boolean()),
  cwd: maybe(Type.String()),
});
export type ConfigReadParams = Static<typeof ConfigReadParams>;

export const ConfigReadResponse = open("ConfigReadResponse", {
  config: Config,
  origins: record(ConfigLayerMetadata),
  layers: maybe(Type.Array(ConfigLayer)),
});
export type ConfigReadResponse = Static<typeof ConfigReadResponse>;
