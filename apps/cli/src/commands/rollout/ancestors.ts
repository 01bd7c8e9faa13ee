/** Finds the files that a session file refers to: forks and reverts of newer versions do not copy their history. */
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { collectRollout, type LoadAncestor, parseRolloutFileName } from "@turnkit/protocol/rollout";
import { decompress, openRollout } from "./open-file.js";

interface Candidate {
  readonly file: string;
  readonly isRevert: boolean;
  readonly isPacked: boolean;
}

/** The folder of the file, and the trees of sessions around it, archived ones too. */
function* roots(folder: string): Generator<{ root: string; recursive: boolean }> {
  yield { root: folder, recursive: false };
  const archived = path.basename(folder) === "archived_sessions";
  const home = path.resolve(folder, archived ? ".." : "../../../..");
  const inTree = archived || path.basename(path.resolve(folder, "../../..")) === "sessions";
  if (!inTree) return;
  yield { root: path.join(home, "sessions"), recursive: true };
  yield { root: path.join(home, "archived_sessions"), recursive: false };
}

async function candidates(root: string, recursive: boolean, threadId: string): Promise<Candidate[]> {
  const names = await readdir(root, { recursive }).catch(() => [] as string[]);
  const found = names.flatMap((name): Candidate[] => {
    const parsed = parseRolloutFileName(name);
    if (parsed?.threadId !== threadId) return [];
    return [{ file: path.join(root, name), isRevert: parsed.rolloutId !== undefined, isPacked: parsed.compressed }];
  });
  // A thread's first file before those it was reverted to; of these the newest, whose name sorts last.
  return found.sort((a, b) => Number(a.isRevert) - Number(b.isRevert) || b.file.localeCompare(a.file));
}

export function ancestorsOf(file: string): LoadAncestor {
  const own = path.resolve(file);
  return async ({ thread_id, end_byte_offset }) => {
    for (const { root, recursive } of roots(path.dirname(own))) {
      for (const candidate of await candidates(root, recursive, thread_id)) {
        if (candidate.file === own) continue;
        const size = (await stat(candidate.file)).size;
        if (!candidate.isPacked && size < end_byte_offset) continue;
        return collectRollout(await openRollout(candidate.file), { decompress });
      }
    }
    return undefined;
  };
}
