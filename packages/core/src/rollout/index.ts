/** Session files: writing, reading back, finding. */
export { mapSideBySide } from "../side-by-side.js";
export { FileThreadStore } from "./file-thread-store.js";
export {
  type ReadThreadOptions,
  readRecords,
  readThread,
  recordsThrough,
  type StoredThread,
  UnreadableThreadError,
} from "./read-thread.js";
export type { RolloutRecorder } from "./recorder.js";
export { isPersistedEvent, type RolloutItem } from "./rollout-item.js";
export { ARCHIVED_FOLDER, rolloutPath, SESSIONS_FOLDER } from "./rollout-path.js";
export { searchFile } from "./search-file.js";
export { ThreadFiles, ThreadNotFoundError } from "./thread-files.js";
export type { ThreadSummary } from "./thread-summary.js";
export { SessionInUseError } from "./writer-lock.js";
