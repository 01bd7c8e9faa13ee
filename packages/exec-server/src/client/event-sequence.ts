/**
 * Brings the events of one process into order: each exactly once, without gaps.
 * Owns the buffer for what comes too early and what is missing after a lost connection; knows no connection.
 */
import type { HostProcessEvent, ProcessReadResponse } from "@turnkit/protocol/exec";
import { ReplayGapError } from "./errors.js";

export type SequencedEvent = Exclude<HostProcessEvent, { type: "failed" }>;

const MAX_EARLY_EVENTS = 256;
const MAX_EARLY_BYTES = 1 << 20;

export class EventSequence {
  readonly #publish: (event: SequencedEvent) => void;
  readonly #early = new Map<number, SequencedEvent>();
  #earlyBytes = 0;
  #published = 0;
  #exited = false;
  #closed = false;

  constructor(publish: (event: SequencedEvent) => void) {
    this.#publish = publish;
  }

  /** The highest number up to which everything was published. */
  get published(): number {
    return this.#published;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Duplicates are ignored. false: there is no room for an event that comes this early. */
  add(event: SequencedEvent): boolean {
    const { seq } = event;
    if (this.#closed || seq <= this.#published || this.#early.has(seq)) return true;
    if (seq !== this.#published + 1) {
      const size = sizeOf(event);
      if (this.#early.size >= MAX_EARLY_EVENTS || this.#earlyBytes + size > MAX_EARLY_BYTES) return false;
      this.#early.set(seq, event);
      this.#earlyBytes += size;
      return true;
    }
    this.#emit(event);
    for (let next = this.#take(); next; next = this.#take()) this.#emit(next);
    return true;
  }

  /**
   * Adds what a read after `published` brought. The endings are not part of it: where they must be follows from the
   * numbers that are missing.
   * @throws {ReplayGapError} output is missing that the server no longer has
   */
  addReplay(replay: ProcessReadResponse): void {
    const bySeq = new Map<number, SequencedEvent>();
    for (const { seq, stream, chunk } of replay.chunks) {
      bySeq.set(seq, { type: "output", seq, stream, bytes: Buffer.from(chunk, "base64") });
    }
    const last = replay.nextSeq - 1;
    const missing: number[] = [];
    for (let seq = this.#published + 1; seq <= last; seq++) {
      const known = bySeq.get(seq) ?? this.#early.get(seq);
      if (known) bySeq.set(seq, known);
      else if (missing.push(seq) > 2) break;
    }
    const early = [...this.#early.values()];
    const exitKnown = this.#exited || early.some((event) => event.type === "exited" && event.seq <= last);
    const closeKnown = early.some((event) => event.type === "closed" && event.seq <= last);
    if (replay.closed && !closeKnown && missing.at(-1) === last) {
      bySeq.set(last, { type: "closed", seq: last });
      missing.pop();
    }
    if (replay.exited && !exitKnown && missing.length === 1) {
      const seq = missing.pop() as number;
      const sandboxDenied = replay.sandboxDenied ?? false;
      bySeq.set(seq, { type: "exited", seq, exitCode: replay.exitCode ?? -1, sandboxDenied });
    }
    if (missing.length > 0) {
      throw new ReplayGapError(`process events are no longer retained while recovering through sequence ${last}`);
    }
    for (const seq of [...bySeq.keys()].sort((a, b) => a - b)) this.add(bySeq.get(seq) as SequencedEvent);
  }

  #take(): SequencedEvent | undefined {
    const event = this.#early.get(this.#published + 1);
    if (!event) return undefined;
    this.#early.delete(event.seq);
    this.#earlyBytes -= sizeOf(event);
    return event;
  }

  #emit(event: SequencedEvent): void {
    this.#early.delete(event.seq);
    this.#published = event.seq;
    if (event.type === "exited") this.#exited = true;
    if (event.type === "closed") this.#closed = true;
    this.#publish(event);
  }
}

function sizeOf(event: SequencedEvent): number {
  return event.type === "output" ? event.bytes.byteLength : 0;
}
