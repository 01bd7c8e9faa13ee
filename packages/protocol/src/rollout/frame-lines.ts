/**
 * Cuts a stream of bytes into blocks of whole lines, on byte 0x0A only: U+2028 inside a JSON string ends no line. Keeps
 * no more than one line beside the block in hand. Owns neither decoding nor JSON.
 */

/** Lines that lie side by side in memory. */
export interface LineBlock {
  /** Of the first line, counted from 1. */
  readonly line: number;
  /** Of the first byte, in the stream. */
  readonly offset: number;
  /** Each line with its line feed, but for the last of a stream that ends without one. */
  readonly bytes: Uint8Array;
  /** Where each line ends, in `bytes`, without its line feed. */
  readonly ends: readonly number[];
  readonly unterminated: boolean;
  /** The block is one line that was longer than the limit, whose bytes were let go; this many. */
  readonly oversized: number | undefined;
}

const LINE_FEED = 0x0a;

export async function* frameLines(source: AsyncIterable<Uint8Array>, maxLineBytes: number): AsyncGenerator<LineBlock> {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let line = 1;
  let offset = 0;

  const block = (bytes: Uint8Array, ends: readonly number[], unterminated: boolean): LineBlock => {
    const made = { line, offset, bytes, ends, unterminated, oversized: undefined };
    line += ends.length;
    offset += bytes.length;
    return made;
  };
  /** The line that began in earlier chunks, with its end. */
  const finish = (rest: Uint8Array, unterminated: boolean): LineBlock => {
    const length = pendingBytes + rest.length;
    const end = unterminated ? length : length - 1;
    let made: LineBlock;
    if (end > maxLineBytes) {
      made = { line: line++, offset, bytes: new Uint8Array(0), ends: [0], unterminated, oversized: end };
      offset += length;
    } else {
      made = block(join(pending, rest, length), [end], unterminated);
    }
    pending = [];
    pendingBytes = 0;
    return made;
  };

  for await (const chunk of source) {
    let from = 0;
    if (pendingBytes > 0) {
      const first = chunk.indexOf(LINE_FEED);
      if (first >= 0) {
        yield finish(chunk.subarray(0, first + 1), false);
        from = first + 1;
      }
    }
    const ends: number[] = [];
    let next = from;
    if (from > 0 || pendingBytes === 0) {
      for (let at = chunk.indexOf(LINE_FEED, next); at >= 0; at = chunk.indexOf(LINE_FEED, next)) {
        ends.push(at - from);
        next = at + 1;
      }
    }
    if (ends.length > 0) yield block(chunk.subarray(from, next), ends, false);
    if (next < chunk.length) {
      const rest = chunk.subarray(next);
      pendingBytes += rest.length;
      // The producer may reuse its buffer: what is kept is copied (a subclass's own `slice` may only be a view).
      if (pendingBytes <= maxLineBytes) pending.push(new Uint8Array(rest));
      else pending = [];
    }
  }
  if (pendingBytes > 0) yield finish(new Uint8Array(0), true);
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
