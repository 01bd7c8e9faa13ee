import { describe, expect, it } from "vitest";
import { changeStatus, notLoaded, type StatusChange, sameStatus, statusOf } from "./thread-status.js";

const after = (...changes: StatusChange[]) => statusOf(changes.reduce(changeStatus, notLoaded));

describe("thread status", () => {
  it.each([
    { changes: [], status: { type: "notLoaded" } },
    { changes: ["loaded"], status: { type: "idle" } },
    { changes: ["loaded", "turnStarted"], status: { type: "active", activeFlags: [] } },
    {
      changes: ["loaded", "turnStarted", "userInputRaised", "approvalRaised"],
      status: { type: "active", activeFlags: ["waitingOnApproval", "waitingOnUserInput"] },
    },
    {
      changes: ["loaded", "turnStarted", "approvalRaised", "approvalRaised", "approvalReleased"],
      status: { type: "active", activeFlags: ["waitingOnApproval"] },
    },
    { changes: ["loaded", "turnStarted", "userInputRaised", "turnEnded"], status: { type: "idle" } },
    {
      changes: ["loaded", "turnStarted", "userInputRaised", "turnEnded", "userInputReleased"],
      status: { type: "idle" },
    },
    { changes: ["loaded", "turnStarted", "systemError"], status: { type: "systemError" } },
    { changes: ["loaded", "turnStarted", "systemError", "turnEnded"], status: { type: "systemError" } },
    { changes: ["loaded", "turnStarted", "systemError", "turnStarted"], status: { type: "active", activeFlags: [] } },
    { changes: ["loaded", "turnStarted", "unloaded"], status: { type: "notLoaded" } },
    { changes: ["loaded", "approvalRaised"], status: { type: "active", activeFlags: ["waitingOnApproval"] } },
  ] satisfies { changes: StatusChange[]; status: unknown }[])("$changes is $status.type", ({ changes, status }) => {
    expect(after(...changes)).toEqual(status);
  });

  it("compares active states by their flags", () => {
    expect(sameStatus(after("loaded", "turnStarted"), after("loaded", "turnStarted", "userInputRaised"))).toBe(false);
    expect(sameStatus(after("loaded", "turnStarted"), after("loaded", "turnStarted"))).toBe(true);
    expect(sameStatus(after("loaded"), after("loaded", "turnStarted"))).toBe(false);
  });
});
