/** A call's surroundings for tests: events are collected, the signal is the test's. */
import type { EventMsg } from "@turnkit/protocol";
import type { CallContext, ToolCall, ToolTurn } from "../tool.js";

export function toolTurn(changes: Partial<ToolTurn> = {}): ToolTurn {
  return { id: "turn-1", mode: "default", cwd: "/proj", isRootThread: true, outputTokenLimit: 10_000, ...changes };
}

export interface TestContext extends CallContext {
  readonly events: EventMsg[];
  readonly abort: AbortController;
}

export function callContext(changes: Partial<ToolTurn> = {}): TestContext {
  const events: EventMsg[] = [];
  const abort = new AbortController();
  return {
    turn: toolTurn(changes),
    signal: abort.signal,
    abort,
    events,
    emit: (event) => {
      events.push(event);
    },
  };
}

export function functionToolCall(name: string, args: unknown, callId = "call-1"): ToolCall {
  return {
    callId,
    name,
    payload: { kind: "function", arguments: typeof args === "string" ? args : JSON.stringify(args) },
  };
}
