/**
 * What a thread was last used with and goes on with when it is opened again, unless somebody chooses otherwise now: its
 * model, its effort and its approval policy. Its sandbox is the configuration's, each time. Pure.
 */
import type { StoredThread } from "@turnkit/core/rollout";
import type { ThreadSettings } from "@turnkit/protocol";

/** Keys of the configuration that choose a model. */
const MODEL_KEYS = ["model", "model_provider", "model_reasoning_effort", "profile"];

/** Keys of the configuration that somebody names now. */
type Chosen = Readonly<Record<string, unknown>>;

interface Stored {
  readonly provider: string | null | undefined;
  readonly model: string;
  readonly effort: ThreadSettings["reasoning_effort"];
  readonly approvalPolicy: ThreadSettings["approval_policy"];
}

/** The settings that were told last; those of the first turn are told by the turn only. */
function storedSettings({ lastSettings, lastTurnContext, meta }: StoredThread): Stored | undefined {
  if (lastSettings !== null)
    return {
      provider: lastSettings.model_provider_id,
      model: lastSettings.model,
      effort: lastSettings.reasoning_effort,
      approvalPolicy: lastSettings.approval_policy,
    };
  if (lastTurnContext === null) return undefined;
  const { model, effort, approval_policy: approvalPolicy } = lastTurnContext;
  return { provider: meta?.model_provider, model, effort, approvalPolicy };
}

export function withStoredSettings(settings: ThreadSettings, thread: StoredThread, chosen: Chosen): ThreadSettings {
  const stored = storedSettings(thread);
  if (stored === undefined) return settings;
  return withApprovals(withModel(settings, stored, chosen), stored, chosen);
}

export function withStoredApprovals(settings: ThreadSettings, thread: StoredThread, chosen: Chosen): ThreadSettings {
  const stored = storedSettings(thread);
  return stored === undefined ? settings : withApprovals(settings, stored, chosen);
}

function withApprovals(settings: ThreadSettings, { approvalPolicy }: Stored, chosen: Chosen): ThreadSettings {
  return chosen.approval_policy === undefined ? { ...settings, approval_policy: approvalPolicy } : settings;
}

function withModel(settings: ThreadSettings, { provider, model, effort }: Stored, chosen: Chosen): ThreadSettings {
  if (provider !== settings.model_provider_id || MODEL_KEYS.some((key) => chosen[key] !== undefined)) return settings;
  const { reasoning_effort: _, ...rest } = settings;
  const mode = settings.collaboration_mode;
  return {
    ...rest,
    model,
    ...(effort != null && { reasoning_effort: effort }),
    collaboration_mode: { ...mode, settings: { ...mode.settings, model, reasoning_effort: effort ?? null } },
  };
}
