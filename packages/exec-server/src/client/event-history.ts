/** The published events of one process, the newest output within a bound, for subscribers that come late. */
import type { HostProcessEvent } from "@turnkit/protocol/exec";
import { RETAINED_BYTES, RETAINED_CHUNKS } from "../process/output-log.js";

export class EventHistory {
  #events: HostProcessEvent[] = [];
  #bytes = 0;
  #outputs = 0;

  /** true: the last event says that the process was lost. */
  get failed(): boolean {
    return this.#events.at(-1)?.type === "failed";
  }

  add(event: HostProcessEvent): void {
    this.#events.push(event);
    if (event.type !== "output") return;
    this.#bytes += event.bytes.byteLength;
    this.#outputs++;
    if (this.#bytes > RETAINED_BYTES * 1.25 || this.#outputs > RETAINED_CHUNKS * 1.25) this.#trim();
  }

  *[Symbol.iterator](): Generator<HostProcessEvent> {
    this.#trim();
    yield* [...this.#events];
  }

  /** Drops old output in batches, so that a flood does not move the array for every chunk. */
  #trim(): void {
    if (this.#bytes <= RETAINED_BYTES && this.#outputs <= RETAINED_CHUNKS) return;
    this.#events = this.#events.filter((event) => {
      if (event.type !== "output") return true;
      if (this.#bytes <= RETAINED_BYTES && this.#outputs <= RETAINED_CHUNKS) return true;
      this.#bytes -= event.bytes.byteLength;
      this.#outputs--;
      return false;
    });
  }
}
