/**
 * What a tool is: its specification as the model sees it, and the function that runs a call.
 * Owns the two kinds of failure (the model is told, or the turn ends). Does not own lookup, hooks or
 * locking: see registry, dispatch and the turn's tool runner.
 */
import type { EventMsg, FunctionCallOutputBody, ModeKind } from "@turnkit/protocol";

export type JsonObject = { readonly [key: string]: unknown };

export interface FunctionToolSpec {
  readonly type: "function";
  readonly name: string;
  readonly description: string;
  readonly strict: boolean;
  readonly parameters: JsonObject;
}

/** A tool whose input is free text, described by a grammar. */
export interface CustomToolSpec {
  readonly type: "custom";
  readonly name: string;
  readonly description: string;
  readonly format: JsonObject;
}

export type ToolSpec = FunctionToolSpec | CustomToolSpec;

/** `direct-model-only`: never deferred behind a search and never callable from code. */
export type ToolExposure = "direct" | "direct-model-only" | "deferred" | "hidden";

export type ToolPayload =
  | { readonly kind: "function"; readonly arguments: string }
  | { readonly kind: "custom"; readonly input: string }
  | { readonly kind: "toolSearch"; readonly arguments: string };

export interface ToolCall {
  readonly callId: string;
  readonly name: string;
  readonly payload: ToolPayload;
}

/** The facts of a turn that tools decide by. They do not change while the turn runs. */
export interface ToolTurn {
  readonly id: string;
  readonly mode: ModeKind;
  /** Native absolute path. */
  readonly cwd: string;
  /** false in sub-agents and internal sessions. */
  readonly isRootThread: boolean;
  /** The model's own limit for one tool output, in tokens. */
  readonly outputTokenLimit: number;
}

/** What one call may use besides the ports its tool was built with. */
export interface CallContext {
  readonly turn: ToolTurn;
  /** Aborted when the turn is interrupted; nothing a tool does afterwards is recorded. */
  readonly signal: AbortSignal;
  /** Reports an event of this turn. */
  emit(event: EventMsg): void;
}

/** What PostToolUse hooks are told when a call is to be shown to them. */
export interface PostToolUsePayload {
  readonly toolName: string;
  readonly toolUseId: string;
  readonly toolInput: unknown;
  readonly toolResponse: unknown;
}

export interface PreToolUsePayload {
  readonly toolName: string;
  readonly toolUseId: string;
  readonly toolInput: unknown;
}

export interface ToolOutput {
  readonly body: FunctionCallOutputBody;
  readonly success: boolean;
  /** undefined: no PostToolUse hook runs for this call. */
  readonly postToolUse: PostToolUsePayload | undefined;
}

export interface Tool {
  readonly spec: ToolSpec;
  readonly exposure: ToolExposure;
  /** true: may run beside other such calls of the same response; false: runs alone. */
  readonly supportsParallelCalls: boolean;
  /** true: its outcome is reported to the control observer. */
  readonly isControl: boolean;
  accepts(payload: ToolPayload): boolean;
  /** undefined: no PreToolUse hook runs for this call. */
  preToolUse(call: ToolCall): PreToolUsePayload | undefined;
  /** The call with the input a PreToolUse hook asked for. @throws {RespondToModel} the input does not fit */
  withUpdatedInput(call: ToolCall, updatedInput: unknown): ToolCall;
  /**
   * @throws {RespondToModel} the model is told and the turn goes on
   * @throws {FatalToolError} the turn fails
   */
  run(call: ToolCall, context: CallContext): Promise<ToolOutput>;
}

/** The model reads `message` as the output of its call. */
export class RespondToModel extends Error {
  override readonly name = "RespondToModel";
}

/** The turn cannot go on. */
export class FatalToolError extends Error {
  override readonly name = "FatalToolError";
}

/** The call was cut short by the turn's interruption. */
export class ToolAborted extends Error {
  override readonly name = "ToolAborted";
  constructor() {
    super("aborted");
  }
}
