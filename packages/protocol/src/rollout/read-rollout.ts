/**
 * Reads a session file of any version as a stream of records. Never throws for what is in the file: a line that cannot
 * be read is one loss with its number and the reason, and the rest survives.
 */
import { readRolloutLine } from "../legacy/readers.js";
import { isBareState } from "../legacy/rollout-line.js";
import { decodeUtf8 } from "../text/decode.js";
import { formatIssue } from "../validate/issue.js";
import { frameLines, type LineBlock } from "./frame-lines.js";
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
  for await (const records of readBlocks(source, options)) yield* records;
}

/** All records of a file at once. */
export async function collectRollout(
  source: AsyncIterable<Uint8Array>,
  options: ReadRolloutOptions = {},
): Promise<RolloutRecord[]> {
  const all: RolloutRecord[] = [];
  for await (const records of readBlocks(source, options)) for (const record of records) all.push(record);
  return all;
}

async function* readBlocks(
  source: AsyncIterable<Uint8Array>,
  options: ReadRolloutOptions,
): AsyncGenerator<RolloutRecord[]> {
  const { head, whole } = await peek(source, zstdMagic.length);
  let bytes = whole;
  if (zstdMagic.every((byte, index) => head[index] === byte)) {
    if (!options.decompress) {
      yield [{ kind: "loss", line: 0, end: 0, reason: "the file is compressed and there is no decompressor" }];
      return;
    }
    bytes = options.decompress(whole);
  }
  const blocks = frameLines(bytes, options.maxLineBytes ?? 256 * 1024 * 1024);
  while (true) {
    let next: IteratorResult<LineBlock>;
    try {
      next = await blocks.next();
    } catch (error) {
      // A damaged archive fails in the middle; what came before it has been read.
      const reason = `reading stopped: ${error instanceof Error ? error.message : error}`;
      yield [{ kind: "loss", line: 0, end: 0, reason }];
      return;
    }
    if (next.done) return;
    yield readBlock(next.value);
  }
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
      // What is kept over another read is copied: the producer may reuse its buffer.
      const last = first.pop();
      if (last) first.push(new Uint8Array(last));
      const next = await iterator.next();
      if (next.done) break;
      first.push(next.value);
      head = new Uint8Array([...head, ...next.value.subarray(0, length)]);
    } catch (error) {
      failed = true;
      failure = error;
      break;
    }
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

/** The lines of a block as texts; undefined for one that is not UTF-8. */
function textsOf(block: LineBlock): (string | undefined)[] {
  const { bytes, ends } = block;
  const marked = block.line === 1 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const text = marked ? undefined : decodeUtf8(bytes);
  if (text === undefined) {
    return ends.map((end, index) => {
      const start = index === 0 ? (marked ? 3 : 0) : (ends[index - 1] as number) + 1;
      return decodeUtf8(bytes.subarray(start, end));
    });
  }
  if (text.length !== bytes.length) return text.split("\n").slice(0, ends.length);
  // One byte a character: the ends are those of the text.
  return ends.map((end, index) => text.slice(index === 0 ? 0 : (ends[index - 1] as number) + 1, end));
}

function readBlock(block: LineBlock): RolloutRecord[] {
  if (block.oversized !== undefined) {
    const end = block.offset + block.oversized + (block.unterminated ? 0 : 1);
    return [{ kind: "loss", line: block.line, end, reason: `the line has ${block.oversized} bytes` }];
  }
  const records: RolloutRecord[] = [];
  const texts = textsOf(block);
  const feed = block.unterminated ? 0 : 1;
  for (let index = 0; index < texts.length; index++) {
    const end = block.offset + (block.ends[index] as number) + feed;
    const text = texts[index];
    if (text !== undefined) readLine(text, block.line + index, end, block.unterminated, records);
    else records.push({ kind: "loss", line: block.line + index, end, reason: undecodable(block) });
  }
  return records;
}

/** A stream may end inside of a character: that line is cut off and not malformed. */
function undecodable({ bytes, unterminated }: LineBlock): string {
  const cut =
    unterminated &&
    [1, 2, 3].some((left) => decodeUtf8(bytes.subarray(0, Math.max(0, bytes.length - left))) !== undefined);
  return cut ? "the line is cut off" : "the line is not UTF-8";
}

function readLine(text: string, line: number, end: number, unterminated: boolean, records: RolloutRecord[]): void {
  const value = parse(text);
  if (value.ok) {
    records.push(readValue(value.value, line, end));
    return;
  }
  const trimmed = text.trim();
  if (trimmed === "") return;
  records.push({ kind: "loss", line, end, reason: unterminated ? "the line is cut off" : "the line is not JSON" });
  const glued = lastRecord(trimmed);
  if (glued !== undefined) records.push(readValue(glued, line, end));
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
