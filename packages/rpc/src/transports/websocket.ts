/**
 * WebSocket transports, server and client. One JSON text per message; no compression; no Nagle delay.
 * The server refuses every request that carries an Origin header it was not told to accept: a web page must not be able
 * to drive a local server.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { WebSocket, WebSocketServer } from "ws";
import { type CloseInfo, decodeUtf8, Inbox, LOW_WATER_BYTES, type Transport } from "../transport.js";

/** How long a close waits for the other side's close frame before the socket is destroyed. */
const CLOSE_GRACE_MS = 2_000;
/** How long a connection may be silent before the operating system asks whether its client is still there. */
const KEEP_ALIVE_MS = 60_000;
const DEFAULT_MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

export interface WebSocketTransport extends Transport {
  readonly remoteAddress: string;
}

interface WsTransportOptions {
  readonly binary: BinaryFrames;
  readonly pingIntervalMs?: number;
  /** The byte stream below, where it is known: messages of one tick then leave in one write. */
  readonly stream?: Duplex;
}

class WsTransport implements WebSocketTransport {
  readonly #socket: WebSocket;
  readonly #inbox = new Inbox();
  readonly #ping: NodeJS.Timeout | undefined;
  readonly #stream: Duplex | undefined;
  #corked = false;
  readonly remoteAddress: string;
  #waiters: (() => void)[] = [];
  #closing: Promise<void> | undefined;
  #error: Error | undefined;

  constructor(socket: WebSocket, remoteAddress: string, options: WsTransportOptions) {
    this.#socket = socket;
    this.#stream = options.stream;
    this.remoteAddress = remoteAddress;
    socket.on("message", (data: Buffer | ArrayBuffer | Buffer[], isBinary) => {
      if (isBinary && options.binary === "refuse") {
        this.#inbox.garbage("binary frame");
        return;
      }
      const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer);
      const text = decodeUtf8(bytes);
      if (text !== undefined) this.#inbox.deliver(text);
      // Bytes may be anything: they are a message that cannot be parsed. Text must be text.
      else if (isBinary) this.#inbox.deliver(`\ufffd${bytes.toString("utf8")}`);
      else this.#inbox.garbage("message is not valid UTF-8");
    });
    socket.on("error", (error) => {
      this.#error = error;
    });
    socket.on("close", (code, reason) => {
      clearInterval(this.#ping);
      const words = this.#error?.message ?? (reason.toString() || `connection closed (${code})`);
      const info: CloseInfo = { reason: words, code };
      this.#inbox.end(this.#error ? { ...info, error: this.#error } : info);
      this.#wake();
    });
    if (options.pingIntervalMs) {
      this.#ping = setInterval(() => socket.ping(), options.pingIntervalMs);
      this.#ping.unref();
    }
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedAmount;
  }

  send(message: string | Uint8Array): void {
    if (this.#socket.readyState !== WebSocket.OPEN || this.#closing) return;
    this.#cork();
    this.#socket.send(message, { binary: false }, () => this.#wake());
  }

  #cork(): void {
    const stream = this.#stream;
    if (this.#corked || !stream) return;
    this.#corked = true;
    stream.cork();
    process.nextTick(() => {
      this.#corked = false;
      stream.uncork();
    });
  }

  drained(): Promise<void> {
    if (this.#inbox.closed || this.bufferedBytes < LOW_WATER_BYTES) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  close(code = 1000, reason = ""): Promise<void> {
    this.#closing ??= new Promise((resolve) => {
      if (this.#socket.readyState === WebSocket.CLOSED) {
        resolve();
        return;
      }
      const force = setTimeout(() => this.#socket.terminate(), CLOSE_GRACE_MS);
      this.#socket.once("close", () => {
        clearTimeout(force);
        resolve();
      });
      this.#socket.resume();
      // A close frame carries at most 123 bytes of reason.
      this.#socket.close(code, Buffer.from(reason).subarray(0, 123));
    });
    return this.#closing;
  }

  pause(): void {
    this.#inbox.pause();
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.pause();
  }

  resume(): void {
    this.#inbox.resume();
    if (!this.#inbox.paused && this.#socket.readyState === WebSocket.OPEN) this.#socket.resume();
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

  #wake(): void {
    if (!this.#inbox.closed && this.bufferedBytes >= LOW_WATER_BYTES) return;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const wake of waiters) wake();
  }
}

/** What a server does with binary frames: read them as text, or report them as garbage. */
export type BinaryFrames = "accept" | "refuse";

export interface HttpRefusal {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface WebSocketServerOptions {
  /** TCP: a literal address and a port, 0 for any free one. */
  readonly host?: string;
  readonly port?: number;
  /** Or a Unix socket path. */
  readonly socketPath?: string;
  readonly binary: BinaryFrames;
  readonly maxMessageBytes?: number;
  readonly pingIntervalMs?: number;
  /** Origins that may connect, compared as strings; every other Origin header gives 403. Default none. */
  readonly allowedOrigins?: readonly string[];
  /** Decides on an upgrade after the Origin check: undefined lets it pass. */
  readonly authorize?: (request: IncomingMessage) => HttpRefusal | undefined;
  /** Answers plain HTTP requests after the Origin check. */
  readonly onHttp: (request: IncomingMessage, response: ServerResponse) => void;
  readonly onConnection: (transport: WebSocketTransport, request: IncomingMessage) => void;
}

export interface ListeningServer extends AsyncDisposable {
  /** The bound port; 0 for a Unix socket. */
  readonly port: number;
  /** Stops listening and closes every connection with this code and reason. */
  close(code?: number, reason?: string): Promise<void>;
}

function originRefused(request: IncomingMessage, allowed: readonly string[]): boolean {
  const { origin } = request.headers;
  return origin !== undefined && !allowed.includes(origin);
}

function refuseUpgrade(socket: Duplex, refusal: HttpRefusal): void {
  const body = refusal.body ?? "";
  const headers: Record<string, string> = {
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
    ...refusal.headers,
  };
  if (body) headers["content-type"] ??= "text/plain; charset=utf-8";
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.once("finish", () => socket.destroy());
  socket.end(`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ""}\r\n${lines.join("")}\r\n${body}`);
}

/** Listens; rejects with the operating system's error when the address cannot be bound. */
export async function listenWebSocket(options: WebSocketServerOptions): Promise<ListeningServer> {
  const allowed = options.allowedOrigins ?? [];
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: options.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES,
    skipUTF8Validation: true,
    clientTracking: false,
  });
  const open = new Set<WsTransport>();
  const server: Server = createServer((request, response) => {
    if (originRefused(request, allowed)) response.writeHead(403, { "content-length": "0" }).end();
    else options.onHttp(request, response);
  });
  server.on("connection", (socket: Socket) => {
    socket.setNoDelay(true);
    // A client whose network went away without a word is found, also while nothing is sent to it.
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
  });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    const refusal = originRefused(request, allowed) ? { status: 403 } : options.authorize?.(request);
    if (refusal) {
      refuseUpgrade(socket, refusal);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const { remoteAddress = "unix", remotePort } = socket as Socket;
      const address = remotePort === undefined ? remoteAddress : `${remoteAddress}:${remotePort}`;
      const transport = new WsTransport(webSocket, address, { ...options, stream: socket });
      open.add(transport);
      webSocket.once("close", () => open.delete(transport));
      options.onConnection(transport, request);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    const ready = () => {
      server.off("error", reject);
      resolve();
    };
    if (options.socketPath !== undefined) server.listen(options.socketPath, ready);
    else server.listen(options.port ?? 0, options.host ?? "127.0.0.1", ready);
  });
  const address = server.address();
  const close = async (code = 1001, reason = "server is shutting down") => {
    const stopped = new Promise<void>((resolve) => server.close(() => resolve()));
    await Promise.all([...open].map((transport) => transport.close(code, reason)));
    server.closeAllConnections();
    await stopped;
  };
  return {
    port: typeof address === "object" && address ? (address as AddressInfo).port : 0,
    close,
    [Symbol.asyncDispose]: () => close(),
  };
}

export interface WebSocketConnectOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Connect and upgrade within this time, in milliseconds (default 10,000). */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly maxMessageBytes?: number;
}

/**
 * Connects to `ws://…`, `wss://…` or `ws+unix:///path/to.sock:/`.
 * @throws {Error} the server could not be reached or refused; `cause` holds the HTTP status where there was one
 */
export function connectWebSocket(url: string, options: WebSocketConnectOptions = {}): Promise<WebSocketTransport> {
  const { signal, timeoutMs = 10_000 } = options;
  if (signal?.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, {
      perMessageDeflate: false,
      handshakeTimeout: timeoutMs,
      maxPayload: options.maxMessageBytes ?? 0,
      skipUTF8Validation: true,
      headers: { ...options.headers },
    });
    const abort = () => socket.terminate();
    signal?.addEventListener("abort", abort, { once: true });
    const fail = (error: Error) => {
      signal?.removeEventListener("abort", abort);
      reject(signal?.aborted ? signal.reason : error);
    };
    socket.once("error", fail);
    socket.once("unexpected-response", (_request, response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const words = Buffer.concat(chunks).toString("utf8").trim();
        fail(
          new Error(`${url} answered HTTP ${response.statusCode}${words ? `: ${words}` : ""}`, {
            cause: response.statusCode,
          }),
        );
        socket.terminate();
      });
    });
    socket.once("upgrade", (response) => response.socket.setNoDelay?.(true));
    // Built before the event loop turns: a message right behind the upgrade must find its listener.
    const transport = new WsTransport(socket, url, { binary: "accept" });
    socket.once("open", () => {
      signal?.removeEventListener("abort", abort);
      socket.off("error", fail);
      resolve(transport);
    });
  });
}
