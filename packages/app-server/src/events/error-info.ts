/** Translates error kinds from the core form (snake_case) to the client form (camelCase). Pure. */
import type { CodexErrorInfo as CoreErrorInfo } from "@turnkit/protocol";
import type { AppCodexErrorInfo, TurnError } from "@turnkit/protocol/app";

const camel = (key: string) => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Bare kinds stay strings; kinds with details stay one-key objects. */
export function toClientErrorInfo(info: CoreErrorInfo | null | undefined): AppCodexErrorInfo | null {
  if (info == null) return null;
  if (typeof info === "string") return camel(info) as AppCodexErrorInfo;
  const [kind, details] = Object.entries(info)[0] as [string, Record<string, unknown>];
  const members = Object.entries(details).map(([key, value]) => [camel(key), value ?? null]);
  return { [camel(kind)]: Object.fromEntries(members) } as AppCodexErrorInfo;
}

export function toTurnError(message: string, info: CoreErrorInfo | null | undefined): TurnError {
  return { message, codexErrorInfo: toClientErrorInfo(info), additionalDetails: null };
}
