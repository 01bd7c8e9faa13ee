/** Old lines of session files: without an envelope before 0.34, with numeric times from other writers. */
import { judge } from "../validate/all.js";
import { upgradeEvent } from "./event.js";
import { isObject, type JsonObject, type Note, type Upgrade } from "./read-result.js";
import { upgradeResponseItem } from "./response-item.js";
import { isBareHeader, upgradeSessionMeta } from "./session-meta.js";
import { upgradeTurnContext } from "./settings.js";

/** Before 0.34 the service's state was noted between items; nothing reads it any more. */
export function isBareState(value: unknown): boolean {
  return isObject(value) && value.record_type === "state";
}

function isBareItem(value: JsonObject): boolean {
  return typeof value.type === "string" && !("payload" in value) && !("timestamp" in value);
}

/** Seconds or milliseconds since 1970, told apart by size. */
function timeText(value: number): string {
  const milliseconds = value < 1e11 ? value * 1000 : value;
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? "" : date.toISOString();
}

function upgradeEnvelope(value: JsonObject, note: Note): JsonObject {
  if (typeof value.timestamp === "number") {
    note("numeric timestamp");
    return { ...value, timestamp: timeText(value.timestamp) };
  }
  if (value.timestamp === undefined) {
    note("missing timestamp");
    return { timestamp: "", ...value };
  }
  return value;
}

/** Items this version does not know have no place in a history that is sent; the line's source keeps them. */
function upgradeCompacted(value: JsonObject, note: Note): JsonObject {
  if (!Array.isArray(value.replacement_history)) return value;
  let changed = false;
  const history = value.replacement_history.flatMap((item) => {
    const current = isObject(item) ? upgradeResponseItem(item, note) : item;
    if (judge("ResponseItem", current)?.unknown) {
      note(`replacement_history item ${isObject(item) ? item.type : ""}`);
      changed = true;
      return [];
    }
    changed ||= current !== item;
    return [current];
  });
  return changed ? { ...value, replacement_history: history } : value;
}

const payloads: ReadonlyMap<unknown, Upgrade> = new Map([
  ["session_meta", upgradeSessionMeta],
  ["response_item", upgradeResponseItem],
  ["event_msg", upgradeEvent],
  ["turn_context", upgradeTurnContext],
  ["compacted", upgradeCompacted],
]);

/** A line as they have been since 0.34; anything else is brought to that first. */
function enveloped(value: JsonObject, note: Note): JsonObject {
  if (typeof value.timestamp === "string" && "payload" in value) return value;
  if (isBareItem(value)) {
    note("bare item");
    return { timestamp: "", type: "response_item", payload: value };
  }
  return upgradeEnvelope(value, note);
}

export const upgradeRolloutLine: Upgrade = (value, note) => {
  if (!("payload" in value) && isBareHeader(value)) {
    return { timestamp: value.timestamp, type: "session_meta", payload: upgradeSessionMeta(value, note) };
  }
  const line = enveloped(value, note);
  const upgrade = payloads.get(line.type);
  if (!upgrade || !isObject(line.payload)) return line;
  const payload = upgrade(line.payload, note);
  return payload === line.payload ? line : { ...line, payload };
};
