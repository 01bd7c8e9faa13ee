/**
 * A regular turn from its first event to its last: tell the model what has changed around it, take the input, ask,
 * run tools, take what came in meanwhile, ask again. Ends exactly once; an interruption is ended by `abort`.
 */
import type { ErrorEvent, EventMsg } from "@turnkit/protocol";
import { FatalToolError } from "@turnkit/tools";
import { compact } from "../compaction/compact.js";
import { StoppedByHook } from "../compaction/stopped-by-hook.js";
import { userMessage } from "../context/fragments.js";
import { PLUGIN_KIND, pluginHints } from "../context/plugins/plugin-hint.js";
import { mentionedPlugins, requiredServers, selectSkills } from "../context/skills/select-skills.js";
import { SKILL_KIND, skillMessage } from "../context/skills/skill-message.js";
import { ModelError } from "../model/model-error.js";
import type { Runtime } from "../session/runtime.js";
import type { ActiveTurn } from "./active-turn.js";
import { mustStop, recordInput } from "./record-input.js";
import { NO_RATE_LIMITS, type SampleResult, sample } from "./sample.js";
import { recordSurroundings } from "./surroundings.js";
import { contextWindow, mustCompact } from "./token-limits.js";

/** Reports the start once. */
export function reportStart(runtime: Runtime, turn: ActiveTurn): void {
  if (turn.started) return;
  turn.started = true;
  turn.startedAtMs = runtime.parts.clock.epochMs();
  runtime.emit(turn.id, {
    type: "task_started",
    turn_id: turn.id,
    started_at: Math.floor(turn.startedAtMs / 1000),
    model_context_window: contextWindow(runtime, turn.start.settings.model),
    collaboration_mode_kind: turn.start.settings.collaboration_mode.mode,
  });
}

/**
 * Runs the turn until it has nothing left to do.
 * @returns why it failed; undefined: it ended well
 * @throws only when the turn was interrupted, or {@link StoppedByHook}
 */
export async function runTurn(runtime: Runtime, turn: ActiveTurn): Promise<ErrorEvent | undefined> {
  reportStart(runtime, turn);
  return await failureOf(turn, async () => {
    if (mustCompact(runtime, turn.start.settings.model)) await compact(runtime, turn, { phase: "beforeTurn" });
    await recordSurroundings(runtime, turn);
    turn.stopped = (await stoppedAtStart(runtime, turn)) || !(await takeInput(runtime, turn));
    if (!turn.stopped) await converse(runtime, turn);
  });
}

/** A turn that only shortens the history. Returns and throws as `runTurn`. */
export async function compactionTurn(runtime: Runtime, turn: ActiveTurn): Promise<ErrorEvent | undefined> {
  reportStart(runtime, turn);
  // Nobody is asked about what is handed in meanwhile; it is kept.
  turn.stopped = true;
  return await failureOf(turn, () => compact(runtime, turn, { phase: "standalone" }));
}

/** For input that joined when the turn had nothing left to do. Returns and throws as `runTurn`. */
export async function continueTurn(runtime: Runtime, turn: ActiveTurn): Promise<ErrorEvent | undefined> {
  return await failureOf(turn, async () => {
    turn.stopped = !(await takeInput(runtime, turn));
    if (!turn.stopped) await converse(runtime, turn);
  });
}

async function failureOf(turn: ActiveTurn, work: () => Promise<void>): Promise<ErrorEvent | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (turn.signal.aborted || error instanceof StoppedByHook) throw error;
    return errorEvent(error);
  }
}

async function converse(runtime: Runtime, turn: ActiveTurn): Promise<void> {
  let stopHookActive = false;
  for (;;) {
    const { needsFollowUp } = await sampleWithinWindow(runtime, turn);
    turn.throwIfDetached();
    if (turn.signal.aborted) return;
    if (!needsFollowUp && !turn.input.hasPending) {
      const goesOn = await askStopHooks(runtime, turn, stopHookActive);
      if (turn.signal.aborted) return;
      if (goesOn) stopHookActive = true;
      else if (!turn.input.hasPending) {
        turn.answered = true;
        return;
      }
    }
    if (mustCompact(runtime, turn.start.settings.model)) await compact(runtime, turn, { phase: "midTurn" });
    runtime.recordAllowedPrefixes(turn.id);
    runtime.recordHookContexts(turn.id, runtime.parts.hooks?.takeBackgroundContexts?.() ?? []);
    if (turn.input.hasPending && !(await takeInput(runtime, turn))) {
      turn.stopped = true;
      return;
    }
  }
}

/** A history that a provider refuses as too long is compacted, and the request is made again, once. */
async function sampleWithinWindow(runtime: Runtime, turn: ActiveTurn): Promise<SampleResult> {
  const refused = (error: unknown) =>
    error instanceof ModelError && error.info === "context_window_exceeded" && !turn.signal.aborted;
  try {
    return await sample(runtime, turn);
  } catch (error) {
    if (!refused(error)) throw error;
  }
  await compact(runtime, turn, { phase: "midTurn" });
  try {
    return await sample(runtime, turn);
  } catch (error) {
    if (refused(error)) {
      const info = runtime.parts.history.fillWindow(contextWindow(runtime, turn.start.settings.model));
      runtime.emit(turn.id, { type: "token_count", info, rate_limits: NO_RATE_LIMITS });
    }
    throw error;
  }
}

/** The hooks of a session's start run before its first prompt. true: one of them wants nothing to happen. */
async function stoppedAtStart(runtime: Runtime, turn: ActiveTurn): Promise<boolean> {
  const { hooks } = runtime.parts;
  runtime.recordHookContexts(turn.id, hooks?.takeBackgroundContexts?.() ?? []);
  const source = runtime.pendingStart;
  runtime.pendingStart = undefined;
  if (source === undefined) return false;
  const outcome = await hooks?.sessionStart?.(source, turn.id, turn.signal);
  runtime.recordHookContexts(turn.id, outcome?.contexts ?? []);
  return outcome?.blocked ?? false;
}

/** Records what waits and the skills it asks for. false: the turn has to end. */
async function takeInput(runtime: Runtime, turn: ActiveTurn): Promise<boolean> {
  const recording = recordInput(runtime, turn, turn.input.drain());
  turn.recording = recording;
  const outcome = await recording;
  turn.throwIfDetached();
  if (mustStop(outcome)) {
    // What was said before belongs to input that is done with.
    turn.lastAgentMessage = null;
    return false;
  }
  const available = await runtime.parts.skills(turn.start.settings.cwd);
  const skills = selectSkills(outcome.accepted, available);
  const plugins = mentionedPlugins(outcome.accepted);
  await runtime.parts.mcp?.prepare(
    turn.id,
    { servers: requiredServers(outcome.accepted), plugins, skills },
    turn.signal,
  );
  turn.signal.throwIfAborted();
  turn.throwIfDetached();
  for (const skill of skills) {
    const message = await skillMessage(skill);
    if (message.type === "message") runtime.recordItem(turn.id, message.item, [SKILL_KIND]);
    else runtime.emit(turn.id, { type: "warning", message: message.message });
  }
  for (const hint of pluginHints(plugins, available, runtime.parts.mcp?.current?.pluginServers ?? []))
    runtime.recordItem(turn.id, hint, [PLUGIN_KIND]);
  return true;
}

async function askStopHooks(runtime: Runtime, turn: ActiveTurn, stopHookActive: boolean): Promise<boolean> {
  const { hooks } = runtime.parts;
  if (!hooks) return false;
  const outcome = await hooks.stop(
    { turnId: turn.id, stopHookActive, lastMessage: turn.lastAgentMessage },
    turn.signal,
  );
  if (outcome.emptyBlock)
    runtime.emit(turn.id, {
      type: "warning",
      message: "Stop hook requested continuation without a prompt; ignoring the block.",
    });
  if (outcome.continuations.length === 0) return false;
  const escapeXml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  for (const { text, hookRunId } of outcome.continuations)
    runtime.recordItem(
      turn.id,
      userMessage(`<hook_prompt hook_run_id="${escapeXml(hookRunId)}">${escapeXml(text)}</hook_prompt>`),
      ["hooks.prompt"],
    );
  return true;
}

export function errorEvent(error: unknown): ErrorEvent {
  if (error instanceof ModelError) return error.toEvent();
  const message = error instanceof Error ? error.message : String(error);
  return { message: error instanceof FatalToolError ? `Fatal error: ${message}` : message, codex_error_info: "other" };
}

export function completionEvent(runtime: Runtime, turn: ActiveTurn, error: ErrorEvent | undefined): EventMsg {
  const now = runtime.parts.clock.epochMs();
  return {
    type: "task_complete",
    turn_id: turn.id,
    last_agent_message: error ? null : turn.lastAgentMessage,
    ...(error ? { error } : {}),
    started_at: Math.floor(turn.startedAtMs / 1000),
    completed_at: Math.floor(now / 1000),
    duration_ms: Math.round(now - turn.startedAtMs),
    ...(turn.firstTokenAtMs === undefined
      ? {}
      : { time_to_first_token_ms: Math.round(turn.firstTokenAtMs - turn.startedAtMs) }),
  };
}

export function abortedEvent(runtime: Runtime, turn: ActiveTurn, reason: "interrupted" | "replaced"): EventMsg {
  const now = runtime.parts.clock.epochMs();
  return {
    type: "turn_aborted",
    turn_id: turn.id,
    reason,
    started_at: Math.floor(turn.startedAtMs / 1000),
    completed_at: Math.floor(now / 1000),
    duration_ms: Math.round(now - turn.startedAtMs),
  };
}
