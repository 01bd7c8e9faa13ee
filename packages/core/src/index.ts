export { execSandbox } from "./approvals/exec-sandbox.js";
export { collaborationModeText, presetInstructions } from "./context/collaboration-mode.js";
export {
  type FoundMarketplaces,
  findMarketplaces,
  type InstalledPlugin,
  type InstalledPlugins,
  installedPlugins,
  type ListedPlugin,
  marketplaceFolders,
  type PluginManifest,
  pluginsOf,
} from "./context/plugins/index.js";
export {
  type ProjectInstructionSettings,
  type ProjectInstructions,
  projectRoot,
  readProjectInstructions,
} from "./context/project-instructions.js";
export { type FoundSkills, findSkills, type Skill, skillRoots } from "./context/skills/index.js";
export { messageOf, textElementsOf, userMessageEvent } from "./context/user-message.js";
export {
  type CommandHandler,
  isEnabled as isHookEnabled,
  type LoadedHooks,
  loadHooks,
  trustOf as hookTrust,
} from "./hooks/index.js";
export { freshId } from "./ids.js";
export { McpError } from "./mcp/errors.js";
export { McpServersView, type McpServersViewOptions } from "./mcp/servers-view.js";
export type { McpOptions } from "./mcp/session-mcp.js";
export { type ListedModel, type ModelInfo, modelInfo } from "./model/model-catalogue.js";
export type { ModelClient, ModelEvent, ModelRequest } from "./model/model-client.js";
export { ModelError } from "./model/model-error.js";
export { type ModelProvider, OPENAI_PROVIDER } from "./model/provider.js";
export { createResponsesClient, type ResponsesClientOptions } from "./model/responses-client.js";
export { createSession, isRootSource } from "./session/create-session.js";
export { InvalidRequestError, SessionClosedError } from "./session/errors.js";
export type * from "./session/session-options.js";
export type * from "./session-api.js";
export { VERSION } from "./version.js";
