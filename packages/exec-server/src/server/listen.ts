/**
 * Where a server can be reached: WebSocket on TCP or on a Unix socket, and this process's stdio.
 * Owns the HTTP answers beside the WebSocket and the bearer check.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { stdioTransport } from "@turnkit/rpc/stdio";
import { listenUnixSocket } from "@turnkit/rpc/unix-socket";
import { type HttpRefusal, type ListeningServer, listenWebSocket } from "@turnkit/rpc/websocket";
import type { TokenCheck } from "./auth-token.js";
import type { ExecServer } from "./exec-server.js";
import type { Listen } from "./options.js";

const PING_INTERVAL_MS = 30_000;
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

export interface Listener {
  /** What a client connects to; undefined for stdio. */
  readonly url: string | undefined;
  /** Resolves when the only client of a stdio server is gone. Never for the others. */
  readonly finished: Promise<void>;
  close(): Promise<void>;
}

/** Rejects with the operating system's error when the address cannot be used. */
export async function listen(server: ExecServer, where: Listen, token: TokenCheck | undefined): Promise<Listener> {
  if (where.kind === "stdio") return listenStdio(server);
  const options = {
    binary: "accept",
    maxMessageBytes: MAX_MESSAGE_BYTES,
    pingIntervalMs: PING_INTERVAL_MS,
    authorize: (request: IncomingMessage) => refuse(request, token),
    onHttp: answer,
    onConnection: (transport: Parameters<ExecServer["accept"]>[0] & { remoteAddress: string }) =>
      server.accept(transport, `websocket JSON-RPC message from exec-server websocket ${transport.remoteAddress}`),
  } as const;
  let listening: ListeningServer;
  let url: string;
  if (where.kind === "unix") {
    listening = await listenUnixSocket(where.path, options);
    url = `unix://${where.path}`;
  } else {
    listening = await listenWebSocket({ ...options, host: where.host, port: where.port });
    url = `ws://${where.host.includes(":") ? `[${where.host}]` : where.host}:${listening.port}`;
  }
  return { url, finished: new Promise(() => {}), close: () => listening.close() };
}

function listenStdio(server: ExecServer): Listener {
  const transport = stdioTransport();
  const finished = new Promise<void>((resolve) => {
    server.accept(transport, "JSON-RPC message from exec-server stdio", resolve);
  });
  return { url: undefined, finished, close: () => transport.close() };
}

function path(request: IncomingMessage): string {
  return (request.url ?? "/").replace(/\?.*$/s, "");
}

function refuse(request: IncomingMessage, token: TokenCheck | undefined): HttpRefusal | undefined {
  if (path(request) !== "/") return { status: 404 };
  if (request.method !== "GET") return { status: 405, body: "Request method must be `GET`" };
  if (request.headers["sec-websocket-key"] === undefined) {
    return { status: 400, body: "`Sec-WebSocket-Key` header missing" };
  }
  if (request.headers["sec-websocket-version"] !== "13") {
    return { status: 400, body: "`Sec-WebSocket-Version` header did not include '13'" };
  }
  if (token && !token(request.headers.authorization)) {
    return { status: 401, body: "a bearer token is required", headers: { "www-authenticate": "Bearer" } };
  }
  return undefined;
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const reply = (status: number, body = "", headers: Record<string, string> = {}) => {
    const type = body === "" ? {} : { "content-type": "text/plain; charset=utf-8" };
    response.writeHead(status, { ...type, ...headers, "content-length": String(Buffer.byteLength(body)) }).end(body);
  };
  if (path(request) === "/readyz") {
    if (request.method === "GET" || request.method === "HEAD") reply(200);
    else reply(405, "", { allow: "GET,HEAD" });
  } else if (path(request) !== "/") reply(404);
  else if (request.method !== "GET") reply(405, "Request method must be `GET`");
  else reply(400, "Connection header did not include 'upgrade'");
}
