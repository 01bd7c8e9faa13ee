/** The file change item as clients see it. Pure. */
import type { FileChange } from "@turnkit/protocol";
import type { FileUpdateChange, PatchApplyStatus, ThreadItem } from "@turnkit/protocol/app";
import { camelCase } from "./casing.js";

/** Sorted by path, so that the order does not depend on a map. */
export function toFileChanges(changes: Readonly<Record<string, FileChange>>): FileUpdateChange[] {
  return Object.entries(changes)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([path, change]) => toFileUpdate(path, change));
}

function toFileUpdate(path: string, change: FileChange): FileUpdateChange {
  switch (change.type) {
    case "add":
    case "delete":
      return { path, kind: { type: change.type }, diff: change.content };
    case "update": {
      const moved = change.move_path ?? null;
      const diff = moved === null ? change.unified_diff : `${change.unified_diff}\n\nMoved to: ${moved}`;
      return { path, kind: { type: "update", move_path: moved }, diff };
    }
  }
}

export function toFileChangeItem(
  id: string,
  changes: Readonly<Record<string, FileChange>>,
  status: string | null | undefined,
): Extract<ThreadItem, { type: "fileChange" }> {
  const known = status == null ? "inProgress" : (camelCase(status) as PatchApplyStatus);
  return { type: "fileChange", id, changes: toFileChanges(changes), status: known };
}
