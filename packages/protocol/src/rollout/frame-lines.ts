/**
 * Cuts a stream of bytes into lines, on byte 0x0A only: U+2028 inside a JSON string ends no line. Keeps no more than
 * one line in memory. Owns neither decoding nor JSON.
 */

export interface FramedLine {
  /** Counted from 1. */
  readonly line: number;
  /** Of the line's first byte in the stream. */
  readonly offset: number;
  /** Without the line feed. Empty when the line was longer than the limit. */
  readonly bytes: Uint8Array;
  /** Its length when it was longer than the limit, whose bytes were let go. */
  readonly oversized?: number;
  /** The stream ended without a line feed. */
  readonly unterminated: boolean;
}

const LINE_FEED = 0x0a;

export async function* frameLines(source: AsyncIterable<Uint8Array>, maxLineBytes: number): AsyncGenerator<FramedLine> {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let line = 1;
  let offset = 0;

  const take = (rest: Uint8Array, unterminated: boolean): FramedLine => {
    const length = pendingBytes + rest.length;
    const start = offset;
    offset += length + (unterminated ? 0 : 1);
    const bytes = length > maxLineBytes ? new Uint8Array(0) : pending.length === 0 ? rest : join(pending, rest, length);
    pending = [];
    pendingBytes = 0;
    const framed = { line: line++, offset: start, bytes, unterminated };
    return length > maxLineBytes ? { ...framed, oversized: length } : framed;
  };

  for await (const chunk of source) {
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED, from); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      yield take(chunk.subarray(from, at), false);
      from = at + 1;
    }
    if (from < chunk.length) {
      const rest = chunk.subarray(from);
      pendingBytes += rest.length;
      // The producer may reuse its buffer: what is kept is copied (a subclass's own `slice` may only be a view).
      if (pendingBytes <= maxLineBytes) pending.push(Uint8Array.from(rest));
      else pending = [];
    }
  }
  if (pendingBytes > 0) yield take(new Uint8Array(0), true);
}

function join(parts: readonly Uint8Array[], rest: Uint8Array, length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  whole.set(rest, at);
  return whole;
}
