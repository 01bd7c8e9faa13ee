/** What a list of threads shows of one, read from the beginning of its file. */
import { createReadStream } from "node:fs";
import type { GitInfo, SessionMeta, SessionSource } from "@turnkit/protocol";
import { projectThread, type RolloutRecord, readRollout } from "@turnkit/protocol/rollout";
import { decompressZstd } from "./decompress.js";

export interface ThreadSummary {
  readonly id: string;
  readonly sessionId: string;
  readonly forkedFromId: string | null;
  readonly parentThreadId: string | null;
  readonly path: string;
  readonly archived: boolean;
  readonly cwd: string;
  /** Unix milliseconds. */
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** The person's first words; empty: nobody has said anything yet. */
  readonly preview: string;
  readonly hasTurns: boolean;
  readonly modelProvider: string;
  readonly source: SessionSource;
  readonly threadSource: string | null;
  readonly cliVersion: string;
  readonly git: GitInfo | null;
  readonly name: string | null;
}

/** What a file says of itself, without what is known from its place. */
export type SummaryFacts = Omit<ThreadSummary, "path" | "archived" | "updatedAtMs" | "name">;

/** Lines that are looked at for the person's first words. */
const MAX_LINES = 400;

/** undefined: the file has no head that can be read. */
export async function summarize(file: string): Promise<SummaryFacts | undefined> {
  const records: RolloutRecord[] = [];
  const stream = createReadStream(file);
  let meta: SessionMeta | undefined;
  let turns = false;
  try {
    for await (const record of readRollout(stream, { decompress: decompressZstd })) {
      records.push(record);
      if (record.kind === "line") {
        const line = record.value;
        if (line.type === "session_meta") meta ??= line.payload;
        if (line.type === "event_msg" && line.payload.type === "task_started") turns = true;
        if (saysSomething(record)) {
          turns = true;
          break;
        }
      }
      if (records.length >= MAX_LINES) break;
    }
  } finally {
    stream.destroy();
  }
  if (!meta) return undefined;
  const { preview } = projectThread(records);
  return {
    id: meta.id,
    sessionId: meta.session_id ?? meta.id,
    forkedFromId: meta.forked_from_id ?? null,
    parentThreadId: meta.parent_thread_id ?? null,
    cwd: meta.cwd,
    createdAtMs: Date.parse(meta.timestamp),
    preview,
    hasTurns: turns,
    modelProvider: meta.model_provider ?? "",
    source: meta.source ?? "vscode",
    threadSource: meta.thread_source ?? null,
    cliVersion: meta.cli_version,
    git: meta.git ?? null,
  };
}

function saysSomething(record: Extract<RolloutRecord, { kind: "line" }>): boolean {
  const line = record.value;
  if (line.type !== "event_msg") return false;
  const event = line.payload;
  return event.type === "user_message" || (event.type === "item_completed" && event.item.type === "UserMessage");
}
