import { type CloseInfo, Inbox, type Transport } from "../transport.js";

/** One end of a pair in one process. Delivery is asynchronous, so that a sender never runs its receiver's code. */
class InMemoryTransport implements Transport {
  readonly #inbox = new Inbox();
  #other: InMemoryTransport | undefined;
  readonly bufferedBytes = 0;

  join(other: InMemoryTransport): void {
    this.#other = other;
  }

  send(message: string | Uint8Array): void {
    if (this.#inbox.closed) return;
    const text = typeof message === "string" ? message : new TextDecoder().decode(message);
    const other = this.#other;
    queueMicrotask(() => other?.receive(text));
  }

  receive(text: string): void {
    if (!this.#inbox.closed) this.#inbox.deliver(text);
  }

  drained(): Promise<void> {
    return Promise.resolve();
  }

  async close(code?: number, reason = "closed"): Promise<void> {
    const info: CloseInfo = code === undefined ? { reason } : { reason, code };
    // After what was sent before: the same queue carries messages and the end.
    queueMicrotask(() => this.#other?.end(info));
    this.end(info);
  }

  end(info: CloseInfo): void {
    this.#inbox.end(info);
  }

  pause(): void {
    this.#inbox.pause();
  }

  resume(): void {
    this.#inbox.resume();
  }

  onMessage(listener: (text: string) => void): void {
    this.#inbox.onMessage(listener);
  }

  onGarbage(listener: (problem: string) => void): void {
    this.#inbox.onGarbage(listener);
  }

  onClose(listener: (info: CloseInfo) => void): void {
    this.#inbox.onClose(listener);
  }
}

/** Two joined transports in one process: what one sends, the other receives. */
export function createInMemoryPair(): [Transport, Transport] {
  const left = new InMemoryTransport();
  const right = new InMemoryTransport();
  left.join(right);
  right.join(left);
  return [left, right];
}
