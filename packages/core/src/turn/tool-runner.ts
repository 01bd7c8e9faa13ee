/**
 * The tool calls of one response: each starts as soon as it is complete, side by side where all of them allow it,
 * and their outputs are recorded in the order of the calls once the response has ended.
 */
import type { ResponseItem } from "@turnkit/protocol";
import {
  type CallContext,
  dispatch,
  QUESTION_TOOL_NAME,
  ToolAborted,
  type ToolCall,
  type ToolTurn,
} from "@turnkit/tools";
import { callName } from "../mcp/tool-names.js";
import type { Runtime } from "../session/runtime.js";
import type { ActiveTurn } from "./active-turn.js";
import { limitedOutput, type OutputBody } from "./limited-output.js";
import { ReadWriteLock } from "./read-write-lock.js";

interface Running {
  readonly call: ToolCall;
  readonly output: Promise<ResponseItem>;
}

export type CallItem = Extract<ResponseItem, { type: "function_call" | "custom_tool_call" }>;

export class ToolRunner {
  readonly #lock = new ReadWriteLock();
  readonly #running: Running[] = [];

  constructor(
    private readonly runtime: Runtime,
    private readonly turn: ActiveTurn,
    private readonly view: ToolTurn,
  ) {}

  get hasCalls(): boolean {
    return this.#running.length > 0;
  }

  start(item: CallItem): void {
    const call: ToolCall = {
      callId: item.call_id,
      name: item.type === "function_call" ? callName(item.namespace, item.name) : item.name,
      payload:
        item.type === "custom_tool_call"
          ? { kind: "custom", input: item.input }
          : { kind: "function", arguments: item.arguments },
    };
    const output = this.#run(call);
    output.catch(() => {});
    this.#running.push({ call, output });
  }

  /**
   * Records every output, in the order of the calls.
   * @throws {FatalToolError} after the others have been recorded
   */
  async drain(): Promise<void> {
    let fatal: { readonly error: unknown } | undefined;
    for (const { output } of this.#running.splice(0)) {
      try {
        const item = await output;
        this.turn.throwIfDetached();
        this.runtime.recordItem(this.turn.id, item);
      } catch (error) {
        fatal ??= { error };
      }
    }
    if (fatal) throw fatal.error;
  }

  async #run(call: ToolCall): Promise<ResponseItem> {
    const { clock, observer, hooks, tools } = this.runtime.parts;
    const startedAt = clock.now();
    const tool = tools.registry.find(call.name);
    if (!tool && tools.questionsSwitchedOff && call.name === QUESTION_TOOL_NAME)
      this.runtime.parts.answers.record.notShown(
        this.turn.id,
        call.callId,
        "switchedOff",
        "tools.experimental_request_user_input",
      );
    const parallel = tool?.supportsParallelCalls ?? true;
    const leave = await this.#lock.acquire(!parallel, this.turn.signal);
    const context: CallContext = {
      turn: this.view,
      signal: this.turn.signal,
      emit: (event) => this.runtime.emit(this.turn.id, event),
    };
    try {
      if (!leave) throw new ToolAborted();
      const output = await dispatch(call, context, {
        registry: tools.registry,
        hooks,
        observer,
        recordContexts: (texts) => this.runtime.recordHookContexts(this.turn.id, texts),
      });
      // What a person has answered is theirs, however long it is.
      const isAnswer = call.name === QUESTION_TOOL_NAME;
      return outputItem(call, isAnswer ? output.body : limitedOutput(output.body, this.view.outputTokenLimit));
    } catch (error) {
      if (error instanceof ToolAborted) return outputItem(call, abortedText(call, clock.now() - startedAt));
      throw error;
    } finally {
      leave?.();
    }
  }
}

function outputItem(call: ToolCall, body: OutputBody): ResponseItem {
  return call.payload.kind === "custom"
    ? { type: "custom_tool_call_output", call_id: call.callId, output: body }
    : { type: "function_call_output", call_id: call.callId, output: body };
}

function abortedText(call: ToolCall, elapsedMs: number): string {
  const seconds = Math.max(elapsedMs / 1000, 0.1).toFixed(1);
  return call.name === "exec_command"
    ? `Wall time: ${seconds} seconds\naborted by user`
    : `aborted by user after ${seconds}s`;
}
