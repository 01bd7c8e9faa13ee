/** A fork is a file of its own: a new head, then the lines of the source up to a turn. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { freshId, VERSION } from "@turnkit/core";
import { readRecords, recordsThrough, rolloutPath } from "@turnkit/core/rollout";
import { formatRecord, headOf } from "@turnkit/protocol/rollout";

export interface ForkedFile {
  readonly threadId: string;
  readonly forkedFromId: string;
  readonly path: string;
}

/** `lastTurnId` is inclusive; null: everything. @throws {Error} no head, or no such turn */
export async function writeFork(
  source: string,
  lastTurnId: string | null,
  options: { readonly home: string; readonly originator: string; readonly cwd: string | undefined },
): Promise<ForkedFile> {
  const records = await readRecords(source);
  const head = headOf(records);
  if (!head) throw new Error(`${source} has no readable head`);
  const kept = recordsThrough(records, lastTurnId);
  if (!kept) throw new Error(`${source} has no turn ${lastTurnId}`);
  const threadId = freshId();
  const now = new Date();
  const meta = {
    ...head,
    id: threadId,
    session_id: threadId,
    forked_from_id: head.id,
    timestamp: now.toISOString(),
    originator: options.originator,
    cli_version: VERSION,
    cwd: options.cwd ?? head.cwd,
    multi_agent_version: head.multi_agent_version ?? "v1",
  };
  const lines = [JSON.stringify({ timestamp: now.toISOString(), type: "session_meta", payload: meta })];
  for (const record of kept) {
    const line = formatRecord(record);
    if (line !== undefined) lines.push(line);
  }
  const path = rolloutPath(options.home, threadId, now);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${lines.join("\n")}\n`, { flag: "wx" });
  return { threadId, forkedFromId: head.id, path };
}
