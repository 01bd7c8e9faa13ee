/** `config.toml`: reading, defaults, and the settings a thread begins with. */

export { permissionProfile } from "../session/permission-profile.js";
export {
  type Config,
  type LoadConfigOptions,
  loadConfig,
  threadSettings,
  turnkitHome,
  withOverrides,
} from "./config.js";
export { ConfigError, type ConfigProblem, formatProblem } from "./config-error.js";
