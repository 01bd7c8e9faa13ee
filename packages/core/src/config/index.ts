/** `config.toml`: reading, defaults, and the settings a thread begins with. */

export {
  PERMISSION_PROFILES,
  permissionProfile,
  profileSettings,
  withWorkspaceRoots,
} from "../session/permission-profile.js";
export { baseInstructionsOf } from "./base-instructions.js";
export { compactPromptOf } from "./compact-prompt.js";
export {
  type Config,
  configOfText,
  type LoadConfigOptions,
  loadConfig,
  threadSettings,
  turnkitHome,
  withOverrides,
} from "./config.js";
export { ConfigError, type ConfigProblem, formatProblem } from "./config-error.js";
export { parseTomlValue } from "./config-file.js";
export { editConfigFile, removeConfigKey, setConfigKey } from "./edit-config.js";
export { keyPath, lineOfKey } from "./key-lines.js";
export type { McpApprovalMode, McpServerConfig, McpTransportConfig } from "./mcp-config.js";
export { readModelCatalogue } from "./model-catalogue-file.js";
export { OverrideError, parseOverrides } from "./overrides.js";
