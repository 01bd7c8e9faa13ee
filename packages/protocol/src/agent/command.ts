/** Commands: what they look like they will do, where they came from, how they ended. */
import { type Static, Type } from "typebox";
import { maybe, open, stringEnum, taggedUnion } from "../define.js";

/** A best-effort reading of one command. */
export const ParsedCommand = taggedUnion("ParsedCommand", "type", {
  read: { cmd: Type.String(), name: Type.String(), path: Type.String() },
  list_files: { cmd: Type.String(), path: maybe(Type.String()) },
  search: { cmd: Type.String(), query: maybe(Type.String()), path: maybe(Type.String()) },
  unknown: { cmd: Type.String() },
});
export type ParsedCommand = Static<typeof ParsedCommand>;

export const ExecCommandSource = stringEnum("ExecCommandSource", [
  "agent",
  "user_shell",
  "unified_exec_startup",
  "unified_exec_interaction",
]);
export type ExecCommandSource = Static<typeof ExecCommandSource>;

export const ExecCommandStatus = stringEnum("ExecCommandStatus", ["in_progress", "completed", "failed", "declined"]);
export type ExecCommandStatus = Static<typeof ExecCommandStatus>;

/** Whole seconds and the nanoseconds beside them. */
export const Duration = open("Duration", {
  secs: Type.Integer({ minimum: 0 }),
  nanos: Type.Integer({ minimum: 0, maximum: 999_999_999 }),
});
export type Duration = Static<typeof Duration>;
