/**
 * The apply_patch tool: free text in, files changed, one file-change item and the turn's diff out.
 * Owns the order plan → item → permission → writing → item. Does not own the permission: see PatchAuthorizer.
 */
import type { FileChange, FileChangeStatus } from "@turnkit/protocol";
import { textOutput } from "../dispatch.js";
import type { FileSystem } from "../file-system/file-system.js";
import type { Clock } from "../ports.js";
import {
  type CallContext,
  RespondToModel,
  type Tool,
  ToolAborted,
  type ToolCall,
  type ToolOutput,
  type ToolTurn,
} from "../tool.js";
import { applyPlan, outputText, summary } from "./apply-plan.js";
import { PATCH_GRAMMAR } from "./grammar.js";
import { parsePatch } from "./parse-patch.js";
import { PatchApplyError, PatchSyntaxError } from "./patch.js";
import { type PatchPlan, type PlannedFile, planPatch } from "./plan-patch.js";

export const APPLY_PATCH = "apply_patch";
const UNSUPPORTED = `${APPLY_PATCH} handler received unsupported payload`;

export interface PatchAuthorizationRequest {
  readonly turn: ToolTurn;
  readonly callId: string;
  /** Absolute paths of everything that is created, changed or removed. */
  readonly paths: readonly string[];
  readonly changes: { readonly [path: string]: FileChange };
  readonly signal: AbortSignal;
}

export type PatchAuthorization =
  | { readonly type: "run" }
  /** The rules forbid it; nobody is asked and no item is reported. */
  | { readonly type: "refused"; readonly message: string }
  | { readonly type: "ask" };

export type PatchDecision =
  | { readonly type: "approved" }
  /** Somebody decided against it. */
  | { readonly type: "declined"; readonly reason: string };

/** Decides whether a patch may be applied. */
export interface PatchAuthorizer {
  assess(request: PatchAuthorizationRequest): Promise<PatchAuthorization>;
  /** Asks a person; called after the item was reported. */
  ask(request: PatchAuthorizationRequest): Promise<PatchDecision>;
}

export interface FileChangeItem {
  readonly type: "FileChange";
  readonly id: string;
  readonly changes: { [path: string]: FileChange };
  readonly status: FileChangeStatus | null;
  readonly auto_approved: boolean | null;
  readonly stdout: string | null;
  readonly stderr: string | null;
}

/** Reports what a patch does while it does it. */
export interface PatchReporter {
  started(turn: ToolTurn, item: FileChangeItem): void;
  completed(turn: ToolTurn, item: FileChangeItem): void;
  /** Files have changed; the turn's diff is due. */
  changed(turn: ToolTurn, files: readonly PlannedFile[]): void;
}

export interface ApplyPatchOptions {
  readonly files: FileSystem;
  readonly clock: Clock;
  readonly authorizer: PatchAuthorizer;
  readonly reporter: PatchReporter;
  /** Joins a path of the patch to a folder; absolute paths stay. */
  readonly resolvePath: (base: string, path: string) => string;
  readonly folderOf: (path: string) => string;
}

export interface PatchRun {
  readonly callId: string;
  readonly patch: string;
  readonly cwd: string;
}

/** Applies patches for the tool and for commands that turn out to be patches. */
export class PatchApplier {
  /** Patches of one session are applied one after the other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: ApplyPatchOptions) {}

  /**
   * @returns the text the model reads
   * @throws {RespondToModel} the patch was refused, declined, or does not fit
   */
  apply(run: PatchRun, context: CallContext): Promise<{ readonly text: string; readonly success: boolean }> {
    const result = this.#last.then(() => this.#apply(run, context));
    this.#last = result.catch(() => {});
    return result;
  }

  async #apply(run: PatchRun, context: CallContext) {
    const { authorizer, reporter, clock, files, folderOf } = this.options;
    const { turn, signal } = context;
    if (signal.aborted) throw new ToolAborted();
    const plan = await this.#plan(run);
    const request: PatchAuthorizationRequest = {
      turn,
      callId: run.callId,
      paths: plan.files.flatMap((file) => (file.movedTo === undefined ? [file.path] : [file.path, file.movedTo])),
      changes: plan.changes,
      signal,
    };
    const permission = await authorizer.assess(request);
    if (permission.type === "refused") throw new RespondToModel(permission.message);
    const start = clock.now();
    const item: FileChangeItem = {
      type: "FileChange",
      id: run.callId,
      changes: plan.changes,
      status: null,
      auto_approved: permission.type === "run",
      stdout: null,
      stderr: null,
    };
    reporter.started(turn, item);
    if (permission.type === "ask") {
      const decision = await authorizer.ask(request);
      if (decision.type === "declined") {
        reporter.completed(turn, { ...item, status: "declined", stdout: "", stderr: decision.reason });
        throw new RespondToModel(decision.reason);
      }
    }
    if (signal.aborted) throw new ToolAborted();
    const { done, failure } = await applyPlan(plan, { files, folderOf });
    const stdout = failure ? "" : summary(done);
    const stderr = failure ? `${failure.message}\n` : "";
    reporter.completed(turn, { ...item, status: failure ? "failed" : "completed", stdout, stderr });
    if (done.length > 0) reporter.changed(turn, done);
    const seconds = (clock.now() - start) / 1000;
    return { text: outputText(failure ? 1 : 0, seconds, failure ? stderr : stdout), success: !failure };
  }

  async #plan(run: PatchRun): Promise<PatchPlan> {
    try {
      const sections = parsePatch(run.patch);
      if (sections.length === 0) throw new RespondToModel("patch rejected: empty patch");
      return await planPatch(sections, {
        files: this.options.files,
        resolve: (path) => this.options.resolvePath(run.cwd, path),
      });
    } catch (error) {
      if (error instanceof PatchSyntaxError || error instanceof PatchApplyError)
        throw new RespondToModel(`${APPLY_PATCH} verification failed: ${error.message}`);
      throw error;
    }
  }
}

export function createApplyPatchTool(applier: PatchApplier): Tool {
  return {
    spec: {
      type: "custom",
      name: APPLY_PATCH,
      description:
        "Adds, changes, moves and deletes files. The input is the patch itself as plain text, not JSON; paths are relative to the working folder.",
      format: { type: "grammar", syntax: "lark", definition: PATCH_GRAMMAR },
    },
    exposure: "direct",
    supportsParallelCalls: false,
    isControl: false,
    accepts: (payload) => payload.kind === "custom",
    preToolUse(call) {
      if (call.payload.kind !== "custom") return undefined;
      return { toolName: APPLY_PATCH, toolUseId: call.callId, toolInput: { command: call.payload.input } };
    },
    withUpdatedInput(call, updatedInput) {
      const command = (updatedInput as { command?: unknown } | null)?.command;
      if (typeof command !== "string")
        throw new RespondToModel("hook returned updatedInput without string field `command`");
      return { ...call, payload: { kind: "custom", input: command } };
    },
    run: (call, context) => run(call, context, applier),
  };
}

async function run(call: ToolCall, context: CallContext, applier: PatchApplier): Promise<ToolOutput> {
  if (call.payload.kind !== "custom") throw new RespondToModel(UNSUPPORTED);
  const patch = call.payload.input;
  const { text, success } = await applier.apply({ callId: call.callId, patch, cwd: context.turn.cwd }, context);
  if (!success) return textOutput(text, false);
  const postToolUse = {
    toolName: APPLY_PATCH,
    toolUseId: call.callId,
    toolInput: { command: patch },
    toolResponse: text,
  };
  return { body: text, success, postToolUse };
}
