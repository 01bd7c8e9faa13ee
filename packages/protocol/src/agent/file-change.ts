/** Changes to files, by path. */
import { type Static, Type } from "typebox";
import { maybe, stringEnum, taggedUnion } from "../define.js";

export const FileChange = taggedUnion("FileChange", "type", {
  add: { content: Type.String() },
  delete: { content: Type.String() },
  update: { unified_diff: Type.String(), move_path: maybe(Type.String()) },
});
export type FileChange = Static<typeof FileChange>;

export const FileChangeStatus = stringEnum("FileChangeStatus", ["in_progress", "completed", "failed", "declined"]);
export type FileChangeStatus = Static<typeof FileChangeStatus>;
