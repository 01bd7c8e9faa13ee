/** The real clock. Timers keep no process alive by themselves while nothing else does. */
import type { Clock } from "@turnkit/tools";

export const systemClock: Clock = {
  now: () => performance.now(),
  epochMs: () => Date.now(),
  after(ms, action) {
    const timer = setTimeout(action, ms);
    return () => clearTimeout(timer);
  },
};
