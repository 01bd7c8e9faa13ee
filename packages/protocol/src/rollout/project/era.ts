/** Which of the format's eras a file belongs to, told by what is in it. */
import type { RolloutRecord } from "../records.js";

/**
 * `bare`: no envelope (to 0.29). `envelope`: lines without turn contexts (0.34). `contexts`: turns without ids (to 0.98).
 * `turnIds`: turns begin and end in the file (to 0.142). `worldState`: world state lines (from 0.144).
 * `paginated`: items are persisted and lines numbered.
 */
export type Era = "bare" | "envelope" | "contexts" | "turnIds" | "worldState" | "paginated";

export function eraOf(records: readonly RolloutRecord[]): Era {
  let era: Era = "envelope";
  const atLeast = (other: Era) => {
    if (order.indexOf(other) > order.indexOf(era)) era = other;
  };
  for (const record of records) {
    if (record.kind === "opaque" && record.type === "state") return "bare";
    if (record.kind !== "line") continue;
    if (record.upgraded.includes("bare header") || record.upgraded.includes("bare item")) return "bare";
    const line = record.value;
    if (line.type === "session_meta" && line.payload.history_mode === "paginated") return "paginated";
    if (line.type === "turn_context") atLeast("contexts");
    else if (line.type === "world_state") atLeast("worldState");
    else if (line.type === "event_msg" && line.payload.type === "task_started") atLeast("turnIds");
  }
  return era;
}

const order: readonly Era[] = ["envelope", "contexts", "turnIds", "worldState"];
