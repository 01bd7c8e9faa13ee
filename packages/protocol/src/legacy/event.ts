/** Old events. */
import { upgradeModeKind, withMembers } from "./modes.js";
import { isObject, type JsonObject, type Upgrade } from "./read-result.js";
import { upgradeResponseItem } from "./response-item.js";
import { upgradeThreadSettings } from "./settings.js";

/** Missing turn id: empty. Missing or null `isBlocking`: blocking. `autoResolutionMs` is kept, and deprecated. */
export const upgradeRequestUserInputEvent: Upgrade = (value, note) => {
  const members: JsonObject = {};
  if (value.turn_id === undefined) {
    note("missing turn_id");
    members.turn_id = "";
  }
  if (value.isBlocking === undefined || value.isBlocking === null) {
    note("missing isBlocking");
    members.isBlocking = true;
  }
  if (typeof value.autoResolutionMs === "number") note("autoResolutionMs is deprecated");
  return Object.keys(members).length > 0 ? { ...value, ...members } : value;
};

const errorNames = new Set([
  "context_window_exceeded",
  "session_budget_exceeded",
  "usage_limit_exceeded",
  "server_overloaded",
  "cyber_policy",
  "misalignment_policy_violation",
  "internal_server_error",
  "unauthorized",
  "bad_request",
  "sandbox_error",
  "thread_rollback_failed",
  "other",
]);

function upgradeErrorInfo(value: JsonObject, note: (rule: string) => void): JsonObject {
  const info = value.codex_error_info;
  if (typeof info !== "string" || errorNames.has(info)) return value;
  note("unknown codex_error_info");
  return { ...value, codex_error_info: "other" };
}

const upgrades: ReadonlyMap<unknown, Upgrade> = new Map<unknown, Upgrade>(
  Object.entries<Upgrade>({
    task_started: (value, note) =>
      "collaboration_mode_kind" in value
        ? withMembers(value, { collaboration_mode_kind: upgradeModeKind(value.collaboration_mode_kind, note) })
        : value,
    task_complete: (value, note) =>
      isObject(value.error) ? withMembers(value, { error: upgradeErrorInfo(value.error, note) }) : value,
    error: upgradeErrorInfo,
    stream_error: upgradeErrorInfo,
    request_user_input: upgradeRequestUserInputEvent,
    thread_settings_applied: (value, note) =>
      isObject(value.thread_settings)
        ? withMembers(value, { thread_settings: upgradeThreadSettings(value.thread_settings, note) })
        : value,
    // Until 0.42 a review was a prompt.
    entered_review_mode: (value, note) => {
      if (value.target !== undefined || typeof value.prompt !== "string") return value;
      note("review prompt");
      return { ...value, target: { type: "custom", instructions: value.prompt } };
    },
    raw_response_item: (value, note) =>
      isObject(value.item) ? withMembers(value, { item: upgradeResponseItem(value.item, note) }) : value,
  }),
);

export const upgradeEvent: Upgrade = (value, note) => {
  let current = value;
  if (value.type === "turn_started" || value.type === "turn_complete") {
    note(`event ${value.type}`);
    current = { ...value, type: value.type === "turn_started" ? "task_started" : "task_complete" };
  }
  const upgrade = upgrades.get(current.type);
  return upgrade ? upgrade(current, note) : current;
};
