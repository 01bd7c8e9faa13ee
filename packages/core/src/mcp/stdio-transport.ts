/**
 * Carries MCP messages to and from a process: one JSON text per line. Owns the process from start to end; the host of
 * processes gives it a group of its own, so that nothing of it outlives the session.
 */
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type JSONRPCMessage, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
import type { HostProcess, HostStartRequest, ProcessHost } from "@turnkit/protocol/exec";

/** A server that is told to end gets this long before it is ended. */
const GRACE_MS = 400;
/** A line that is longer is no message. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

export interface StdioTransportOptions {
  readonly host: ProcessHost;
  readonly start: Omit<HostStartRequest, "tty" | "pipeStdin">;
  /** What the server writes beside its messages, line by line. */
  readonly log: (line: string) => void;
}

export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <Message extends JSONRPCMessage>(message: Message) => void;
  #process: HostProcess | undefined;
  #closed = false;
  #ended: () => void = () => {};
  readonly #end = new Promise<void>((resolve) => {
    this.#ended = resolve;
  });
  /** One message after the other: the library looks at notifications a step later than at what comes behind them. */
  #handled: Promise<void> = Promise.resolve();
  readonly #out = new Lines((line) => this.#inOrder(() => this.#receive(line)));
  readonly #err: Lines;

  constructor(private readonly options: StdioTransportOptions) {
    this.#err = new Lines(options.log);
  }

  /** @throws {Error} with the operating system's words */
  async start(): Promise<void> {
    const { host, start } = this.options;
    const process = await host.start({ ...start, tty: false, pipeStdin: true });
    this.#process = process;
    if (this.#closed) await process.terminate();
    process.subscribe((event) => {
      if (event.type === "output") (event.stream === "stderr" ? this.#err : this.#out).add(event.bytes);
      else this.#inOrder(() => this.#finish());
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed || !this.#process) throw new Error("the server has ended");
    const status = await this.#process.write(Buffer.from(`${JSON.stringify(message)}\n`, "utf8"));
    if (status !== "accepted") throw new Error("the server has ended");
  }

  /** Asks the process to end, then ends it with everything it has started. */
  async close(): Promise<void> {
    const wasClosed = this.#closed;
    this.#closed = true;
    const process = this.#process;
    if (process && !wasClosed) {
      await process.interrupt().catch(() => {});
      await Promise.race([this.#end, new Promise((resolve) => setTimeout(resolve, GRACE_MS).unref())]);
    }
    await process?.terminate().catch(() => false);
    this.onclose?.();
  }

  #inOrder(step: () => void): void {
    this.#handled = this.#handled.then(step);
  }

  #receive(line: string): void {
    if (line.trim() === "" || this.#closed) return;
    try {
      this.onmessage?.(JSONRPCMessageSchema.parse(JSON.parse(line)));
    } catch (error) {
      this.onerror?.(new Error(`the server wrote a line that is no message: ${line.slice(0, 200)}`, { cause: error }));
    }
  }

  #finish(): void {
    this.#ended();
    if (this.#closed) return;
    this.#closed = true;
    // Its helpers may still be there.
    void this.#process?.terminate().catch(() => false);
    this.onclose?.();
  }
}

/** Splits a stream at line feeds and at nothing else. */
class Lines {
  #rest: Uint8Array[] = [];
  #length = 0;

  constructor(private readonly onLine: (line: string) => void) {}

  add(bytes: Uint8Array): void {
    let from = 0;
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
      const line = Buffer.concat([...this.#rest, bytes.subarray(from, at)]).toString("utf8");
      this.#rest = [];
      this.#length = 0;
      from = at + 1;
      this.onLine(line.endsWith("\r") ? line.slice(0, -1) : line);
    }
    if (from === bytes.length) return;
    this.#length += bytes.length - from;
    if (this.#length > MAX_LINE_BYTES) {
      this.#rest = [];
      this.#length = 0;
      return;
    }
    this.#rest.push(Uint8Array.from(bytes.subarray(from)));
  }
}
