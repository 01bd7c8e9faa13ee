/**
 * What a process said and how it ended, under one sequence.
 * Owns numbering and retention: the newest output within two bounds, and both endings for ever.
 */
import type { HostProcessEvent, HostStream } from "@turnkit/protocol/exec";

export type OutputEvent = Extract<HostProcessEvent, { type: "output" }>;
export type ExitedEvent = Extract<HostProcessEvent, { type: "exited" }>;
export type ClosedEvent = Extract<HostProcessEvent, { type: "closed" }>;

export const RETAINED_BYTES = 1 << 20;
export const RETAINED_CHUNKS = 50_000;

export class OutputLog {
  #chunks: OutputEvent[] = [];
  /** Index of the oldest chunk that is still retained: dropping moves it, the array is cut now and then. */
  #first = 0;
  #bytes = 0;
  #next = 1;
  #exited: ExitedEvent | undefined;
  #closed: ClosedEvent | undefined;

  /** The sequence number the next event will get. The first is 1. */
  get nextSeq(): number {
    return this.#next;
  }

  get exited(): ExitedEvent | undefined {
    return this.#exited;
  }

  get closed(): ClosedEvent | undefined {
    return this.#closed;
  }

  output(stream: HostStream, bytes: Uint8Array): OutputEvent {
    const event: OutputEvent = { type: "output", seq: this.#next++, stream, bytes };
    this.#chunks.push(event);
    this.#bytes += bytes.byteLength;
    while (this.#bytes > RETAINED_BYTES || this.#chunks.length - this.#first > RETAINED_CHUNKS) {
      this.#bytes -= (this.#chunks[this.#first] as OutputEvent).bytes.byteLength;
      this.#chunks[this.#first++] = undefined as unknown as OutputEvent;
    }
    if (this.#first > 1024 && this.#first * 2 > this.#chunks.length) {
      this.#chunks = this.#chunks.slice(this.#first);
      this.#first = 0;
    }
    return event;
  }

  exit(exitCode: number, sandboxDenied: boolean): ExitedEvent {
    this.#exited = { type: "exited", seq: this.#next++, exitCode, sandboxDenied };
    return this.#exited;
  }

  close(): ClosedEvent {
    // Nothing is added any more: an array that has grown by pushing has room for much more than it holds.
    this.#chunks = this.#chunks.slice(this.#first);
    this.#first = 0;
    this.#closed = { type: "closed", seq: this.#next++ };
    return this.#closed;
  }

  /** Retained output with a sequence number above `afterSeq`, oldest first. */
  *after(afterSeq: number): Generator<OutputEvent> {
    for (let index = this.#indexAfter(afterSeq); index < this.#chunks.length; index++) {
      yield this.#chunks[index] as OutputEvent;
    }
  }

  /** Everything retained, endings included, in order. */
  events(): HostProcessEvent[] {
    const events: HostProcessEvent[] = [...this.after(0)];
    if (this.#exited) {
      const exitSeq = this.#exited.seq;
      const at = events.findIndex((event) => event.type === "output" && event.seq > exitSeq);
      events.splice(at < 0 ? events.length : at, 0, this.#exited);
    }
    if (this.#closed) events.push(this.#closed);
    return events;
  }

  #indexAfter(afterSeq: number): number {
    let low = this.#first;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#chunks[middle] as OutputEvent).seq > afterSeq) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
