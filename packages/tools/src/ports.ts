/**
 * What the tools need from the program around them, as interfaces they own.
 * Fakes for tests are under `@turnkit/tools/testing`. Processes are reached through ProcessHost of
 * `@turnkit/protocol/exec`.
 */
import type { RequestUserInputQuestion, RequestUserInputResponse } from "@turnkit/protocol";
import type { PermissionGrant } from "./permissions/permission-grant.js";
import type { PostToolUsePayload, PreToolUsePayload, ToolCall, ToolTurn } from "./tool.js";

export interface Clock {
  /** Monotonic milliseconds. */
  now(): number;
  /** Milliseconds since 1970. */
  epochMs(): number;
  /** Runs `action` once after `ms`; returns what cancels it. */
  after(ms: number, action: () => void): () => void;
}

/** A condition under which waiting does not count, such as a person being asked something. */
export interface PauseSignal {
  readonly paused: boolean;
  /** Called on every change; returns the unsubscriber. */
  onChange(listener: (paused: boolean) => void): () => void;
}

export interface UserQuestion {
  readonly callId: string;
  readonly questions: readonly RequestUserInputQuestion[];
  readonly isBlocking: boolean;
}

/** Puts questions in front of a person. */
export interface UserPrompter {
  /** undefined: the wait ended without an answer (replaced, or its turn was cleaned up). */
  ask(turn: ToolTurn, question: UserQuestion): Promise<RequestUserInputResponse | undefined>;
}

export interface PermissionRequest {
  readonly callId: string;
  readonly permissions: PermissionGrant;
  readonly reason: string | undefined;
}

export interface PermissionAnswer {
  readonly permissions: PermissionGrant;
  readonly scope: "turn" | "session";
  /** Every later command of the turn is to be looked at before it runs. */
  readonly strictAutoReview: boolean;
}

/** Asks for permissions beyond the sandbox; what is granted holds when it resolves. */
export interface PermissionAsker {
  /** undefined: the wait ended without an answer. */
  ask(turn: ToolTurn, request: PermissionRequest): Promise<PermissionAnswer | undefined>;
}

export type PreToolUseOutcome =
  | {
      readonly type: "proceed";
      readonly updatedInput: { readonly value: unknown } | undefined;
      readonly contexts: readonly string[];
    }
  | { readonly type: "blocked"; readonly reason: string; readonly contexts: readonly string[] };

export interface PostToolUseOutcome {
  readonly contexts: readonly string[];
  /** true: the result is withheld from the model. */
  readonly blocked: boolean;
  /** Replaces what the model reads. */
  readonly feedback: string | undefined;
}

export interface ToolHooks {
  preToolUse(payload: PreToolUsePayload, turn: ToolTurn, signal: AbortSignal): Promise<PreToolUseOutcome>;
  postToolUse(payload: PostToolUsePayload, turn: ToolTurn, signal: AbortSignal): Promise<PostToolUseOutcome>;
}

export type LifecycleOutcome =
  | { readonly type: "blocked" }
  | { readonly type: "failed"; readonly handlerExecuted: boolean }
  | { readonly type: "completed"; readonly success: boolean }
  | { readonly type: "aborted" };

export type ControlOutcome = "completed" | "failed" | "rejected" | "interrupted";

/** Learns how calls went; has no influence on them. Each call reports exactly one end. */
export interface ToolObserver {
  started(call: ToolCall): void;
  finished(call: ToolCall, outcome: LifecycleOutcome): void;
  /** Only for tools that are marked as control tools. */
  controlFinished(call: ToolCall, outcome: ControlOutcome): void;
}

export interface Logger {
  warn(message: string): void;
  info(message: string): void;
}

/** What a command needs before it may start. */
export interface ExecAuthorizationRequest {
  readonly turn: ToolTurn;
  readonly callId: string;
  readonly argv: readonly string[];
  readonly command: string;
  readonly cwd: string;
  readonly escalated: boolean;
  /** What the command may need beyond the sandbox while it stays within; undefined: nothing was asked for. */
  readonly additional: PermissionGrant | undefined;
  readonly justification: string | undefined;
  readonly prefixRule: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

export type ExecAuthorization =
  /**
   * `sandbox` goes to the process host as it is. `afterDenial` is asked when the sandbox stopped the command at once:
   * whether it may run again without; absent, the denial stands.
   */
  | { readonly type: "run"; readonly sandbox: unknown; readonly afterDenial?: () => Promise<ExecAuthorization> }
  /** The rules forbid asking or running; the model reads `message` as it stands. */
  | { readonly type: "refused"; readonly message: string }
  /** Somebody decided against it. */
  | { readonly type: "rejected"; readonly reason: string };

/** Decides whether and how confined a command runs. */
export interface ExecAuthorizer {
  authorize(request: ExecAuthorizationRequest): Promise<ExecAuthorization>;
}

/** Access that was asked for over the network by a running command; see the network approval of a session. */
export interface NetworkApproval {
  /** Set once access was denied: why. */
  readonly denied: string | undefined;
  onDenied(listener: () => void): () => void;
  /** Ends the registration; returns the denial when there was one. */
  finish(): Promise<string | undefined>;
  /** Variables that lead the command to the proxy. */
  readonly env: Readonly<Record<string, string>>;
}

export interface NetworkApprovals {
  /** undefined: commands are not mediated. */
  register(turn: ToolTurn, callId: string, command: string): NetworkApproval | undefined;
}
