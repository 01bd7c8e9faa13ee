/**
 * Rewrites a session of any era as 0.150 writes it in legacy mode, so that programs of that version resume it.
 * What has no place there is dropped and listed.
 */
import type { ErrorEvent } from "../../agent/errors.js";
import type { EventMsg } from "../../agent/event.js";
import type { ResponseItem } from "../../agent/response-item.js";
import { isJsonObject, type JsonObject } from "../../app/convert/json.js";
import { PROTOCOL_VERSION } from "../../version.js";
import { parseRolloutFileName } from "../file-name.js";
import { isUserMessage } from "../project/context-messages.js";
import { eraOf } from "../project/era.js";
import { headOf } from "../project/project-thread.js";
import { collectRollout, type ReadRolloutOptions } from "../read-rollout.js";
import type { KnownRecord, RolloutRecord } from "../records.js";
import { type LoadAncestor, resolveHistory } from "../resolve-history.js";
import type { RolloutLine } from "../rollout-line.js";
import { legacyEvents } from "./legacy-events.js";

export interface ConvertOptions extends ReadRolloutOptions {
  /** The file's name: tells the thread and the start where the head does not. */
  readonly file?: string;
  /** Finds files that this one refers to, whose lines are copied in. */
  readonly load?: LoadAncestor;
  /** The folder of sessions before 0.34, which do not name one. Default: `/`. */
  readonly cwd?: string;
}

export interface ConvertedRollout {
  /** `rollout-TIME-ID.jsonl`; null when the file tells neither thread nor time. */
  readonly fileName: string | null;
  /** One JSON object each, without line feeds. */
  readonly lines: readonly string[];
  /** Lines that were read and have no place in the result, by what they call themselves. */
  readonly dropped: Readonly<Record<string, number>>;
  readonly losses: readonly { readonly line: number; readonly reason: string }[];
}

const newerItems = new Set<ResponseItem["type"]>(["additional_tools", "configuration_update", "other"]);
const newerLines = new Set<RolloutLine["type"]>(["token_usage_record", "retained_context", "security_risk_score"]);

export async function convertRollout(
  source: AsyncIterable<Uint8Array>,
  options: ConvertOptions = {},
): Promise<ConvertedRollout> {
  const records = await collectRollout(source, options);
  const { inherited, missing } = await resolveHistory(records, options.load ?? (async () => undefined));
  const dropped: Record<string, number> = {};
  const losses = missing.map(({ threadId, reason }) => ({
    line: 0,
    reason: `history inherited from thread ${threadId} is not here: ${reason}`,
  }));
  const drop = (type: string) => {
    dropped[type] = (dropped[type] ?? 0) + 1;
  };
  const head = headOf(records);
  const named = options.file === undefined ? undefined : parseRolloutFileName(options.file);
  const threadId = head?.id ?? named?.threadId;
  const start = head?.timestamp || isoOf(named?.startedAt) || "1970-01-01T00:00:00.000Z";
  const lines: string[] = [];
  const write = (timestamp: string, type: string, payload: unknown) =>
    lines.push(JSON.stringify({ timestamp: timestamp || start, type, payload }));

  if (threadId !== undefined) write(start, "session_meta", headPayload(records, threadId, start, options.cwd ?? "/"));
  else losses.push({ line: 0, reason: "neither the file nor its name tells the thread" });

  const converter = new LineConverter(eraOf(records) === "bare", write, drop);
  const convert = (record: RolloutRecord) => {
    if (record.kind === "loss") losses.push({ line: record.line, reason: record.reason });
    else if (record.kind === "opaque") drop(record.type);
    else converter.convert(record);
  };
  for (const record of inherited) convert(record);
  for (const record of records) convert(record);
  return {
    fileName: threadId === undefined ? null : `rollout-${named?.startedAt ?? nameTime(start)}-${threadId}.jsonl`,
    lines,
    dropped,
    losses,
  };
}

function headPayload(records: readonly RolloutRecord[], threadId: string, timestamp: string, cwd: string): JsonObject {
  const first = records.find(
    (record): record is KnownRecord => record.kind === "line" && record.value.type === "session_meta",
  );
  const payload = first && isJsonObject(first.value.payload) ? first.value.payload : {};
  const {
    history_base: _base,
    forked_from_ordinal_exclusive: _forked,
    subagent_history_start_ordinal: _start,
    ...rest
  } = payload as JsonObject;
  return {
    ...rest,
    id: threadId,
    session_id: rest.session_id ?? threadId,
    timestamp,
    cwd: rest.cwd || cwd,
    originator: rest.originator || "codex_cli_rs",
    cli_version: rest.cli_version || PROTOCOL_VERSION,
    source: rest.source ?? "vscode",
    history_mode: "legacy",
  };
}

type Write = (timestamp: string, type: string, payload: unknown) => void;

/** Converts lines one after the other, knowing which turn is open and what went wrong in it. */
class LineConverter {
  readonly #bare: boolean;
  readonly #write: Write;
  readonly #drop: (type: string) => void;
  #openTurn: string | null = null;
  #error: ErrorEvent | null = null;

  constructor(bare: boolean, write: Write, drop: (type: string) => void) {
    this.#bare = bare;
    this.#write = write;
    this.#drop = drop;
  }

  convert(record: KnownRecord): void {
    const { timestamp, type, payload } = record.value;
    // One head is enough, and an ancestor's would be taken for another thread's.
    if (type === "session_meta") return;
    if (newerLines.has(type)) {
      this.#drop(type);
    } else if (type === "response_item") {
      this.#item(timestamp, payload);
    } else if (type === "event_msg") {
      this.#openTurn = turnAfter(payload, this.#openTurn);
      for (const event of this.#events(timestamp, payload)) this.#write(timestamp, type, event);
    } else if (type === "compacted" && Array.isArray(payload.replacement_history)) {
      const kept = payload.replacement_history.filter((item) => !newerItems.has(item.type));
      this.#write(timestamp, type, { ...payload, replacement_history: kept });
    } else {
      this.#write(timestamp, type, payload);
    }
  }

  #item(timestamp: string, item: ResponseItem): void {
    if (newerItems.has(item.type)) {
      this.#drop(`response_item/${item.type}`);
      return;
    }
    this.#write(timestamp, "response_item", item);
    if (this.#bare) for (const event of mirrors(item)) this.#write(timestamp, "event_msg", event);
  }

  #events(timestamp: string, event: EventMsg): readonly EventMsg[] {
    switch (event.type) {
      case "task_started":
        this.#error = null;
        return [event];
      case "error":
        this.#error = { message: event.message, codex_error_info: event.codex_error_info ?? null };
        return [event];
      case "task_complete": {
        // Before 0.145 a turn's error stood beside its end; only at the end does 0.150 look for it.
        const error = event.error ?? this.#error;
        this.#error = null;
        return [error ? { ...event, error } : event];
      }
      case "item_completed": {
        const timed = { ...event, completed_at_ms: event.completed_at_ms ?? (Date.parse(timestamp) || 0) };
        const events = legacyEvents(timed);
        // A late item of an earlier turn keeps its own event where the old one could not name the turn.
        const late = timed.turn_id !== this.#openTurn && events?.some((one) => !("turn_id" in one));
        return events && !late ? events : [timed];
      }
      default:
        return [event];
    }
  }
}

function turnAfter(event: EventMsg, openTurn: string | null): string | null {
  if (event.type === "task_started") return event.turn_id;
  return event.type === "task_complete" || event.type === "turn_aborted" ? null : openTurn;
}

/** The events that a bare item would have had beside it from 0.34 on. */
function mirrors(item: ResponseItem): EventMsg[] {
  if (item.type === "reasoning") {
    return item.summary.map((part): EventMsg => ({ type: "agent_reasoning", text: part.text }));
  }
  if (item.type !== "message") return [];
  const message = item.content.map((part) => ("text" in part ? part.text : "")).join("");
  if (item.role === "assistant") return [{ type: "agent_message", message, phase: null, memory_citation: null }];
  if (!isUserMessage(item)) return [];
  const images = item.content.flatMap((part) => (part.type === "input_image" ? [part.image_url] : []));
  return [{ type: "user_message", message, images, local_images: [], audio: [], local_audio: [], text_elements: [] }];
}

function isoOf(startedAt: string | undefined): string | undefined {
  return startedAt?.replace(/T(\d\d)-(\d\d)-(\d\d)$/, "T$1:$2:$3.000Z");
}

function nameTime(timestamp: string): string {
  return timestamp.slice(0, 19).replaceAll(":", "-");
}
