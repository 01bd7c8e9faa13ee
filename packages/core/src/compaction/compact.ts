/**
 * Shortens a history: the user's messages stay, everything else gives way to a note of the model's. Nothing changes
 * before the note is there. Owns the order of events and lines; see `summarize` for the request.
 */
import type { TurnItem } from "@turnkit/protocol";
import { estimateTokens } from "../history/estimate-tokens.js";
import { markItem } from "../history/metadata.js";
import { freshId } from "../ids.js";
import type { Runtime } from "../session/runtime.js";
import type { ActiveTurn } from "../turn/active-turn.js";
import { NO_RATE_LIMITS } from "../turn/sample.js";
import { surroundings, type Told } from "../turn/surroundings.js";
import { contextWindow } from "../turn/token-limits.js";
import { summaryMessage } from "./prompts.js";
import { replacementHistory } from "./replacement-history.js";
import { StoppedByHook } from "./stopped-by-hook.js";
import { reportUsage, summarize } from "./summarize.js";

/**
 * `standalone`: on request, as a turn of its own. `beforeTurn`, `midTurn`: because the window is full. Only within a
 * turn the model has to be told at once where it is; otherwise the next turn tells it.
 */
export type CompactionPhase = "standalone" | "beforeTurn" | "midTurn";

const WARNING =
  "The conversation was shortened to fit the model's context window. What was left out is only known to the model by its summary; a new thread for a new task keeps answers precise.";

const NOTHING: Told = { items: [], lines: [] };

/** @throws {StoppedByHook} @throws {ModelError} the history is as it was */
export async function compact(
  runtime: Runtime,
  turn: ActiveTurn,
  { phase }: { readonly phase: CompactionPhase },
): Promise<void> {
  const { hooks, clock, history, worldState, additionalContext, threadId } = runtime.parts;
  const trigger = phase === "standalone" ? "manual" : "auto";
  const allowed = (await hooks?.preCompact?.(trigger, turn.id, turn.signal)) ?? true;
  turn.throwIfDetached();
  if (!allowed) throw new StoppedByHook("a hook stopped the compaction");
  const item: TurnItem = { type: "ContextCompaction", id: freshId() };
  const ids = { thread_id: threadId, turn_id: turn.id, item };
  const startedAtMs = clock.epochMs();
  runtime.emit(turn.id, { type: "item_started", ...ids, started_at_ms: startedAtMs });

  const note = await summarize(runtime, turn);
  turn.throwIfDetached();

  const model = turn.start.settings.model;
  const marks = { turnId: turn.id, epochMs: clock.epochMs() };
  if (note.usage) history.addUsage(note.usage, contextWindow(runtime, model));
  for (const said of note.items) runtime.keepItem(markItem(said, marks));
  reportUsage(runtime, turn);
  worldState.forget();
  additionalContext.forget();
  const told = phase === "midTurn" ? await surroundings(runtime, turn) : NOTHING;
  const summary = summaryMessage(note.text);
  const compaction = {
    message: summary,
    replacement_history: replacementHistory({
      items: history.items,
      summaries: history.summaries,
      summary,
      marks,
      surroundings: told.items,
    }),
    ...runtime.parts.windows.next(),
  };
  runtime.line({ type: "compacted", payload: compaction });
  history.compact(compaction, phase === "standalone");
  for (const line of told.lines) runtime.line(line);
  const info = history.estimateUsage(
    estimateTokens(runtime.parts.baseInstructions, history.items),
    contextWindow(runtime, model),
  );
  runtime.emit(turn.id, { type: "token_count", info, rate_limits: NO_RATE_LIMITS });
  runtime.emit(turn.id, {
    type: "item_completed",
    ...ids,
    started_at_ms: startedAtMs,
    completed_at_ms: clock.epochMs(),
  });
  runtime.emit(turn.id, { type: "context_compacted" });
  runtime.emit(turn.id, { type: "warning", message: WARNING });
  runtime.parts.recorder?.materialize();
  runtime.pendingStart = "compact";
  await hooks?.postCompact?.(trigger, turn.id, turn.signal);
  turn.throwIfDetached();
}
