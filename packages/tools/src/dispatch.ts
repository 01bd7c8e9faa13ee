/**
 * One call from lookup to output: hooks before, the handler, hooks after, and exactly one outcome to the observer.
 * Owns the order of these steps. Does not own locking between calls or the recording of outputs.
 */
import type { ControlOutcome, LifecycleOutcome, ToolHooks, ToolObserver } from "./ports.js";
import type { ToolRegistry } from "./registry.js";
import {
  type CallContext,
  FatalToolError,
  RespondToModel,
  type Tool,
  ToolAborted,
  type ToolCall,
  type ToolOutput,
} from "./tool.js";

export interface DispatchDependencies {
  readonly registry: ToolRegistry;
  readonly hooks: ToolHooks | undefined;
  readonly observer: ToolObserver | undefined;
  /** Texts that hooks want the model to read; called before the output is returned. */
  readonly recordContexts: (contexts: readonly string[]) => void;
}

export function textOutput(text: string, success: boolean): ToolOutput {
  return { body: text, success, postToolUse: undefined };
}

/** The outcome of a call is told once, whoever ends it first: the handler or the interruption. */
class OutcomeGuard {
  #lifecycleStarted = false;
  #controlStarted = false;
  #ended = false;

  constructor(
    private readonly call: ToolCall,
    private readonly tool: Tool,
    private readonly observer: ToolObserver | undefined,
  ) {}

  get ended(): boolean {
    return this.#ended;
  }

  start(): void {
    this.#lifecycleStarted = true;
    this.observer?.started(this.call);
  }

  startControl(): void {
    this.#controlStarted = this.tool.isControl;
  }

  end(lifecycle: LifecycleOutcome, control: ControlOutcome): void {
    if (this.#ended) return;
    this.#ended = true;
    if (!this.#lifecycleStarted) this.observer?.started(this.call);
    this.observer?.finished(this.call, lifecycle);
    if (this.tool.isControl && (this.#controlStarted || control !== "interrupted"))
      this.observer?.controlFinished(this.call, control);
  }
}

/**
 * @returns the output the model reads; failures that the model is told about are outputs without success
 * @throws {FatalToolError} the turn cannot go on
 * @throws {ToolAborted} the turn was interrupted before the call reached its outcome
 */
export async function dispatch(
  call: ToolCall,
  context: CallContext,
  dependencies: DispatchDependencies,
): Promise<ToolOutput> {
  const tool = dependencies.registry.find(call.name);
  if (!tool) {
    const kind = call.payload.kind === "custom" ? "unsupported custom tool call" : "unsupported call";
    return textOutput(`${kind}: ${call.name}`, false);
  }
  if (!tool.accepts(call.payload)) throw new FatalToolError(`tool ${call.name} invoked with incompatible payload`);
  const guard = new OutcomeGuard(call, tool, dependencies.observer);
  const work = runWithHooks(tool, call, context, dependencies, guard);
  return await raceAbort(work, context.signal, guard);
}

async function raceAbort(work: Promise<ToolOutput>, signal: AbortSignal, guard: OutcomeGuard): Promise<ToolOutput> {
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => {
      // A reached outcome stands: its output is awaited instead of being replaced.
      if (guard.ended) return;
      guard.end({ type: "aborted" }, "interrupted");
      reject(new ToolAborted());
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort);
  });
  try {
    return await Promise.race([aborted, work]);
  } finally {
    if (onAbort) signal.removeEventListener("abort", onAbort);
  }
}

async function runWithHooks(
  tool: Tool,
  original: ToolCall,
  context: CallContext,
  dependencies: DispatchDependencies,
  guard: OutcomeGuard,
): Promise<ToolOutput> {
  const { hooks } = dependencies;
  let call = original;
  const before = hooks && tool.preToolUse(call);
  if (hooks && before) {
    const outcome = await hooks.preToolUse(before, context.turn, context.signal);
    if (context.signal.aborted) throw new ToolAborted();
    dependencies.recordContexts(outcome.contexts);
    if (outcome.type === "blocked") {
      guard.end({ type: "blocked" }, "rejected");
      return textOutput(blockMessage(before.toolName, before.toolInput, outcome.reason), false);
    }
    if (outcome.updatedInput) {
      try {
        call = tool.withUpdatedInput(call, outcome.updatedInput.value);
      } catch (error) {
        guard.end({ type: "failed", handlerExecuted: false }, "failed");
        return failure(error);
      }
    }
  }
  if (context.signal.aborted) throw new ToolAborted();
  guard.startControl();
  guard.start();
  let output: ToolOutput;
  try {
    output = await tool.run(call, context);
  } catch (error) {
    guard.end({ type: "failed", handlerExecuted: true }, "failed");
    return failure(error);
  }
  const after = output.success ? output.postToolUse : undefined;
  if (!hooks || !after) {
    guard.end({ type: "completed", success: output.success }, output.success ? "completed" : "failed");
    return output;
  }
  const outcome = await hooks.postToolUse(after, context.turn, context.signal);
  if (context.signal.aborted) throw new ToolAborted();
  dependencies.recordContexts(outcome.contexts);
  guard.end({ type: "completed", success: true }, "completed");
  if (outcome.blocked) return textOutput(outcome.feedback ?? "PostToolUse hook blocked the tool result", false);
  return outcome.feedback === undefined ? output : { ...output, body: outcome.feedback };
}

function failure(error: unknown): ToolOutput {
  if (error instanceof RespondToModel) return textOutput(error.message, false);
  throw error;
}

function blockMessage(toolName: string, toolInput: unknown, reason: string): string {
  const command = (toolInput as { command?: unknown } | undefined)?.command;
  if ((toolName === "Bash" || toolName === "apply_patch") && typeof command === "string")
    return `Command blocked by PreToolUse hook: ${reason}. Command: ${command}`;
  return `Tool call blocked by PreToolUse hook: ${reason}. Tool: ${toolName}`;
}
