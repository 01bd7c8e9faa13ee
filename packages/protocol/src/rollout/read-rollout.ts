/**
 * Reads a session file of any version as a stream of records. Never throws for what is in the file: a line that cannot
 * be read is one loss with its number and the reason, and the rest survives.
 */
import { readRolloutLine } from "../legacy/readers.js";
import { isBareState } from "../legacy/rollout-line.js";
import { decodeUtf8 } from "../text/decode.js";
import { formatIssue } from "../validate/issue.js";
import { type FramedLine, frameLines } from "./frame-lines.js";
import type { RolloutRecord } from "./records.js";

export type Decompress = (source: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;

export interface ReadRolloutOptions {
  /** For files that begin with zstd's magic number. Without it they are one loss. */
  readonly decompress?: Decompress;
  /** Longer lines are losses. Default: 256 MiB. */
  readonly maxLineBytes?: number;
}

const zstdMagic = [0x28, 0xb5, 0x2f, 0xfd];

export async function* readRollout(
  source: AsyncIterable<Uint8Array>,
  options: ReadRolloutOptions = {},
): AsyncGenerator<RolloutRecord> {
  const { head, whole } = await peek(source, zstdMagic.length);
  let bytes = whole;
  if (zstdMagic.every((byte, index) => head[index] === byte)) {
    if (!options.decompress) {
      yield { kind: "loss", line: 0, end: 0, reason: "the file is compressed and there is no decompressor" };
      return;
    }
    bytes = options.decompress(whole);
  }
  const lines = frameLines(bytes, options.maxLineBytes ?? 256 * 1024 * 1024);
  while (true) {
    let next: IteratorResult<FramedLine>;
    try {
      next = await lines.next();
    } catch (error) {
      // A damaged archive fails in the middle; what came before it has been read.
      yield {
        kind: "loss",
        line: 0,
        end: 0,
        reason: `reading stopped: ${error instanceof Error ? error.message : error}`,
      };
      return;
    }
    if (next.done) return;
    yield* readLine(next.value);
  }
}

/** All records of a file at once. */
export async function collectRollout(
  source: AsyncIterable<Uint8Array>,
  options: ReadRolloutOptions = {},
): Promise<RolloutRecord[]> {
  const records: RolloutRecord[] = [];
  for await (const record of readRollout(source, options)) records.push(record);
  return records;
}

async function peek(
  source: AsyncIterable<Uint8Array>,
  length: number,
): Promise<{ head: Uint8Array; whole: AsyncIterable<Uint8Array> }> {
  const iterator = source[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let head = new Uint8Array(0);
  let failure: unknown;
  let failed = false;
  while (head.length < length) {
    try {
      const next = await iterator.next();
      if (next.done) break;
      // Kept over a later read, which may reuse the buffer.
      first.push(Uint8Array.from(next.value));
    } catch (error) {
      failed = true;
      failure = error;
      break;
    }
    const joined = new Uint8Array(first.reduce((sum, part) => sum + part.length, 0));
    first.reduce((at, part) => {
      joined.set(part, at);
      return at + part.length;
    }, 0);
    head = joined;
  }
  async function* whole(): AsyncGenerator<Uint8Array> {
    try {
      yield* first;
      if (failed) throw failure;
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  return { head, whole: whole() };
}

function withoutMark(framed: FramedLine): Uint8Array {
  const { bytes } = framed;
  const marked = framed.line === 1 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return marked ? bytes.subarray(3) : bytes;
}

function* readLine(framed: FramedLine): Generator<RolloutRecord> {
  const { line } = framed;
  const end = framed.offset + (framed.oversized ?? framed.bytes.length) + (framed.unterminated ? 0 : 1);
  const loss = (reason: string): RolloutRecord => ({ kind: "loss", line, end, reason });
  if (framed.oversized !== undefined) {
    yield loss(`the line has ${framed.oversized} bytes`);
    return;
  }
  const text = decodeUtf8(withoutMark(framed));
  if (text === undefined) {
    yield loss("the line is not UTF-8");
    return;
  }
  const trimmed = text.trim();
  if (trimmed === "") return;
  const value = parse(trimmed);
  if (value.ok) {
    yield readValue(value.value, line, end);
    return;
  }
  yield loss(framed.unterminated ? "the line is cut off" : "the line is not JSON");
  const glued = lastRecord(trimmed);
  if (glued !== undefined) yield readValue(glued, line, end);
}

function parse(text: string): { ok: true; value: unknown } | { ok: false } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false };
  }
}

/** A cut record often has the next one on its line: its start is found and the rest read. */
function lastRecord(text: string): unknown {
  for (let at = text.indexOf('{"timestamp"', 1); at >= 0; at = text.indexOf('{"timestamp"', at + 1)) {
    const rest = parse(text.slice(at));
    if (rest.ok) return rest.value;
  }
  return undefined;
}

function nameOf(value: unknown): string {
  const { type, payload } = value as { type?: unknown; payload?: { type?: unknown } };
  return typeof payload?.type === "string" ? `${type}/${payload.type}` : String(type);
}

function readValue(value: unknown, line: number, end: number): RolloutRecord {
  if (isBareState(value)) return { kind: "opaque", line, end, type: "state", source: value };
  const read = readRolloutLine(value);
  if (read.ok) return { kind: "line", line, end, value: read.value, source: value, upgraded: read.upgraded };
  if (read.reason === "unknown") return { kind: "opaque", line, end, type: nameOf(value), source: value };
  return { kind: "loss", line, end, reason: read.issues.map((issue) => formatIssue(issue)).join("; ") };
}
