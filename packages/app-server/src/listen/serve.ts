/** Connects endpoints to the server: stdio, WebSocket over TCP or a Unix socket. Owns no protocol. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AppServer } from "../app-server.js";
import type { ListenOptions } from "./options.js";

export interface Serving {
  /** What the operator can connect to; null for stdio. */
  readonly address: string | null;
  /** Resolves when the endpoint has nothing more to serve (stdio: its input ended). */
  readonly ended: Promise<void>;
  /** Stops taking new connections. */
  close(): Promise<void>;
}

export async function serve(server: AppServer, options: ListenOptions): Promise<Serving> {
  const { endpoint } = options;
  const never = new Promise<void>(() => {});
  switch (endpoint.kind) {
    case "stdio": {
      const { stdioTransport } = await import("@turnkit/rpc/stdio");
      // The one client of a pipe is waited for, as long as it takes. What it asked before it closed its end is answered.
      const transport = stdioTransport({
        beforeEnd: ({ delivered, written }) =>
          atMost(
            LAST_REPLIES_MS,
            delivered()
              .then(() => connection.answered())
              .then(written),
          ),
      });
      const connection = server.accept(transport, { patient: true });
      return { address: null, ended: server.disconnected(), close: async () => {} };
    }
    case "off":
      return { address: null, ended: never, close: async () => {} };
    case "websocket": {
      const { listenWebSocket } = await import("@turnkit/rpc/websocket");
      const listening = await listenWebSocket({
        host: endpoint.host,
        port: endpoint.port,
        ...sockets(server, options),
      });
      const host = endpoint.host.includes(":") ? `[${endpoint.host}]` : endpoint.host;
      return { address: `ws://${host}:${listening.port}`, ended: never, close: () => listening.close() };
    }
    case "unix": {
      const { listenUnixSocket } = await import("@turnkit/rpc/unix-socket");
      const listening = await listenUnixSocket(endpoint.path, sockets(server, options));
      return { address: `unix://${endpoint.path}`, ended: never, close: () => listening.close() };
    }
  }
}

/** How long requests may take that a client sent just before it closed its end of the pipe. */
const LAST_REPLIES_MS = 2_000;

async function atMost(milliseconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}

function sockets(server: AppServer, { authorize, allowedOrigins }: ListenOptions) {
  return {
    binary: "refuse" as const,
    allowedOrigins,
    authorize: (request: IncomingMessage) => {
      const body = authorize?.(request.headers.authorization);
      return body === undefined ? undefined : { status: 401, body };
    },
    onHttp: answerHttp,
    onConnection: (transport: Parameters<AppServer["accept"]>[0]) => {
      server.accept(transport, { patient: false });
    },
  };
}

/** Liveness only: says that the server runs, to anyone, and nothing else. */
function answerHttp(request: IncomingMessage, response: ServerResponse): void {
  const path = (request.url ?? "").split("?")[0];
  const alive = path === "/readyz" || path === "/healthz";
  const answer = (status: number, body: string) => {
    response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(body);
  };
  if (request.method === "GET" || (alive && request.method === "HEAD")) {
    if (alive) answer(200, "");
    else answer(400, "Connection header did not include 'upgrade'");
  } else answer(405, alive ? "" : "Request method must be `GET`");
}
