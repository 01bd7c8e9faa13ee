/** Session files: writing, reading back, finding. */
export { FileThreadStore } from "./file-thread-store.js";
export type { RolloutRecorder } from "./recorder.js";
export { isPersistedEvent, type RolloutItem } from "./rollout-item.js";
export { ARCHIVED_FOLDER, parseRolloutName, rolloutPath, SESSIONS_FOLDER } from "./rollout-path.js";
export { SessionInUseError } from "./writer-lock.js";
