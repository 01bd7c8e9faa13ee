/** How full a thread may become: the model's window, and where compaction begins. */
import { estimateTokens } from "../history/estimate-tokens.js";
import type { Runtime } from "../session/runtime.js";

/** Of the whole window; more is never waited for. */
const COMPACTION_SHARE = 0.9;

/** What a history may fill of the model's window, in tokens. */
export function contextWindow(runtime: Runtime, model: string): number {
  const { contextWindow: configured, models } = runtime.parts;
  const info = models.info(model);
  return configured === undefined ? info.contextWindow : Math.floor(configured * info.effectiveShare);
}

/** From this many tokens on the history is compacted. */
function compactionLimit(runtime: Runtime, model: string): number {
  const { contextWindow: configured, models, compaction } = runtime.parts;
  const info = models.info(model);
  const whole = configured ?? Math.round(info.contextWindow / info.effectiveShare);
  const own = compaction.tokenLimit ?? info.compactionLimit ?? Number.POSITIVE_INFINITY;
  return Math.min(own, Math.floor(whole * COMPACTION_SHARE));
}

/** What a provider counted last, and an estimate of what came since. */
export function mustCompact(runtime: Runtime, model: string): boolean {
  const { history } = runtime.parts;
  const counted = history.usage?.last_token_usage.total_tokens ?? 0;
  return counted > 0 && counted + estimateTokens("", history.uncounted) >= compactionLimit(runtime, model);
}
