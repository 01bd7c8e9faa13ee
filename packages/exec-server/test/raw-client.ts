/** Speaks to a server message by message, for tests that look at the wire itself. */
import type { Transport } from "@turnkit/rpc";
import { connectWebSocket } from "@turnkit/rpc/websocket";

export interface RawMessage {
  readonly id?: number | string;
  readonly method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the wire brings is looked at by the test
  readonly params?: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly result?: any;
  readonly error?: { code: number; message: string };
}

export class RawClient implements AsyncDisposable {
  readonly transport: Transport;
  readonly messages: RawMessage[] = [];
  closed: string | undefined;
  sessionId = "";
  #nextId = 1;
  /** Replies by their number, apart from the other waiters: thousands may be outstanding. */
  readonly #replies = new Map<number, (message: RawMessage | undefined) => void>();
  #waiters: { test: (message: RawMessage) => boolean; resolve: (message: RawMessage | undefined) => void }[] = [];

  private constructor(transport: Transport) {
    this.transport = transport;
    transport.onClose(({ reason }) => {
      this.closed = reason;
      for (const { resolve } of this.#waiters.splice(0)) resolve(undefined);
      for (const resolve of this.#replies.values()) resolve(undefined);
      this.#replies.clear();
    });
    transport.onMessage((text) => {
      const message = JSON.parse(text) as RawMessage;
      this.messages.push(message);
      if (typeof message.id === "number") {
        this.#replies.get(message.id)?.(message);
        this.#replies.delete(message.id);
      }
      this.#waiters = this.#waiters.filter(({ test, resolve }) => !test(message) || resolve(message));
    });
  }

  static async connect(url: string, headers: Record<string, string> = {}): Promise<RawClient> {
    return new RawClient(await connectWebSocket(url, { headers }));
  }

  /** With the handshake done. */
  static async ready(url: string, resumeSessionId?: string): Promise<RawClient> {
    const client = await RawClient.connect(url);
    const { result, error } = await client.request("initialize", {
      clientName: "test",
      resumeSessionId: resumeSessionId ?? null,
    });
    if (error) throw new Error(error.message);
    client.sessionId = result.sessionId;
    client.send({ method: "initialized" });
    return client;
  }

  send(message: object | string): void {
    this.transport.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  /** The reply; rejects when the connection ends first. */
  async request(method: string, params?: unknown): Promise<RawMessage> {
    const id = this.#nextId++;
    if (this.closed !== undefined) throw new Error(`closed: ${this.closed}`);
    const reply = new Promise<RawMessage | undefined>((resolve) => this.#replies.set(id, resolve));
    this.send({ id, method, params });
    const message = await reply;
    if (!message) throw new Error(`closed: ${this.closed}`);
    return message;
  }

  /** The first such message, received or to come; undefined when the connection ends first. */
  waitFor(test: (message: RawMessage) => boolean): Promise<RawMessage | undefined> {
    const found = this.messages.find(test);
    if (found) return Promise.resolve(found);
    if (this.closed !== undefined) return Promise.resolve(undefined);
    return new Promise((resolve) => this.#waiters.push({ test, resolve }));
  }

  whenClosed(): Promise<string> {
    return this.waitFor(() => false).then(() => this.closed as string);
  }

  waitForEvent(method: string, processId: string): Promise<RawMessage | undefined> {
    return this.waitFor((message) => message.method === method && message.params.processId === processId);
  }

  output(processId: string): string {
    const chunks = this.messages
      .filter(({ method, params }) => method === "process/output" && params.processId === processId)
      .map(({ params }) => Buffer.from(params.chunk, "base64"));
    return Buffer.concat(chunks).toString();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.transport.close();
  }
}

/** Params of a start. */
export function starting(processId: string, argv: readonly string[] | string, more: object = {}) {
  const words = typeof argv === "string" ? ["/bin/sh", "-c", argv] : argv;
  return { processId, argv: words, cwd: "file:///tmp", env: { PATH: "/usr/bin:/bin" }, tty: false, ...more };
}
