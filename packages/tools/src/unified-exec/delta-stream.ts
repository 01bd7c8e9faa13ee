/**
 * Turns output bytes into delta events: at most 8,192 bytes each, never cutting a UTF-8 character, and a bounded
 * number of them per command.
 */

import { DELTA_BYTES, MAX_DELTAS } from "./limits.js";
import { concatBytes } from "./output-window.js";

/** How many trailing bytes form the start of a character that is not complete yet; invalid bytes count as complete. */
export function incompleteTail(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    const length =
      byte >= 0xf0 && byte < 0xf5 ? 4 : byte >= 0xe0 && byte < 0xf0 ? 3 : byte >= 0xc2 && byte < 0xe0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}

export class DeltaStream {
  #held: Uint8Array = new Uint8Array(0);
  #sent = 0;

  constructor(private readonly emit: (chunk: Uint8Array) => void) {}

  push(bytes: Uint8Array): void {
    let rest = this.#held.length > 0 ? concatBytes([this.#held, bytes]) : bytes;
    while (rest.length > 0) {
      let piece = rest.subarray(0, DELTA_BYTES);
      const open = incompleteTail(piece);
      if (open === piece.length || (open > 0 && piece.length === rest.length)) {
        if (piece.length > open) this.#send(piece.subarray(0, piece.length - open));
        this.#held = rest.slice(piece.length - open);
        return;
      }
      piece = piece.subarray(0, piece.length - open);
      this.#send(piece);
      rest = rest.subarray(piece.length);
    }
    this.#held = new Uint8Array(0);
  }

  /** Nothing follows: what was held back goes out as it is. */
  end(): void {
    if (this.#held.length > 0) this.#send(this.#held);
    this.#held = new Uint8Array(0);
  }

  #send(chunk: Uint8Array): void {
    if (this.#sent >= MAX_DELTAS) return;
    this.#sent += 1;
    this.emit(chunk);
  }
}

/** Base64 without a platform's buffers. */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 4_096) binary += String.fromCharCode(...bytes.subarray(at, at + 4_096));
  return btoa(binary);
}
