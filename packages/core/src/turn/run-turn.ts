/**
 * A regular turn from its first event to its last: tell the model what has changed around it, take the input, ask,
 * run tools, take what came in meanwhile, ask again. Ends exactly once; an interruption is ended by `abort`.
 */
import type { ErrorEvent, EventMsg, ThreadSettings } from "@turnkit/protocol";
import { FatalToolError } from "@turnkit/tools";
import { localDate } from "../context/environment-context.js";
import { userMessage } from "../context/fragments.js";
import { selectSkills } from "../context/skills/select-skills.js";
import { catalogueBudget, SHORTENED_WARNING, skillCatalogue } from "../context/skills/skill-catalogue.js";
import { SKILL_KIND, skillMessage } from "../context/skills/skill-message.js";
import { modelInfo } from "../model/model-catalogue.js";
import { ModelError } from "../model/model-error.js";
import type { Runtime } from "../session/runtime.js";
import type { ActiveTurn } from "./active-turn.js";
import { mustStop, recordInput } from "./record-input.js";
import { contextWindow, sample } from "./sample.js";

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
 * @throws only when the turn was interrupted
 */
export async function runTurn(runtime: Runtime, turn: ActiveTurn): Promise<ErrorEvent | undefined> {
  reportStart(runtime, turn);
  return await failureOf(turn, async () => {
    await recordSurroundings(runtime, turn);
    turn.stopped = (await stoppedAtStart(runtime, turn)) || !(await takeInput(runtime, turn));
    if (!turn.stopped) await converse(runtime, turn);
  });
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
    if (turn.signal.aborted) throw error;
    return errorEvent(error);
  }
}

async function converse(runtime: Runtime, turn: ActiveTurn): Promise<void> {
  let stopHookActive = false;
  for (;;) {
    const { needsFollowUp } = await sample(runtime, turn);
    turn.throwIfDetached();
    if (turn.signal.aborted) return;
    if (!needsFollowUp && !turn.input.hasPending) {
      const goesOn = await askStopHooks(runtime, turn, stopHookActive);
      if (turn.signal.aborted) return;
      if (goesOn) stopHookActive = true;
      else if (!turn.input.hasPending) return;
    }
    runtime.recordAllowedPrefixes(turn.id);
    runtime.recordHookContexts(turn.id, runtime.parts.hooks?.takeBackgroundContexts?.() ?? []);
    if (turn.input.hasPending && !(await takeInput(runtime, turn))) {
      turn.stopped = true;
      return;
    }
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
  const skills = await runtime.parts.skills(turn.start.settings.cwd);
  for (const skill of selectSkills(outcome.accepted, skills)) {
    const message = await skillMessage(skill);
    if (message.type === "message") runtime.recordItem(turn.id, message.item, [SKILL_KIND]);
    else runtime.emit(turn.id, { type: "warning", message: message.message });
  }
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

/** Tells the model what it does not know yet, and keeps the settings of the turn. */
async function recordSurroundings(runtime: Runtime, turn: ActiveTurn): Promise<void> {
  const { clock, worldState, developerInstructions, shellName, projectInstructions } = runtime.parts;
  const { settings } = turn.start;
  const date = localDate(clock.epochMs());
  const skills = skillCatalogue(
    await runtime.parts.skills(settings.cwd),
    catalogueBudget(contextWindow(runtime, settings.model)),
  );
  const projectText = await projectInstructions(settings.cwd);
  turn.throwIfDetached();
  const update = worldState.update({
    settings,
    environment: { cwd: settings.cwd, shell: shellName, ...date },
    developerInstructions,
    projectInstructions: projectText,
    skills: skills?.text,
  });
  if (skills?.shortened && update.tellsSkills) runtime.emit(turn.id, { type: "warning", message: SHORTENED_WARNING });
  for (const { item, kinds } of update.messages) runtime.recordItem(turn.id, item, kinds);
  for (const line of update.lines) runtime.line(line);
  const hash = modelInfo(settings.model).compactionHash;
  runtime.line({
    type: "turn_context",
    payload: {
      turn_id: turn.id,
      cwd: settings.cwd,
      workspace_roots: [settings.cwd],
      current_date: date.currentDate,
      timezone: date.timezone,
      approval_policy: settings.approval_policy,
      approvals_reviewer: settings.approvals_reviewer ?? "user",
      sandbox_policy: settings.sandbox_policy,
      permission_profile: settings.permission_profile ?? { type: "disabled" },
      ...fileSystemPolicy(settings),
      model: settings.model,
      ...(hash === undefined ? {} : { comp_hash: hash }),
      personality: settings.personality ?? "pragmatic",
      collaboration_mode: settings.collaboration_mode,
      multi_agent_version: "v1",
      realtime_active: false,
      ...(settings.reasoning_effort ? { effort: settings.reasoning_effort } : {}),
      summary: settings.reasoning_summary ?? "auto",
    },
  });
}

/** The part of a profile that speaks of files, where the sandbox policy alone does not say all of it. */
function fileSystemPolicy(settings: ThreadSettings): { readonly file_system_sandbox_policy?: unknown } {
  if (settings.sandbox_policy.type !== "workspace-write") return {};
  const profile = settings.permission_profile as { readonly file_system?: unknown } | null | undefined;
  const files = profile?.file_system;
  return files === undefined ? {} : { file_system_sandbox_policy: files };
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

export function abortedEvent(runtime: Runtime, turn: ActiveTurn): EventMsg {
  const now = runtime.parts.clock.epochMs();
  return {
    type: "turn_aborted",
    turn_id: turn.id,
    reason: "interrupted",
    started_at: Math.floor(turn.startedAtMs / 1000),
    completed_at: Math.floor(now / 1000),
    duration_ms: Math.round(now - turn.startedAtMs),
  };
}
