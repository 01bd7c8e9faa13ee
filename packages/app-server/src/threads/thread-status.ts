/**
 * Owns the status of one thread as clients see it: facts in, `ThreadStatus` out. Pure.
 * Does not send anything; the loaded thread compares before and after and notifies.
 */
import type { ThreadStatus } from "@turnkit/protocol/app";

export interface ThreadStatusFacts {
  readonly loaded: boolean;
  readonly running: boolean;
  readonly pendingApprovals: number;
  readonly pendingUserInputs: number;
  readonly systemError: boolean;
}

export type StatusChange =
  | "loaded"
  | "unloaded"
  | "turnStarted"
  | "turnEnded"
  | "systemError"
  | "approvalRaised"
  | "approvalReleased"
  | "userInputRaised"
  | "userInputReleased";

export const notLoaded: ThreadStatusFacts = {
  loaded: false,
  running: false,
  pendingApprovals: 0,
  pendingUserInputs: 0,
  systemError: false,
};

export function changeStatus(facts: ThreadStatusFacts, change: StatusChange): ThreadStatusFacts {
  switch (change) {
    case "loaded":
      return { ...facts, loaded: true };
    case "unloaded":
      return notLoaded;
    case "turnStarted":
      return { ...facts, running: true, systemError: false };
    case "turnEnded":
      return { ...facts, running: false, pendingApprovals: 0, pendingUserInputs: 0 };
    case "systemError":
      return { ...facts, running: false, pendingApprovals: 0, pendingUserInputs: 0, systemError: true };
    case "approvalRaised":
      return { ...facts, pendingApprovals: facts.pendingApprovals + 1 };
    // A guard may be released after its turn has ended and the counters were cleared.
    case "approvalReleased":
      return { ...facts, pendingApprovals: Math.max(0, facts.pendingApprovals - 1) };
    case "userInputRaised":
      return { ...facts, pendingUserInputs: facts.pendingUserInputs + 1 };
    case "userInputReleased":
      return { ...facts, pendingUserInputs: Math.max(0, facts.pendingUserInputs - 1) };
  }
}

export function statusOf(facts: ThreadStatusFacts): ThreadStatus {
  if (!facts.loaded) return { type: "notLoaded" };
  if (facts.running || facts.pendingApprovals > 0 || facts.pendingUserInputs > 0) {
    const activeFlags: ("waitingOnApproval" | "waitingOnUserInput")[] = [];
    if (facts.pendingApprovals > 0) activeFlags.push("waitingOnApproval");
    if (facts.pendingUserInputs > 0) activeFlags.push("waitingOnUserInput");
    return { type: "active", activeFlags };
  }
  return facts.systemError ? { type: "systemError" } : { type: "idle" };
}

export function sameStatus(left: ThreadStatus, right: ThreadStatus): boolean {
  if (left.type !== right.type) return false;
  if (left.type !== "active" || right.type !== "active") return true;
  return left.activeFlags.join() === right.activeFlags.join();
}
