/**
 * Reads one descriptor (pipe or terminal master) and hands its bytes on in chunks.
 * Owns the read buffer, pausing and the final drain; does not know what an exit is.
 */
import { closeSync, readSync } from "node:fs";
import type { Socket } from "node:net";
import { MAX_CHUNK_BYTES } from "./child.js";
import { keptCopy } from "./chunk-blocks.js";
import { recyclePipe } from "./fifo-pool.js";

/** One buffer serves every reader: a read is copied out before the next one can start. */
const SHARED = Buffer.allocUnsafeSlow(65536);
/** Bytes taken by one `drain`; more than a pipe or terminal holds when nobody refills it. */
const DRAIN_LIMIT = 1 << 20;

/** The socket option that makes every read land in the shared buffer. */
export function readInto(reader: () => OutputReader) {
  return { buffer: SHARED, callback: (size: number) => reader().received(size) };
}

export class OutputReader {
  readonly #emit: (bytes: Uint8Array) => void;
  readonly #ended: () => void;
  #socket: Socket | undefined;
  #descriptor = -1;
  #recycled = false;
  #open = true;
  #paused = false;

  constructor(emit: (bytes: Uint8Array) => void, ended: () => void) {
    this.#emit = emit;
    this.#ended = ended;
  }

  /** Takes over the socket; `descriptor` is its file descriptor, for `drain`. */
  attach(socket: Socket, descriptor: number): void {
    this.#socket = socket;
    this.#descriptor = descriptor;
    socket.on("end", () => this.#ends());
    // A terminal master reports its hang-up as EIO; whatever the error, nothing more can be read.
    socket.on("error", () => this.close());
    if (!this.#paused) socket.resume();
  }

  /**
   * Takes over one of our pipes. Its socket is made at the end of this turn of the event loop, behind whatever waits for
   * the start; a process that has ended by then needs none. `recycled`: the pipe may serve another process afterwards.
   */
  attachPipe(descriptor: number, recycled: boolean, connect: () => Socket): void {
    this.#descriptor = descriptor;
    this.#recycled = recycled;
    setImmediate(() => {
      if (this.#open) this.attach(connect(), descriptor);
    });
  }

  get open(): boolean {
    return this.#open;
  }

  received(size: number): boolean {
    if (this.#open) this.#hand(size);
    return !this.#paused;
  }

  pause(): void {
    this.#paused = true;
    this.#socket?.pause();
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    if (this.#open) this.#socket?.resume();
  }

  /** Reads what the kernel holds right now, without waiting. Closes the reader when that reaches the end. */
  drain(): void {
    for (let total = 0; this.#open && total < DRAIN_LIMIT; ) {
      let size: number;
      try {
        size = readSync(this.#descriptor, SHARED, 0, SHARED.length, null);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN") this.close();
        return;
      }
      if (size === 0) {
        this.#ends();
        return;
      }
      this.#hand(size);
      total += size;
    }
  }

  /** Closes the descriptor and reports the end, once. */
  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#release();
    this.#ended();
  }

  /** Nobody can write any more. */
  #ends(): void {
    if (!this.#open) return;
    this.#open = false;
    if (this.#recycled) recyclePipe(this.#descriptor, () => this.#release());
    else this.#release();
    this.#ended();
  }

  #release(): void {
    if (this.#socket) this.#socket.destroy();
    else if (this.#descriptor >= 0) closeSync(this.#descriptor);
  }

  #hand(size: number): void {
    const bytes = keptCopy(SHARED, size);
    if (size <= MAX_CHUNK_BYTES) {
      this.#emit(bytes);
      return;
    }
    for (let at = 0; at < size; at += MAX_CHUNK_BYTES) this.#emit(bytes.subarray(at, at + MAX_CHUNK_BYTES));
  }
}
