/**
 * The model that a thread was last used with: a resumed thread goes on with it unless somebody chooses another one now.
 * What it may do without asking is not taken over: that is the configuration's to say, each time. Pure.
 */
import type { StoredThread } from "@turnkit/core/rollout";
import type { ThreadSettings } from "@turnkit/protocol";

/** Keys of the configuration that choose a model. */
const CHOICES = ["model", "model_provider", "model_reasoning_effort", "profile"];

interface StoredModel {
  readonly provider: string | null | undefined;
  readonly model: string;
  readonly effort: ThreadSettings["reasoning_effort"];
}

/** The settings that were told last; those of the first turn are told by the turn only. */
function storedModel({ lastSettings, lastTurnContext, meta }: StoredThread): StoredModel | undefined {
  if (lastSettings !== null)
    return {
      provider: lastSettings.model_provider_id,
      model: lastSettings.model,
      effort: lastSettings.reasoning_effort,
    };
  if (lastTurnContext === null) return undefined;
  return { provider: meta?.model_provider, model: lastTurnContext.model, effort: lastTurnContext.effort };
}

export function withStoredModel(
  settings: ThreadSettings,
  thread: StoredThread,
  overrides: Readonly<Record<string, unknown>>,
): ThreadSettings {
  const stored = storedModel(thread);
  if (stored === undefined || stored.provider !== settings.model_provider_id) return settings;
  if (CHOICES.some((key) => overrides[key] !== undefined)) return settings;
  const { model, effort } = stored;
  const { reasoning_effort: _, ...rest } = settings;
  const mode = settings.collaboration_mode;
  return {
    ...rest,
    model,
    ...(effort != null && { reasoning_effort: effort }),
    collaboration_mode: { ...mode, settings: { ...mode.settings, model, reasoning_effort: effort ?? null } },
  };
}
