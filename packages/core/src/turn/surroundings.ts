/** Tells the model what it does not know yet of its surroundings, and keeps the settings of the turn in the session file. */
import type { ResponseItem, ThreadSettings } from "@turnkit/protocol";
import { localDate } from "../context/environment-context.js";
import { catalogueBudget, SHORTENED_WARNING, skillCatalogue } from "../context/skills/skill-catalogue.js";
import { terminalsText } from "../context/terminals-text.js";
import { markItem } from "../history/metadata.js";
import type { RolloutItem } from "../rollout/rollout-item.js";
import type { Runtime } from "../session/runtime.js";
import type { ActiveTurn } from "./active-turn.js";
import { contextWindow } from "./token-limits.js";

export interface Told {
  /** Marked, not recorded yet. */
  readonly items: readonly ResponseItem[];
  /** For the session file, after the items. */
  readonly lines: readonly RolloutItem[];
}

/** At the start of a turn. */
export async function recordSurroundings(runtime: Runtime, turn: ActiveTurn): Promise<void> {
  const { items, lines } = await surroundings(runtime, turn);
  for (const item of items) runtime.recordMarked(item);
  for (const line of lines) runtime.line(line);
}

/** What is to be told now; from then on it counts as told. */
export async function surroundings(runtime: Runtime, turn: ActiveTurn): Promise<Told> {
  const { clock, worldState, developerInstructions, shellName, projectInstructions, exec } = runtime.parts;
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
    terminals: terminalsText(exec?.list() ?? []),
  });
  if (skills?.shortened && update.tellsSkills) runtime.emit(turn.id, { type: "warning", message: SHORTENED_WARNING });
  return {
    items: update.messages.map(({ item, kinds }) =>
      markItem(item, { turnId: turn.id, epochMs: clock.epochMs(), kinds }),
    ),
    lines: [...update.lines, turnContext(runtime, turn, date)],
  };
}

function turnContext(runtime: Runtime, turn: ActiveTurn, date: ReturnType<typeof localDate>): RolloutItem {
  const { settings } = turn.start;
  const hash = runtime.parts.models.info(settings.model).compactionHash;
  return {
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
  };
}

/** The part of a profile that speaks of files, where the sandbox policy alone does not say all of it. */
function fileSystemPolicy(settings: ThreadSettings): { readonly file_system_sandbox_policy?: unknown } {
  if (settings.sandbox_policy.type !== "workspace-write") return {};
  const profile = settings.permission_profile as { readonly file_system?: unknown } | null | undefined;
  const files = profile?.file_system;
  return files === undefined ? {} : { file_system_sandbox_policy: files };
}
