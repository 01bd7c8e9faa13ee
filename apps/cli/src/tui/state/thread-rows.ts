/** Threads as rows of a list to choose from. Pure. */
import type { Thread } from "@turnkit/protocol/app";
import type { PickerRow } from "./picker.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const DAYS_AGO = 7;

/** How long ago, or on which day: at most ten cells. */
export function ageText(at: number, now: number): string {
  const age = now - at;
  if (age < MINUTE) return "just now";
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min ago`;
  if (age < DAY) return `${Math.floor(age / HOUR)} h ago`;
  if (age < DAYS_AGO * DAY) return `${Math.floor(age / DAY)} d ago`;
  return new Date(at).toISOString().slice(0, 10);
}

export function threadRow(thread: Thread, now: number): PickerRow {
  const preview = thread.preview.replace(/\s+/g, " ").trim();
  const branch = thread.gitInfo?.branch;
  const at = thread.updatedAt * 1000;
  return {
    id: thread.id,
    title: thread.name ?? (preview.slice(0, 200) || "(no text)"),
    when: ageText(at, now),
    where: thread.cwd,
    preview: [
      preview,
      [new Date(at).toISOString().slice(0, 16).replace("T", " "), branch ? `branch ${branch}` : "", thread.cwd]
        .filter((part) => part !== "")
        .join(" · "),
      thread.id,
    ].filter((part) => part !== ""),
  };
}
