/** Names for plain values. */
import { type Static, Type } from "typebox";
import { named, open, stringEnum } from "../define.js";

export const AbsolutePathBuf = named("AbsolutePathBuf", Type.String());
export type AbsolutePathBuf = Static<typeof AbsolutePathBuf>;

export const AgentPath = named("AgentPath", Type.String());
export type AgentPath = Static<typeof AgentPath>;

export const LegacyAppPathString = named("LegacyAppPathString", Type.String());
export type LegacyAppPathString = Static<typeof LegacyAppPathString>;

export const PathUri = named("PathUri", Type.String());
export type PathUri = Static<typeof PathUri>;

export const SortDirection = stringEnum("SortDirection", ["asc", "desc"]);
export type SortDirection = Static<typeof SortDirection>;

export const TextPosition = open("TextPosition", {
  line: Type.Integer({ minimum: 0 }),
  column: Type.Integer({ minimum: 0 }),
});
export type TextPosition = Static<typeof TextPosition>;

export const TextRange = open("TextRange", {
  start: TextPosition,
  end: TextPosition,
});
export type TextRange = Static<typeof TextRange>;

export const ThreadId = named("ThreadId", Type.String());
export type ThreadId = Static<typeof ThreadId>;
