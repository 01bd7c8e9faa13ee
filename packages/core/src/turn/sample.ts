/**
 * One exchange with the model: the request, what streams back, the tools it calls, and their outputs.
 * A stream that breaks is asked for again with what has arrived by then. Says whether the model is to be asked on.
 */
import type { RateLimitSnapshot, TokenUsage } from "@turnkit/protocol";
import type { ToolTurn } from "@turnkit/tools";
import { instructionsFor } from "../context/base-instructions.js";
import type { ModelRequest } from "../model/model-client.js";
import { ModelError } from "../model/model-error.js";
import type { Runtime } from "../session/runtime.js";
import type { ActiveTurn } from "./active-turn.js";
import { StreamItems } from "./stream-items.js";
import { withStreamRetries } from "./stream-retries.js";
import { contextWindow } from "./token-limits.js";
import { ToolRunner } from "./tool-runner.js";

export interface SampleResult {
  /** Tools were called, or the model asked to go on. */
  readonly needsFollowUp: boolean;
}

/** What is told about rate limits when the provider says nothing about them. */
export const NO_RATE_LIMITS: RateLimitSnapshot = {
  limit_id: "codex",
  limit_name: null,
  primary: null,
  secondary: null,
  credits: null,
  individual_limit: null,
  spend_control_reached: null,
  plan_type: null,
  rate_limit_reached_type: null,
};

/** @throws {ModelError} @throws {FatalToolError} @throws whatever the client throws when the turn is interrupted */
export async function sample(runtime: Runtime, turn: ActiveTurn): Promise<SampleResult> {
  let mayOmitImages = true;
  return await withStreamRetries(runtime, turn, {
    run: () => sampleOnce(runtime, turn),
    repaired: (error) => {
      if (!mayOmitImages || !goesOnWithoutImages(runtime, turn, error)) return false;
      mayOmitImages = false;
      return true;
    },
  });
}

const IMAGE_REFUSED = "image content omitted because the model provider did not accept it";

/**
 * An image that the provider refuses must not end the thread: it is left out and the request is made again, once. The
 * file keeps the history without it, or the next process would send it again behind an answer.
 */
function goesOnWithoutImages(runtime: Runtime, turn: ActiveTurn, error: unknown): boolean {
  if (!(error instanceof ModelError) || !error.refusesImage || turn.signal.aborted) return false;
  const items = runtime.parts.history.withoutUnansweredImages(IMAGE_REFUSED);
  if (items === undefined) return false;
  const replacement = { message: "", replacement_history: items };
  runtime.line({ type: "compacted", payload: replacement });
  runtime.parts.history.compact(replacement, false);
  // A reader takes it that the model has to be told again where it is, after what stands for a history.
  const { known } = runtime.parts.worldState;
  if (known !== null) runtime.line({ type: "world_state", payload: { full: true, state: known } });
  runtime.emit(turn.id, {
    type: "warning",
    message: `The model provider did not accept an image; it was left out. ${error.message}`,
  });
  return true;
}

async function sampleOnce(runtime: Runtime, turn: ActiveTurn): Promise<SampleResult> {
  const runner = new ToolRunner(runtime, turn, toolTurn(runtime, turn));
  const items = new StreamItems(runtime, turn);
  let opened = false;
  let failure: { readonly error: unknown } | undefined;
  let usage: TokenUsage | undefined;
  let endTurn: boolean | undefined;
  try {
    for await (const event of runtime.parts.modelClient.stream(modelRequest(runtime, turn), { signal: turn.signal })) {
      if (turn.signal.aborted) break;
      opened = true;
      if (event.type === "itemAdded" || event.type === "itemDone")
        turn.firstTokenAtMs ??= runtime.parts.clock.epochMs();
      items.handle(event);
      if (event.type === "itemDone") {
        const { item } = event;
        if (item.type === "function_call" || item.type === "custom_tool_call") runner.start(item);
        if (item.type === "message") turn.input.phase = item.phase === "commentary" ? turn.input.phase : "nextTurn";
      }
      if (event.type === "completed") ({ usage, endTurn } = event);
    }
  } catch (error) {
    failure = { error };
  }
  turn.throwIfDetached();
  if (items.lastMessage !== null && !failure) turn.lastAgentMessage = items.lastMessage;
  const called = runner.hasCalls;
  if (called || endTurn === false) turn.input.phase = "currentTurn";
  try {
    await runner.drain();
  } catch (error) {
    failure ??= { error };
  }
  turn.throwIfDetached();
  if (usage) runtime.parts.history.addUsage(usage, contextWindow(runtime, turn.start.settings.model));
  if (opened)
    runtime.emit(turn.id, {
      type: "token_count",
      info: runtime.parts.history.usage,
      rate_limits: NO_RATE_LIMITS,
    });
  runtime.parts.patchReporter.report(turn.id);
  if (failure) throw failure.error;
  return { needsFollowUp: called || endTurn === false };
}

function toolTurn(runtime: Runtime, turn: ActiveTurn): ToolTurn {
  const { settings } = turn.start;
  return {
    id: turn.id,
    mode: settings.collaboration_mode.mode,
    cwd: settings.cwd,
    isRootThread: runtime.parts.isRootThread,
    outputTokenLimit: runtime.parts.models.info(settings.model).outputTokenLimit,
  };
}

/** What the turn would ask the model now. */
export function modelRequest(runtime: Runtime, turn: ActiveTurn): ModelRequest {
  const { settings, outputSchema } = turn.start;
  const info = runtime.parts.models.info(settings.model);
  const effort = settings.reasoning_effort ?? info.defaultEffort;
  return {
    model: settings.model,
    instructions: instructionsFor(runtime.parts.baseInstructions, settings.personality),
    input: runtime.parts.history.forModel({ modalities: info.modalities }),
    tools: runtime.parts.tools.registry.specs(),
    parallelToolCalls: info.parallelToolCalls,
    reasoning:
      info.takesReasoning || settings.reasoning_effort
        ? { effort, summary: settings.reasoning_summary ?? info.defaultSummary }
        : undefined,
    verbosity: info.defaultVerbosity,
    outputSchema,
    promptCacheKey: runtime.parts.threadId,
    serviceTier: serviceTier(settings.service_tier),
    metadata: { ...turn.metadata, ...marksOf(turn), thread_id: runtime.parts.threadId, turn_id: turn.id },
  };
}

/** The provider's name of a tier; older configurations call one of them by another. */
function serviceTier(tier: string | null | undefined): string | undefined {
  return tier === "fast" ? "priority" : (tier ?? undefined);
}

/** What is known of a turn besides its client's own metadata: where it came from, and whether a person was asked. */
function marksOf({ start, askedUser }: ActiveTurn): Readonly<Record<string, string>> {
  return {
    ...(start.parentTurnId === null ? {} : { parent_turn_id: start.parentTurnId }),
    ...(start.rootTurnId === null ? {} : { root_turn_id: start.rootTurnId }),
    ...(askedUser ? { user_input_requested_during_turn: "true" } : {}),
  };
}
