/** Readers of every released shape. The only place that knows old ones. */
export type { ReadResult } from "./read-result.js";
export {
  readCollaborationMode,
  readEventMsg,
  readRequestUserInputEvent,
  readResponseItem,
  readRolloutLine,
  readSandboxPolicy,
  readSessionMeta,
  readThreadSettings,
  readTurnContext,
  readUserInput,
} from "./readers.js";
