/** The moments at which hooks run, with the three spellings of each and what is particular about it. One table. */
import type { HookEventName, HooksTable } from "@turnkit/protocol";

export interface HookEvent {
  readonly name: HookEventName;
  /** As configuration and hooks spell it. */
  readonly configName: Exclude<keyof HooksTable, "state">;
  /** In the ids of runs. */
  readonly label: string;
  /** false: every handler runs, whatever its matcher. */
  readonly matches: boolean;
  /** Seconds. */
  readonly defaultTimeout: number;
  readonly maxTimeout: number;
  readonly scope: "turn" | "thread";
}

const DEFAULT_TIMEOUT = 600;

function event(configName: HookEvent["configName"], particular: Partial<HookEvent> = {}): HookEvent {
  const name = configName.replace(/(?!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase() as HookEventName;
  return {
    name,
    configName,
    label: name.replaceAll("_", "-"),
    matches: true,
    defaultTimeout: DEFAULT_TIMEOUT,
    maxTimeout: Number.POSITIVE_INFINITY,
    scope: "turn",
    ...particular,
  };
}

/** Nobody waits long for a hook at the end of a session or after an interruption. */
const BRIEF = { defaultTimeout: 1, maxTimeout: 3 };

/** In the order in which handlers of a file are numbered. */
export const HOOK_EVENTS = {
  pre_tool_use: event("PreToolUse"),
  permission_request: event("PermissionRequest"),
  post_tool_use: event("PostToolUse"),
  pre_compact: event("PreCompact"),
  post_compact: event("PostCompact"),
  session_start: event("SessionStart", { scope: "thread" }),
  session_end: event("SessionEnd", { scope: "thread", ...BRIEF }),
  user_prompt_submit: event("UserPromptSubmit", { matches: false }),
  subagent_start: event("SubagentStart"),
  subagent_stop: event("SubagentStop"),
  stop: event("Stop", { matches: false }),
  interrupt: event("Interrupt", { matches: false, ...BRIEF }),
} as const satisfies Record<HookEventName, HookEvent>;

export function hookEventByConfigName(configName: string): HookEvent | undefined {
  return Object.values(HOOK_EVENTS).find((known) => known.configName === configName);
}
