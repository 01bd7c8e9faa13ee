/** `config.toml`: reading, defaults, and the settings a thread begins with. */
export {
  type Config,
  type LoadConfigOptions,
  loadConfig,
  permissionProfile,
  threadSettings,
  turnkitHome,
  withOverrides,
} from "./config.js";
export { ConfigError, type ConfigProblem, formatProblem } from "./config-error.js";
