/** Old names of collaboration modes. */
import { isObject, type JsonObject, type Note } from "./read-result.js";

const aliases = new Set(["code", "pair_programming", "execute", "custom"]);

/** `code`, `pair_programming`, `execute` and `custom` are what is called `default` now. */
export function upgradeModeKind(value: unknown, note: Note): unknown {
  if (typeof value !== "string" || !aliases.has(value)) return value;
  note(`collaboration mode ${value}`);
  return "default";
}

export function upgradeCollaborationMode(value: unknown, note: Note): unknown {
  if (!isObject(value)) return value;
  const mode = upgradeModeKind(value.mode, note);
  return mode === value.mode ? value : { ...value, mode };
}

/** Replaces members that an upgrade changed; the same object when none was. */
export function withMembers(value: JsonObject, members: JsonObject): JsonObject {
  for (const key of Object.keys(members)) {
    if (members[key] !== value[key]) return { ...value, ...members };
  }
  return value;
}
