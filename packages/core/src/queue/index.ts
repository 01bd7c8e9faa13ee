/** Submissions that wait for a thread, on disk. */
export { QueueDispatcher, type QueueDispatcherOptions, QueueRefusal } from "./queue-dispatcher.js";
export { type QueuedInput, QueueError } from "./queued-input.js";
export { MAX_QUEUED, ThreadQueue, type ThreadQueueOptions } from "./thread-queue.js";
