/** Errors of turns in the app protocol's spelling. */
import type { CodexErrorInfo } from "../../agent/errors.js";
import type { AppCodexErrorInfo, TurnError } from "../errors.js";
import { camelCase, isJsonObject } from "./json.js";

/** `snake_case` names become `camelCase`, members of externally tagged ones too. */
export function toAppErrorInfo(info: CodexErrorInfo | null | undefined): AppCodexErrorInfo | null {
  if (info === null || info === undefined) return null;
  if (typeof info === "string") return camelCase(info) as AppCodexErrorInfo;
  const [name, members] = Object.entries(info)[0] as [string, unknown];
  const converted = isJsonObject(members)
    ? Object.fromEntries(Object.entries(members).map(([key, value]) => [camelCase(key), value]))
    : members;
  return { [camelCase(name)]: converted } as AppCodexErrorInfo;
}

export function toTurnError(error: { message: string; codex_error_info?: CodexErrorInfo | null }): TurnError {
  return { message: error.message, codexErrorInfo: toAppErrorInfo(error.codex_error_info), additionalDetails: null };
}

/** Two kinds of error happen beside a turn and leave its status alone. */
export function affectsTurn(info: CodexErrorInfo | null | undefined): boolean {
  if (info === "thread_rollback_failed") return false;
  return !(typeof info === "object" && info !== null && "active_turn_not_steerable" in info);
}
