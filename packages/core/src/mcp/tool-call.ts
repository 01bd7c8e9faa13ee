/**
 * One call of a tool of an MCP server: what is told about it, who is asked first, how long it may take. Owns the order
 * of these; the output's form is elsewhere.
 */
import type { EventMsg, TurnItem } from "@turnkit/protocol";
import type { CallContext, Clock, PauseSignal } from "@turnkit/tools";
import { mcpErrorText } from "./errors.js";
import type { McpCallResult } from "./server-facts.js";

export interface CallFacts {
  readonly threadId: string;
  readonly turnId: string;
  readonly callId: string;
  readonly server: string;
  /** As the server names it. */
  readonly tool: string;
  readonly input: unknown;
  readonly readOnlyHint: boolean | undefined;
  readonly pluginId: string | undefined;
}

export type CallOutcome =
  | { readonly type: "result"; readonly result: McpCallResult }
  | { readonly type: "failed"; readonly message: string };

/** Tells the beginning and the end of a call. */
export class CallReport {
  #startedAt = 0;

  constructor(
    private readonly facts: CallFacts,
    private readonly context: Pick<CallContext, "emit">,
    private readonly clock: Clock,
  ) {}

  begin(): void {
    const at = this.clock.epochMs();
    this.#startedAt = this.clock.now();
    this.#item("item_started", at, { status: "in_progress" });
    this.context.emit({ type: "mcp_tool_call_begin", ...this.#invocation() });
  }

  /** The time the person took does not count. */
  restart(): void {
    this.#startedAt = this.clock.now();
  }

  progress(message: string): void {
    const { callId, turnId } = this.facts;
    this.context.emit({ type: "mcp_tool_call_progress", call_id: callId, turn_id: turnId, message });
  }

  end(outcome: CallOutcome, durationMs = this.clock.now() - this.#startedAt): void {
    const duration = { secs: Math.floor(durationMs / 1000), nanos: Math.floor((durationMs % 1000) * 1e6) };
    const failed = outcome.type === "failed" || outcome.result.isError === true;
    this.#item("item_completed", this.clock.epochMs(), {
      status: failed ? "failed" : "completed",
      ...(outcome.type === "result" ? { result: outcome.result } : { error: { message: outcome.message } }),
      duration,
    });
    this.context.emit({
      type: "mcp_tool_call_end",
      ...this.#invocation(),
      duration,
      result: outcome.type === "result" ? { Ok: outcome.result } : { Err: outcome.message },
    });
  }

  #invocation() {
    const { callId, server, tool, input } = this.facts;
    return {
      call_id: callId,
      invocation: { server, tool, arguments: input },
      ...this.#origin(),
    };
  }

  #origin() {
    const { readOnlyHint, pluginId } = this.facts;
    return {
      ...(pluginId === undefined ? {} : { plugin_id: pluginId }),
      ...(readOnlyHint === undefined ? {} : { read_only_hint: readOnlyHint }),
    };
  }

  #item(type: "item_started" | "item_completed", at: number, rest: Readonly<Record<string, unknown>>): void {
    const { threadId, turnId, callId, server, tool, input } = this.facts;
    const item = {
      type: "McpToolCall",
      id: callId,
      server,
      tool,
      arguments: input,
      ...this.#origin(),
      ...rest,
    } as Extract<TurnItem, { type: "McpToolCall" }>;
    const time = type === "item_started" ? { started_at_ms: at } : { completed_at_ms: at };
    this.context.emit({ type, thread_id: threadId, turn_id: turnId, item, ...time } as EventMsg);
  }
}

/**
 * Runs work that has to end in time. The time does not run while a person is asked something.
 * @throws what the work throws, or that it has timed out
 */
export async function withDeadline<Result>(
  limitMs: number,
  clock: Clock,
  pause: PauseSignal,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = new AbortController();
  let left = limitMs;
  let since = clock.now();
  let cancel: (() => void) | undefined;
  const run = () => {
    since = clock.now();
    cancel = clock.after(Math.max(0, left), () => limit.abort());
  };
  const halt = () => {
    if (!cancel) return;
    left -= clock.now() - since;
    cancel();
    cancel = undefined;
  };
  const unsubscribe = pause.onChange((paused) => (paused ? halt() : run()));
  if (!pause.paused) run();
  try {
    return await work(AbortSignal.any([limit.signal, outer]));
  } catch (error) {
    if (!limit.signal.aborted) throw error;
    throw new Error(`timed out awaiting tools/call after ${limitMs / 1000}s`, { cause: error });
  } finally {
    unsubscribe();
    halt();
  }
}

/** What the model and the person read of a call that came to no result. */
export function callFailure(server: string, tool: string, error: unknown): string {
  const text = error instanceof Error && error.message.startsWith("timed out") ? error.message : mcpErrorText(error);
  return `tool call error: tool call failed for \`${server}/${tool}\`\n\nCaused by:\n    ${text}`;
}
