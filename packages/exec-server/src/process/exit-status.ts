/** How the end of a process becomes one number: its status, or 128 + the signal that ended it. */
import { constants } from "node:os";

export function exitStatus(code: number | null, signal: NodeJS.Signals | number | null): number {
  if (typeof signal === "number" && signal > 0) return 128 + signal;
  if (typeof signal === "string") return 128 + (constants.signals[signal] ?? 0);
  return code ?? -1;
}
