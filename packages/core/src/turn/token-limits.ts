/** How full a thread may become: the model's window, and where compaction begins. */
import { estimateTokens } from "../history/estimate-tokens.js";
import { EFFECTIVE_SHARE } from "../model/model-catalogue.js";
import type { Runtime } from "../session/runtime.js";

/** Of the whole window; more is never waited for. */
const COMPACTION_SHARE = 0.9;

/** What a history may fill of the model's window, in tokens. */
export function contextWindow(runtime: Runtime, model: string): number {
  const { contextWindow: configured } = runtime.parts;
  return configured === undefined
    ? runtime.parts.models.info(model).contextWindow
    : Math.floor(configured * EFFECTIVE_SHARE);
}

/** From this many tokens on the history is compacted. */
export function compactionLimit(runtime: Runtime, model: string): number {
  const whole =
    runtime.parts.contextWindow ?? Math.round(runtime.parts.models.info(model).contextWindow / EFFECTIVE_SHARE);
  return Math.min(
    runtime.parts.compaction.tokenLimit ?? Number.POSITIVE_INFINITY,
    Math.floor(whole * COMPACTION_SHARE),
  );
}

/** What a provider counted last, and an estimate of what came since. */
export function mustCompact(runtime: Runtime, model: string): boolean {
  const { history } = runtime.parts;
  const counted = history.usage?.last_token_usage.total_tokens ?? 0;
  return counted > 0 && counted + estimateTokens("", history.uncounted) >= compactionLimit(runtime, model);
}
