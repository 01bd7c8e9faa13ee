/**
 * Keeps the beginning and the end of a stream of bytes and counts what fell out between them.
 * Owns no decoding. A window is drained by its one reader or read again and again as a transcript.
 */
import { RETAINED_HEAD_BYTES, RETAINED_TAIL_BYTES } from "./limits.js";

export interface WindowContent {
  readonly bytes: Uint8Array;
  /** All bytes that were ever pushed since the last drain. */
  readonly totalBytes: number;
  readonly omittedBytes: number;
}

export const EMPTY_CONTENT: WindowContent = { bytes: new Uint8Array(0), totalBytes: 0, omittedBytes: 0 };

export function omissionMarker(omittedBytes: number): string {
  return `\n... ${omittedBytes} bytes omitted ...\n`;
}

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0]!;
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

export class OutputWindow {
  #head: Uint8Array[] = [];
  #headBytes = 0;
  #tail: Uint8Array[] = [];
  #tailStart = 0;
  #tailBytes = 0;
  #omitted = 0;

  constructor(
    private readonly headLimit: number = RETAINED_HEAD_BYTES,
    private readonly tailLimit: number = RETAINED_TAIL_BYTES,
  ) {}

  get isEmpty(): boolean {
    return this.#headBytes === 0 && this.#tailBytes === 0 && this.#omitted === 0;
  }

  push(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    const room = this.headLimit - this.#headBytes;
    if (room > 0) {
      const part = bytes.length <= room ? bytes : bytes.subarray(0, room);
      this.#head.push(part);
      this.#headBytes += part.length;
      if (part.length === bytes.length) return;
      bytes = bytes.subarray(part.length);
    }
    this.#tail.push(bytes);
    this.#tailBytes += bytes.length;
    this.#trim();
  }

  #trim(): void {
    while (this.#tailBytes > this.tailLimit) {
      const first = this.#tail[this.#tailStart]!;
      const excess = this.#tailBytes - this.tailLimit;
      const dropped = Math.min(excess, first.length);
      this.#omitted += dropped;
      this.#tailBytes -= dropped;
      if (dropped < first.length) this.#tail[this.#tailStart] = first.subarray(dropped);
      else this.#tailStart += 1;
    }
    // Dropped chunks are released in batches, so that trimming stays linear.
    if (this.#tailStart > 1_024 || this.#tailStart === this.#tail.length) {
      this.#tail = this.#tail.slice(this.#tailStart);
      this.#tailStart = 0;
    }
  }

  /** What is kept, with the marker where bytes are missing. */
  content(): WindowContent {
    const parts = [...this.#head];
    if (this.#omitted > 0) parts.push(new TextEncoder().encode(omissionMarker(this.#omitted)));
    parts.push(...this.#tail.slice(this.#tailStart));
    return {
      bytes: concatBytes(parts),
      totalBytes: this.#headBytes + this.#tailBytes + this.#omitted,
      omittedBytes: this.#omitted,
    };
  }

  /** Takes what is kept, without a marker in between, and starts anew. */
  drainInto(target: OutputWindow): void {
    for (const part of this.#head) target.push(part);
    if (this.#omitted > 0) target.#skip(this.#omitted);
    for (const part of this.#tail.slice(this.#tailStart)) target.push(part);
    this.#head = [];
    this.#headBytes = 0;
    this.#tail = [];
    this.#tailStart = 0;
    this.#tailBytes = 0;
    this.#omitted = 0;
  }

  /** Bytes that are already lost: whatever the tail holds lies before them, so it is given up too. */
  #skip(omitted: number): void {
    this.#omitted += omitted + this.#tailBytes;
    this.#tail = [];
    this.#tailStart = 0;
    this.#tailBytes = 0;
    this.#headBytes = Math.max(this.#headBytes, this.headLimit);
  }
}
