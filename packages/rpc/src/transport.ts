/**
 * A transport moves whole JSON texts between two ends, in order. It knows nothing of ids or methods.
 */

export interface CloseInfo {
  /** Words for a log or an error message; never parsed. */
  readonly reason: string;
  /** WebSocket close code, where there was one. */
  readonly code?: number;
  readonly error?: Error;
}

export interface Transport {
  /** Queues one message. Bytes must be the UTF-8 of one JSON text without line breaks. Nothing happens after a close. */
  send(message: string | Uint8Array): void;
  /** Bytes accepted by `send` that the operating system has not taken yet. */
  readonly bufferedBytes: number;
  /** Resolves when `bufferedBytes` has fallen below the transport's low-water mark, or on close. */
  drained(): Promise<void>;
  /** Sends what is queued, then ends the connection; resolves when it is over. Idempotent. */
  close(code?: number, reason?: string): Promise<void>;
  /** Stops and restarts delivery, so that a slow consumer pushes back on the sender. */
  pause(): void;
  resume(): void;
  /** One listener each; messages that came before the listener was set are kept for it. */
  onMessage(listener: (text: string) => void): void;
  /** Bytes that are no message at all (invalid UTF-8, a line over the limit); the connection lives on. */
  onGarbage(listener: (problem: string) => void): void;
  onClose(listener: (info: CloseInfo) => void): void;
}

/** Below this many queued bytes `drained()` resolves. */
export const LOW_WATER_BYTES = 64 * 1024;

/** The listener side that every transport shares: keeps what arrives before someone listens, closes once. */
export class Inbox {
  #message: ((text: string) => void) | undefined;
  #garbage: ((problem: string) => void) | undefined;
  #close: ((info: CloseInfo) => void) | undefined;
  #early: string[] = [];
  #paused = false;
  #closed: CloseInfo | undefined;
  readonly #onEmpty: (() => void)[] = [];

  get closed(): boolean {
    return this.#closed !== undefined;
  }

  get paused(): boolean {
    return this.#paused;
  }

  deliver(text: string): void {
    if (this.#message && !this.#paused && this.#early.length === 0) this.#message(text);
    else this.#early.push(text);
  }

  garbage(problem: string): void {
    this.#garbage?.(problem);
  }

  /** What arrived before the close is delivered before it, also when the reader is paused. */
  end(info: CloseInfo): void {
    if (this.#closed) return;
    this.#closed = info;
    this.#paused = false;
    this.#flush();
    this.#close?.(info);
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#flush();
  }

  /** Resolves when everything that arrived was delivered. */
  delivered(): Promise<void> {
    if (!this.#paused && this.#early.length === 0) return Promise.resolve();
    return new Promise((resolve) => this.#onEmpty.push(resolve));
  }

  onMessage(listener: (text: string) => void): void {
    this.#message = listener;
    this.#flush();
  }

  onGarbage(listener: (problem: string) => void): void {
    this.#garbage = listener;
  }

  onClose(listener: (info: CloseInfo) => void): void {
    this.#close = listener;
    if (this.#closed) listener(this.#closed);
  }

  #flush(): void {
    while (this.#message && !this.#paused && this.#early.length > 0) this.#message(this.#early.shift() as string);
    if (this.#paused || this.#early.length > 0) return;
    for (const resolve of this.#onEmpty.splice(0)) resolve();
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of UTF-8 bytes, or undefined when they are not UTF-8. A byte order mark is kept. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
