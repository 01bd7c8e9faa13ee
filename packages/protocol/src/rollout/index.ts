/** Session files of every version: reading, projecting, rebuilding. Streams are the caller's; no file is opened here. */
export { parseRolloutFileName, type RolloutFileName } from "./file-name.js";
export {
  compactHistory,
  type ModelHistory,
  type RebuildOptions,
  type ReplacedHistory,
  rebuildModelHistory,
  rebuildModelInput,
  repairPairs,
  rollBackHistory,
} from "./model-input.js";
export { isUserMessage } from "./project/context-messages.js";
export type { Era } from "./project/era.js";
export { headOf, type ProjectThreadOptions, projectThread, type ThreadProjection } from "./project/project-thread.js";
export { collectRollout, type Decompress, type ReadRolloutOptions, readRollout } from "./read-rollout.js";
export { formatRecord, type KnownRecord, type LossRecord, type OpaqueRecord, type RolloutRecord } from "./records.js";
export { type LoadAncestor, type ResolvedHistory, resolveHistory } from "./resolve-history.js";
export type * from "./schemas.js";
export { type ConvertedRollout, type ConvertOptions, convertRollout } from "./tools/convert.js";
export { type InspectedInput, type InspectOptions, inspectRollout, type RolloutInspection } from "./tools/inspect.js";
export { type RolloutValidation, validateRollout } from "./tools/validate.js";
