/** The fixed numbers of unified exec, in milliseconds, bytes and counts. */
export const MIN_YIELD_MS = 250;
export const MIN_POLL_YIELD_MS = 5_000;
export const MAX_YIELD_MS = 30_000;
export const DEFAULT_EXEC_YIELD_MS = 10_000;
export const DEFAULT_WRITE_YIELD_MS = 250;
export const DEFAULT_MAX_POLL_MS = 300_000;
export const DEFAULT_OUTPUT_TOKENS = 10_000;

/** How long a fresh command may end without being announced as a terminal. */
export const EARLY_EXIT_GRACE_MS = 150;
export const AFTER_WRITE_PAUSE_MS = 100;
/** After the exit, output that a descendant still holds open is waited for this long. */
export const POST_EXIT_DRAIN_MS = 50;
export const TRAILING_STREAM_GRACE_MS = 100;
export const LATE_DENIAL_GRACE_MS = 100;

export const RETAINED_HEAD_BYTES = 512 * 1024;
export const RETAINED_TAIL_BYTES = 512 * 1024;
export const DELTA_BYTES = 8_192;
export const MAX_DELTAS = 10_000;

export const MAX_PROCESSES = 64;
/** The most recently used processes are never pruned. */
export const PROTECTED_PROCESSES = 8;
export const MIN_PROCESS_ID = 1_000;
export const PROCESS_ID_BOUND = 100_000;

const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high);

export const execYield = (requested: number): number => clamp(requested, MIN_YIELD_MS, MAX_YIELD_MS);

/**
 * How long a poll waits that does not say it: four times as long after each that brought nothing, because every poll costs
 * a request with the whole conversation.
 */
export function patientYield(silentPolls: number, maxPoll: number): number {
  return clamp(MIN_POLL_YIELD_MS * 4 ** silentPolls, MIN_POLL_YIELD_MS, Math.max(maxPoll, MIN_POLL_YIELD_MS));
}

/** An empty write polls, and polling is kept slow; a write returns soon. */
export function writeYield(requested: number, isPoll: boolean, maxPoll: number): number {
  const wanted = Math.max(requested, MIN_YIELD_MS);
  if (!isPoll) return Math.min(wanted, MAX_YIELD_MS);
  return clamp(wanted, MIN_POLL_YIELD_MS, Math.max(maxPoll, MIN_POLL_YIELD_MS));
}
