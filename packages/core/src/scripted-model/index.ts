/** The scripted model: a Responses API server on loopback for tests, demonstrations and offline work. */
export { loadScript, ScriptFileError } from "./load-script.js";
export {
  type CustomToolCallItem,
  customToolCall,
  type FunctionCallItem,
  functionCall,
  type MessageItem,
  message,
  type OutputItem,
  type RawItem,
  type ReasoningItem,
  reasoning,
} from "./output-item.js";
export type { Script, ScriptCondition, ScriptEntry, ScriptItem } from "./script.js";
export { scriptedResponses } from "./script-player.js";
export {
  type ModelRequest,
  ScriptedModel,
  ScriptedModelError,
  type ScriptedModelEvent,
  type ScriptedModelOptions,
  startScriptedModel,
} from "./scripted-model.js";
export type { ResponseSource, ScriptedResponse, ScriptedUsage } from "./scripted-response.js";
