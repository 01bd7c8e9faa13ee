/** A thread as a client sees it, from the records of its file: head, name, tokens, turns and items of every era. */

import type { SessionSource } from "../../agent/session-source.js";
import type { TokenUsageInfo } from "../../agent/token-usage.js";
import { messageText, userInputOfEvent } from "../../agent/user-message.js";
import type { ThreadStatus } from "../../app/thread-model.js";
import type { Turn } from "../../app/turn-model.js";
import type { RolloutRecord } from "../records.js";
import type { SessionMeta } from "../session-meta.js";
import { applyBareItem } from "./bare-items.js";
import { isUserMessage } from "./context-messages.js";
import { type Era, eraOf } from "./era.js";
import { applyEvent } from "./events.js";
import { TurnBuilder } from "./turn-builder.js";

export interface ThreadProjection {
  readonly threadId: string | null;
  readonly sessionId: string | null;
  readonly era: Era;
  readonly cliVersion: string | null;
  readonly source: SessionSource | null;
  readonly historyMode: "legacy" | "paginated";
  readonly cwd: string | null;
  readonly modelProvider: string | null;
  readonly forkedFromId: string | null;
  readonly name: string | null;
  /** The person's first words. */
  readonly preview: string;
  /** The head of the file, or null when it has none that can be read. */
  readonly meta: SessionMeta | null;
  readonly tokenUsage: TokenUsageInfo | null;
  /** Of a file alone: not loaded. Of a running thread: active while its last turn is, else idle. */
  readonly status: ThreadStatus;
  readonly turns: Turn[];
}

export interface ProjectThreadOptions {
  /** Records that the file refers to instead of copying them; see `resolveHistory`. They come first. */
  readonly inherited?: readonly RolloutRecord[];
  /** The file's thread is loaded somewhere: a turn without an end is in progress. Default: it was interrupted. */
  readonly running?: boolean;
}

/** The first head counts: others are copies of an ancestor's, or repeat it with a change. */
export function headOf(records: readonly RolloutRecord[]): SessionMeta | null {
  for (const record of records) {
    if (record.kind === "line" && record.value.type === "session_meta") return record.value.payload;
  }
  return null;
}

function statusOf(turns: readonly Turn[], running: boolean): ThreadStatus {
  if (!running) return { type: "notLoaded" };
  return turns.at(-1)?.status === "inProgress" ? { type: "active", activeFlags: [] } : { type: "idle" };
}

const marker = "## My request for Codex:";

function previewOf(text: string, hasImage: boolean): string {
  const at = text.indexOf(marker);
  const own = (at < 0 ? text : text.slice(at + marker.length)).trim();
  return own !== "" ? own : hasImage ? "[Image]" : "";
}

export function projectThread(records: readonly RolloutRecord[], options: ProjectThreadOptions = {}): ThreadProjection {
  const turns = new TurnBuilder();
  const meta = headOf(records);
  const era = eraOf(records);
  const paginated = meta?.history_mode === "paginated";
  let tokenUsage: TokenUsageInfo | null = null;
  let name: string | null = null;
  let preview = "";
  const notePreview = (text: string, hasImage: boolean) => {
    if (preview === "") preview = previewOf(text, hasImage);
  };
  const apply = (record: RolloutRecord) => {
    if (record.kind !== "line") return;
    const fallbackId = `rollout-${record.line - 1}`;
    const line = record.value;
    if (line.type === "event_msg") {
      const event = line.payload;
      applyEvent(event, turns, fallbackId);
      if (event.type === "token_count") tokenUsage = event.info ?? tokenUsage;
      else if (event.type === "thread_name_updated") name = event.thread_name ?? null;
      else if (event.type === "user_message")
        notePreview(messageText(userInputOfEvent(event)), (event.images ?? []).length > 0);
      else if (event.type === "item_completed" && event.item.type === "UserMessage") {
        notePreview(
          messageText(event.item.content),
          event.item.content.some((input) => input.type === "image" || input.type === "local_image"),
        );
      }
    } else if (line.type === "compacted") {
      if (!paginated) turns.compacted(fallbackId);
    } else if (line.type === "response_item" && era === "bare") {
      applyBareItem(line.payload, turns, fallbackId);
      if (isUserMessage(line.payload)) {
        notePreview(line.payload.content.map((part) => ("text" in part ? part.text : "")).join(""), true);
      }
    }
  };
  for (const record of options.inherited ?? []) apply(record);
  // A fork is told from its parent by its own first words, where it has any.
  const inheritedPreview = preview;
  preview = "";
  for (const record of records) apply(record);
  const built = turns.turns(options.running ?? false);
  return {
    threadId: meta?.id ?? null,
    sessionId: meta?.session_id ?? meta?.id ?? null,
    era,
    cliVersion: meta?.cli_version || null,
    source: meta?.source ?? null,
    historyMode: paginated ? "paginated" : "legacy",
    cwd: meta?.cwd || null,
    modelProvider: meta?.model_provider ?? null,
    forkedFromId: meta?.forked_from_id ?? null,
    name,
    preview: preview || inheritedPreview,
    meta,
    tokenUsage,
    status: statusOf(built, options.running ?? false),
    turns: built,
  };
}
