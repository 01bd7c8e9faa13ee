/** Threads as rows of a list to choose from. Pure. */
import type { Thread } from "@turnkit/protocol/app";
import type { PickerRow } from "./picker.js";

export function threadRow(thread: Thread): PickerRow {
  const preview = thread.preview.replace(/\s+/g, " ").trim();
  const branch = thread.gitInfo?.branch;
  return {
    id: thread.id,
    title: thread.name ?? (preview.slice(0, 60) || "(no text)"),
    detail: `${new Date(thread.updatedAt * 1000).toISOString().slice(0, 16).replace("T", " ")} ${thread.cwd}`,
    preview: [preview, branch ? `branch ${branch}` : "", thread.id].filter((part) => part !== ""),
  };
}
