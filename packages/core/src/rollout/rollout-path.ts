/** Where session files lie: `sessions/YYYY/MM/DD/rollout-<local time>-<thread id>.jsonl` below the home folder. */
import path from "node:path";

const two = (value: number) => String(value).padStart(2, "0");

export const SESSIONS_FOLDER = "sessions";
export const ARCHIVED_FOLDER = "archived_sessions";

export function rolloutPath(home: string, threadId: string, startedAt: Date): string {
  const date = [startedAt.getFullYear(), two(startedAt.getMonth() + 1), two(startedAt.getDate())];
  const time = [two(startedAt.getHours()), two(startedAt.getMinutes()), two(startedAt.getSeconds())].join("-");
  const name = `rollout-${date.join("-")}T${time}-${threadId}.jsonl`;
  return path.join(home, SESSIONS_FOLDER, ...date.map(String), name);
}
