/**
 * One JSON text per line over a pair of byte streams (stdio, sockets, child processes).
 * Lines end at byte 0x0A only: U+2028 inside a string is no line break. A carriage return before it is dropped,
 * blank lines are ignored, a last line without its end is still delivered.
 */
import { fstatSync, statSync } from "node:fs";
import { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import { decodeUtf8, Inbox, LOW_WATER_BYTES, type Transport } from "../transport.js";

export interface LastMessages {
  /** Resolves when all of the input was handed to the listener. */
  readonly delivered: () => Promise<void>;
  /** Resolves when the other side has taken everything that was sent. */
  readonly written: () => Promise<void>;
}

export interface JsonLinesOptions {
  /** Longest accepted line in bytes (default 64 MiB); a longer one is dropped and reported as garbage. */
  readonly maxLineBytes?: number;
  /** Called when the input has ended: what is sent until it resolves still leaves. Default: the end of the input is the end. */
  readonly beforeEnd?: (last: LastMessages) => Promise<void>;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Cuts byte chunks into lines without joining chunks until a line is whole. */
export class LineSplitter {
  readonly #onLine: (line: Buffer) => void;
  readonly #onTooLong: (limit: number) => void;
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #length = 0;
  #skipping = false;

  constructor(onLine: (line: Buffer) => void, onTooLong: (limit: number) => void, maxBytes: number) {
    this.#onLine = onLine;
    this.#onTooLong = onTooLong;
    this.#maxBytes = maxBytes;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      this.#take(chunk.subarray(start, end));
      this.#finish();
      start = end + 1;
    }
    if (start < chunk.length) this.#take(chunk.subarray(start));
  }

  /** The stream ended: what is left is a line without its end. */
  end(): void {
    if (this.#length > 0) this.#finish();
  }

  #take(part: Buffer): void {
    if (this.#skipping) return;
    this.#length += part.length;
    if (this.#length > this.#maxBytes) {
      this.#parts = [];
      this.#skipping = true;
      this.#onTooLong(this.#maxBytes);
      return;
    }
    if (part.length > 0) this.#parts.push(part);
  }

  #finish(): void {
    const parts = this.#parts;
    const skipped = this.#skipping;
    this.#parts = [];
    this.#length = 0;
    this.#skipping = false;
    if (skipped) return;
    let line = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    if (line.at(-1) === CARRIAGE_RETURN) line = line.subarray(0, -1);
    this.#onLine(line);
  }
}

class JsonLinesTransport implements Transport {
  readonly #inbox = new Inbox();
  readonly #readable: Readable;
  readonly #writable: Writable;
  #waiters: (() => void)[] = [];
  #closing: Promise<void> | undefined;

  constructor(readable: Readable, writable: Writable, options: JsonLinesOptions) {
    this.#readable = readable;
    this.#writable = writable;
    const splitter = new LineSplitter(
      (line) => this.#line(line),
      (limit) => this.#inbox.garbage(`line longer than ${limit} bytes`),
      options.maxLineBytes ?? 64 * 1024 * 1024,
    );
    readable.on("data", (chunk: Buffer) => splitter.push(chunk));
    readable.on("end", () => {
      splitter.end();
      const { beforeEnd } = options;
      // A pipe tells its end also while it is paused.
      if (!beforeEnd) {
        this.#end("end of input");
        return;
      }
      const delivered = () => this.#inbox.delivered();
      const written = () => new Promise<void>((resolve) => writable.write("", () => resolve()));
      void beforeEnd({ delivered, written }).finally(() => this.#end("end of input"));
    });
    readable.on("close", () => {
      if (!readable.readableEnded) this.#end("input closed");
    });
    readable.on("error", (error) => this.#end("reading failed", error));
    writable.on("drain", () => this.#wake());
    // The other end is gone: reading may still deliver what it sent before; EPIPE here must not crash the process.
    writable.on("error", (error) => this.#end("writing failed", error));
  }

  get bufferedBytes(): number {
    return this.#writable.writableLength;
  }

  send(message: string | Uint8Array): void {
    if (this.#inbox.closed || this.#closing || !this.#writable.writable) return;
    if (typeof message === "string") {
      this.#writable.write(`${message}\n`);
      return;
    }
    this.#writable.cork();
    this.#writable.write(message);
    this.#writable.write("\n");
    process.nextTick(() => this.#writable.uncork());
  }

  drained(): Promise<void> {
    if (this.#inbox.closed || this.bufferedBytes < LOW_WATER_BYTES) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  close(_code?: number, reason = "closed"): Promise<void> {
    this.#closing ??= new Promise((resolve) => {
      const done = () => {
        this.#readable.destroy();
        this.#end(reason);
        resolve();
      };
      if (this.#writable.destroyed || this.#writable.writableFinished) done();
      else {
        this.#writable.once("close", done);
        this.#writable.end(done);
      }
    });
    return this.#closing;
  }

  pause(): void {
    this.#inbox.pause();
    this.#readable.pause();
  }

  resume(): void {
    this.#inbox.resume();
    if (!this.#inbox.paused) this.#readable.resume();
  }

  onMessage(listener: (text: string) => void): void {
    this.#inbox.onMessage(listener);
  }

  onGarbage(listener: (problem: string) => void): void {
    this.#inbox.onGarbage(listener);
  }

  onClose(listener: (info: { reason: string; error?: Error }) => void): void {
    this.#inbox.onClose(listener);
  }

  #line(line: Buffer): void {
    const text = decodeUtf8(line);
    if (text === undefined) this.#inbox.garbage("stream did not contain valid UTF-8");
    else if (text.trim() !== "") this.#inbox.deliver(text);
  }

  #end(reason: string, error?: Error): void {
    this.#inbox.end(error ? { reason, error } : { reason });
    this.#wake();
  }

  #wake(): void {
    if (!this.#inbox.closed && this.bufferedBytes >= LOW_WATER_BYTES) return;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const wake of waiters) wake();
  }
}

/** A transport over any pair of byte streams. */
export function jsonLinesTransport(readable: Readable, writable: Writable, options: JsonLinesOptions = {}): Transport {
  return new JsonLinesTransport(readable, writable, options);
}

/**
 * A transport over this process's stdin and stdout.
 * Node writes to a stdout pipe synchronously, so a client that stops reading would stop the whole process: pipes and
 * sockets are therefore opened again as asynchronous sockets.
 */
export function stdioTransport(options: JsonLinesOptions = {}): Transport {
  const kind = fstatSync(1);
  // Node's module loader looks at the result of the last synchronous stat: after that of a pipe it no longer follows
  // the links that package managers make, and packages imported later do not find their dependencies.
  statSync("/");
  const output =
    kind.isFIFO() || kind.isSocket() ? new Socket({ fd: 1, readable: false, writable: true }) : process.stdout;
  return jsonLinesTransport(process.stdin, output, options);
}
