/**
 * A WebSocket client that may break every rule: it writes frames byte by byte, stops reading, and goes away in any way a
 * socket can. Text frames of the server are read as JSON.
 */
import { connect, type Socket } from "node:net";

// biome-ignore lint/suspicious/noExplicitAny: messages of any method
export type Message = any;

/** How a connection may end: with an end or a reset of the stream, within a frame, or by going silent. */
export type Cut = "end" | "reset" | "destroy" | "withinFrame";

const TEXT = 1;
const handshake = (path: string, headers: Readonly<Record<string, string>>) =>
  [
    `GET ${path} HTTP/1.1`,
    "Host: 127.0.0.1",
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "\r\n",
  ].join("\r\n");

/** A whole frame as a client sends it; the mask is zero, which is as good as any. */
export function frame(payload: string | Uint8Array, opcode = TEXT): Buffer {
  const bytes = Buffer.from(payload as string);
  const head = Buffer.alloc(bytes.length < 126 ? 2 : bytes.length < 65_536 ? 4 : 10);
  head[0] = 0x80 | opcode;
  head[1] = 0x80 | (bytes.length < 126 ? bytes.length : bytes.length < 65_536 ? 126 : 127);
  if (head.length === 4) head.writeUInt16BE(bytes.length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(bytes.length), 2);
  return Buffer.concat([head, Buffer.alloc(4), bytes]);
}

function endpointOf(address: string): { path: string } | { host: string; port: number } {
  if (address.startsWith("unix://")) return { path: address.slice("unix://".length) };
  const { hostname, port } = new URL(address.replace("ws:", "http:"));
  return { host: hostname, port: Number(port) };
}

export class RawWebSocket {
  readonly seen: Message[] = [];
  /** Resolves when the socket is over, for whatever reason. */
  readonly closed: Promise<void>;
  /** Close code that the server sent. */
  closeCode: number | null = null;
  over = false;
  onMessage: (message: Message) => void = () => {};
  readonly #waiting = new Set<() => void>();
  #bytes: Buffer = Buffer.alloc(0);
  #nextId = 1;

  private constructor(readonly socket: Socket) {
    this.closed = new Promise((resolve) => {
      socket.once("close", () => {
        this.over = true;
        this.#wake();
        resolve();
      });
    });
    socket.on("error", () => {});
  }

  /** `ws://host:port` or `unix://path`. @throws {Error} with the reply when it is not 101 */
  static async open(
    address: string,
    options: { readonly headers?: Readonly<Record<string, string>>; readonly path?: string } = {},
  ): Promise<RawWebSocket> {
    const socket = connect({ ...endpointOf(address), allowHalfOpen: true });
    const client = new RawWebSocket(socket);
    let reply = Buffer.alloc(0);
    socket.write(handshake(options.path ?? "/", options.headers ?? {}));
    await new Promise<void>((resolve, reject) => {
      const fail = () => reject(new Error(reply.toString("latin1") || "the connection ended"));
      const onData = (chunk: Buffer) => {
        reply = Buffer.concat([reply, chunk]);
        const end = reply.indexOf("\r\n\r\n");
        if (end < 0) return;
        if (!reply.toString("latin1").startsWith("HTTP/1.1 101")) return;
        socket.off("data", onData);
        socket.off("close", fail);
        socket.off("end", fail);
        socket.on("data", (more: Buffer) => client.#read(more));
        client.#read(reply.subarray(end + 4));
        resolve();
      };
      socket.on("data", onData);
      socket.once("close", fail);
      socket.once("end", fail);
    });
    // The server has ended its side: nothing more can come.
    socket.on("end", () => socket.end());
    return client;
  }

  get unsent(): number {
    return this.socket.writableLength;
  }

  send(message: Message): void {
    this.write(frame(JSON.stringify(message)));
  }

  write(bytes: Uint8Array): void {
    if (!this.over && this.socket.writable) this.socket.write(bytes);
  }

  /** The reply, or undefined when the connection ended before it. */
  async request(method: string, params: unknown): Promise<Message> {
    const id = `raw-${this.#nextId++}`;
    this.send({ id, method, params });
    return this.until((message) => message.id === id && message.method === undefined);
  }

  hello(): Promise<Message> {
    return this.request("initialize", {
      clientInfo: { name: "raw", version: "1" },
      capabilities: { experimentalApi: true },
    });
  }

  /** The first message, seen or to come, that is accepted; undefined when the connection ended before. */
  async until(accepts: (message: Message) => boolean): Promise<Message> {
    for (let at = 0; ; ) {
      for (; at < this.seen.length; at += 1) if (accepts(this.seen[at])) return this.seen[at];
      if (this.over) return undefined;
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  /** Ends the connection without a close frame. `last` is what `withinFrame` breaks off. */
  cut(how: Cut, last: Message): void {
    if (how === "withinFrame") {
      const whole = frame(JSON.stringify(last));
      this.write(whole.subarray(0, Math.max(1, Math.floor(whole.length / 2))));
      this.socket.destroySoon();
    } else if (how === "end") this.socket.end();
    else if (how === "reset") this.socket.resetAndDestroy();
    else this.socket.destroy();
  }

  #read(chunk: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    for (;;) {
      const bytes = this.#bytes;
      if (bytes.length < 2) return;
      const short = (bytes[1] as number) & 0x7f;
      const head = short < 126 ? 2 : short === 126 ? 4 : 10;
      if (bytes.length < head) return;
      const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
      if (bytes.length < head + length) return;
      const payload = bytes.subarray(head, head + length);
      this.#bytes = bytes.subarray(head + length);
      const opcode = (bytes[0] as number) & 0x0f;
      if (opcode === TEXT) this.#take(JSON.parse(payload.toString("utf8")));
      else if (opcode === 8) this.closeCode = length >= 2 ? payload.readUInt16BE(0) : 1005;
    }
  }

  #take(message: Message): void {
    this.seen.push(message);
    this.onMessage(message);
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}
