/** Old heads of session files. */
import { isObject, type JsonObject, type Upgrade } from "./read-result.js";

const sources = new Set(["cli", "vscode", "exec", "mcp", "unknown"]);

/** A head before 0.34: a line of its own shape, without a folder, a version or a source. */
export function isBareHeader(value: JsonObject): boolean {
  return !("type" in value) && !("record_type" in value) && typeof value.id === "string" && "timestamp" in value;
}

export const upgradeSessionMeta: Upgrade = (value, note) => {
  const members: JsonObject = {};
  if (isBareHeader(value) && !("cwd" in value) && !("originator" in value)) {
    note("bare header");
    // A bare head knows neither: empty strings say so without a second shape.
    Object.assign(members, { cwd: "", originator: "", cli_version: "" });
  }
  if (value.source === undefined || value.source === null) {
    note("missing source");
    members.source = "vscode";
  } else if (typeof value.source === "string" && !sources.has(value.source)) {
    note("unknown source");
    members.source = "unknown";
  }
  if (value.session_id === undefined) {
    note("missing session_id");
    members.session_id = value.id;
  }
  if (value.history_mode === undefined) {
    note("missing history_mode");
    members.history_mode = "legacy";
  }
  if (value.agent_role === undefined && typeof value.agent_type === "string") {
    note("agent_type");
    members.agent_role = value.agent_type;
  }
  if (isObject(value.source) && isObject(value.source.subagent)) {
    const spawn = value.source.subagent.thread_spawn;
    if (isObject(spawn) && spawn.agent_role === undefined && typeof spawn.agent_type === "string") {
      note("source.subagent.thread_spawn.agent_type");
      members.source = {
        ...value.source,
        subagent: { ...value.source.subagent, thread_spawn: { ...spawn, agent_role: spawn.agent_type } },
      };
    }
  }
  return Object.keys(members).length > 0 ? { ...value, ...members } : value;
};
