/**
 * What hooks mean to a session: the input each event gets and the decision taken from all of its handlers.
 * Owns the rules by which several answers become one.
 */

import type {
  PostToolUseOutcome,
  PostToolUsePayload,
  PreToolUseOutcome,
  PreToolUsePayload,
  ToolTurn,
} from "@turnkit/tools";
import { shellNameOf } from "@turnkit/tools";
import type {
  CompactTrigger,
  PermissionOutcome,
  PermissionRequest,
  PromptHookOutcome,
  SessionHooks,
  SessionStartSource,
  StopHookOutcome,
} from "../session/session-options.js";
import { HOOK_EVENTS, type HookEvent } from "./hook-event.js";
import type { HookRun, HookRunner, HookRuns } from "./hook-runner.js";

/** What a session is at the moment a hook runs. */
export interface HookSession {
  readonly sessionId: string;
  readonly transcriptPath: string | null;
  readonly cwd: string;
  readonly model: string;
  /** true: nobody is asked for permission. */
  readonly bypassesPermissions: boolean;
  readonly isRootThread: boolean;
}

const NEVER = new AbortController().signal;

export class CommandSessionHooks implements SessionHooks {
  constructor(
    private readonly runner: HookRunner,
    private readonly session: () => HookSession,
  ) {}

  #common(event: HookEvent, turnId: string | null) {
    const session = this.session();
    return {
      session_id: session.sessionId,
      ...(turnId === null || startsSession(event) ? {} : { turn_id: turnId }),
      transcript_path: session.transcriptPath,
      cwd: session.cwd,
      hook_event_name: event.configName,
      model: session.model,
      ...(aboutCompaction(event)
        ? {}
        : { permission_mode: session.bypassesPermissions ? "bypassPermissions" : "default" }),
    };
  }

  #run(
    event: HookEvent,
    turnId: string | null,
    particular: Readonly<Record<string, unknown>>,
    options: { readonly subject?: string; readonly idSuffix?: string; readonly signal?: AbortSignal } = {},
  ): Promise<HookRuns> {
    return this.runner.run({
      event,
      subject: options.subject,
      turnId,
      input: { ...this.#common(event, turnId), ...particular },
      cwd: this.session().cwd,
      signal: options.signal ?? NEVER,
      idSuffix: options.idSuffix,
    });
  }

  async userPromptSubmit(prompt: string, turnId: string, signal: AbortSignal): Promise<PromptHookOutcome> {
    const { runs } = await this.#run(HOOK_EVENTS.user_prompt_submit, turnId, { prompt }, { signal });
    return { blocked: runs.some(isRefusal), contexts: contextsOf(runs) };
  }

  async preToolUse(payload: PreToolUsePayload, turn: ToolTurn, signal: AbortSignal): Promise<PreToolUseOutcome> {
    const { runs, updatedInput } = await this.#run(
      HOOK_EVENTS.pre_tool_use,
      turn.id,
      { tool_name: payload.toolName, tool_input: payload.toolInput, tool_use_id: payload.toolUseId },
      { subject: payload.toolName, idSuffix: payload.toolUseId, signal },
    );
    const contexts = contextsOf(runs);
    const reason = runs.find(({ result }) => result.blockReason !== undefined)?.result.blockReason;
    return reason === undefined ? { type: "proceed", updatedInput, contexts } : { type: "blocked", reason, contexts };
  }

  async postToolUse(payload: PostToolUsePayload, turn: ToolTurn, signal: AbortSignal): Promise<PostToolUseOutcome> {
    const { runs } = await this.#run(
      HOOK_EVENTS.post_tool_use,
      turn.id,
      {
        tool_name: payload.toolName,
        tool_input: payload.toolInput,
        tool_response: payload.toolResponse,
        tool_use_id: payload.toolUseId,
      },
      { subject: payload.toolName, idSuffix: payload.toolUseId, signal },
    );
    const blocks = texts(runs, ({ result }) => result.blockReason);
    const stops = texts(runs, ({ result }) => result.stopReason);
    const feedback = [...blocks, ...stops];
    return {
      contexts: contextsOf(runs),
      blocked: blocks.length > 0,
      feedback: feedback.length === 0 ? undefined : feedback.join("\n\n"),
    };
  }

  async permissionRequest(request: PermissionRequest, signal: AbortSignal): Promise<PermissionOutcome> {
    const { runs } = await this.#run(
      HOOK_EVENTS.permission_request,
      request.turnId,
      { tool_name: request.toolName, tool_input: request.toolInput },
      { subject: request.toolName, signal },
    );
    const denied = runs.find(({ result }) => result.permission === "deny");
    if (denied) return { decision: "deny", message: denied.result.blockReason };
    const allowed = runs.some(({ result }) => result.permission === "allow");
    return { decision: allowed ? "allow" : undefined, message: undefined };
  }

  async stop(
    options: { turnId: string; stopHookActive: boolean; lastMessage: string | null },
    signal: AbortSignal,
  ): Promise<StopHookOutcome> {
    const event = this.session().isRootThread ? HOOK_EVENTS.stop : HOOK_EVENTS.subagent_stop;
    const { runs } = await this.#run(
      event,
      options.turnId,
      { stop_hook_active: options.stopHookActive, last_assistant_message: options.lastMessage },
      { signal },
    );
    if (runs.some(({ result }) => result.stopReason !== undefined)) return { continuations: [], emptyBlock: false };
    const continuations = runs.flatMap(({ id, result }) =>
      result.blockReason === undefined || result.blockReason.trim() === ""
        ? []
        : [{ text: result.blockReason, hookRunId: id }],
    );
    const anyBlock = runs.some(({ result }) => result.status === "blocked");
    return { continuations, emptyBlock: anyBlock && continuations.length === 0 };
  }

  /** Before the first prompt of a session. */
  async sessionStart(source: SessionStartSource, turnId: string, signal: AbortSignal): Promise<PromptHookOutcome> {
    const event = this.session().isRootThread ? HOOK_EVENTS.session_start : HOOK_EVENTS.subagent_start;
    const { runs } = await this.#run(event, turnId, { source }, { subject: source, signal });
    return { blocked: runs.some(({ result }) => result.stopReason !== undefined), contexts: contextsOf(runs) };
  }

  /** @returns false: a hook does not want the history to be compacted */
  async preCompact(trigger: CompactTrigger, turnId: string, signal: AbortSignal): Promise<boolean> {
    const { runs } = await this.#run(HOOK_EVENTS.pre_compact, turnId, { trigger }, { subject: trigger, signal });
    return !runs.some(({ result }) => result.stopReason !== undefined);
  }

  async postCompact(trigger: CompactTrigger, turnId: string, signal: AbortSignal): Promise<void> {
    await this.#run(HOOK_EVENTS.post_compact, turnId, { trigger }, { subject: trigger, signal });
  }

  /** Observes only. */
  async interrupted(turnId: string): Promise<void> {
    if (this.session().isRootThread) await this.#run(HOOK_EVENTS.interrupt, turnId, {});
  }

  /** Observes only. */
  async sessionEnd(): Promise<void> {
    const session = this.session();
    const event = HOOK_EVENTS.session_end;
    await this.runner.run({
      event,
      subject: "other",
      turnId: null,
      input: {
        session_id: session.sessionId,
        transcript_path: session.transcriptPath,
        cwd: session.cwd,
        hook_event_name: event.configName,
        reason: "other",
      },
      cwd: session.cwd,
      signal: NEVER,
    });
    await this.runner.stop();
  }

  takeBackgroundContexts(): readonly string[] {
    return this.runner.takeBackgroundContexts();
  }
}

const startsSession = (event: HookEvent) => event === HOOK_EVENTS.session_start || event === HOOK_EVENTS.subagent_start;

const aboutCompaction = (event: HookEvent) => event === HOOK_EVENTS.pre_compact || event === HOOK_EVENTS.post_compact;

function isRefusal({ result }: HookRun): boolean {
  return result.blockReason !== undefined || result.stopReason !== undefined;
}

function contextsOf(runs: readonly HookRun[]): readonly string[] {
  return runs.flatMap(({ result }) => result.contexts);
}

function texts(runs: readonly HookRun[], pick: (run: HookRun) => string | undefined): readonly string[] {
  return runs.flatMap((run) => pick(run) ?? []);
}

/** A shell that understands `-lc`; others fall back to the plain one. */
export function hookShell(shell: string | undefined): string {
  if (shell === undefined || shell === "") return "/bin/sh";
  return ["bash", "zsh", "sh", "dash", "ksh", "fish"].includes(shellNameOf(shell)) ? shell : "/bin/sh";
}
