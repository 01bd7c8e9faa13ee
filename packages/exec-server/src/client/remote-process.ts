/**
 * One process on a server, as its user sees it across lost connections.
 * Owns the order of its events, its history and its write ids; the connection belongs to the client.
 */
import { RpcErrorCode } from "@turnkit/protocol";
import type {
  HostProcess,
  HostProcessEvent,
  HostWriteStatus,
  ProcessReadResponse,
  ProcessTerminateResponse,
  ProcessWriteResponse,
} from "@turnkit/protocol/exec";
import { RpcError } from "@turnkit/rpc";
import { EventHistory } from "./event-history.js";
import { EventSequence, type SequencedEvent } from "./event-sequence.js";
import type { Link } from "./link.js";

/** How a call is carried: `retry` repeats it after a recovery, `cleanup` may use the place kept for that. */
export interface CallOptions {
  readonly retry?: boolean;
  readonly cleanup?: boolean;
}

export type Call = (method: string, params: unknown, options?: CallOptions) => Promise<unknown>;

export class RemoteProcess implements HostProcess {
  readonly processId: string;
  readonly #call: Call;
  readonly #canResize: () => boolean;
  readonly #ended: () => void;
  /** The server said that it runs: from here on a lost connection is made good. */
  acknowledged = false;
  readonly #history = new EventHistory();
  readonly #subscribers = new Set<(event: HostProcessEvent) => void>();
  readonly #sequence: EventSequence;
  #replaying = false;
  #overflowed = false;
  #final = false;
  #nextWriteId = 1;
  #writes: Promise<unknown> = Promise.resolve();

  constructor(processId: string, call: Call, canResize: () => boolean, ended: () => void) {
    this.processId = processId;
    this.#call = call;
    this.#canResize = canResize;
    this.#ended = ended;
    this.#sequence = new EventSequence((event) => this.#publish(event));
  }

  subscribe(listener: (event: HostProcessEvent) => void): () => void {
    for (const event of this.#history) listener(event);
    if (this.#final) return () => {};
    this.#subscribers.add(listener);
    return () => this.#subscribers.delete(listener);
  }

  /** One write at a time, so that a repeat after a recovery cannot overtake a later one. */
  write(bytes: Uint8Array): Promise<HostWriteStatus> {
    const writeId = String(this.#nextWriteId++);
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
    const written = this.#writes.then(() => this.#write(chunk, writeId));
    this.#writes = written.catch(() => {});
    return written;
  }

  async interrupt(): Promise<void> {
    if (!this.#final) await this.#call("process/signal", { processId: this.processId, signal: "interrupt" });
  }

  async terminate(): Promise<boolean> {
    if (this.#final) return false;
    const result = await this.#call("process/terminate", { processId: this.processId }, { cleanup: true });
    return (result as ProcessTerminateResponse).running;
  }

  async resize(rows: number, cols: number): Promise<boolean> {
    if (this.#final || !this.#canResize()) return false;
    const result = await this.#call("process/resize", { processId: this.processId, rows, cols });
    return (result as { resized: boolean }).resized;
  }

  /** An event as it came over the wire, in any order. */
  received(event: SequencedEvent): void {
    if (this.#final || this.#sequence.add(event)) return;
    if (this.#replaying) {
      // What does not fit now is read again.
      this.#overflowed = true;
      return;
    }
    void this.#call("process/terminate", { processId: this.processId }, { cleanup: true }).catch(() => {});
    this.fail("process event reorder buffer exceeds 256 events or 1048576 bytes");
  }

  /** The connection was lost: until `recover` is through, gaps are no error. */
  lost(): void {
    this.#replaying = true;
  }

  /** Fetches what was missed. A failure that is not the connection's ends this process and no other. */
  async recover(link: Link, signal: AbortSignal): Promise<void> {
    try {
      do {
        this.#overflowed = false;
        const params = { processId: this.processId, afterSeq: this.#sequence.published, maxBytes: null, waitMs: 0 };
        const replay = (await link.request("process/read", params, signal)) as ProcessReadResponse;
        if (!this.#final) this.#sequence.addReplay(replay);
      } while (this.#overflowed);
      this.#replaying = false;
    } catch (error) {
      if (!(error instanceof Error) || !isOwnFailure(error)) throw error;
      link.request("process/terminate", { processId: this.processId }).catch(() => {});
      this.fail(`failed to recover process ${this.processId}: ${error.message}`);
    }
  }

  /** Nothing more will be known of this process. */
  fail(message: string): void {
    if (!this.#final) this.#publish({ type: "failed", message });
  }

  async #write(chunk: string, writeId: string): Promise<HostWriteStatus> {
    if (this.#history.failed) return "unknownProcess";
    try {
      const params = { processId: this.processId, chunk, writeId };
      return ((await this.#call("process/write", params, { retry: true })) as ProcessWriteResponse).status;
    } catch (error) {
      // The process was terminated.
      if (error instanceof RpcError && error.code === RpcErrorCode.internalError) return "unknownProcess";
      throw error;
    }
  }

  #publish(event: HostProcessEvent): void {
    this.#history.add(event);
    const final = event.type === "closed" || event.type === "failed";
    this.#final ||= final;
    for (const listener of [...this.#subscribers]) listener(event);
    if (!final) return;
    this.#subscribers.clear();
    this.#ended();
  }
}

/** The server's refusal, or a gap: a new connection would not help. */
function isOwnFailure(error: Error): boolean {
  return error instanceof RpcError || error.name === "ReplayGapError" || error.name === "InvalidResultError";
}
