/**
 * A proxy on loopback that lets commands reach the network only after somebody said so. Each command gets an address
 * with a name of its own, so that a request is known to be its. Speaks HTTP (CONNECT, and requests with whole URLs) on
 * one port and SOCKS 5 on another. Owns the sockets; the decision is its user's.
 */
import { randomBytes } from "node:crypto";
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { connect, createServer as createSocketServer, type Socket, type Server as SocketServer } from "node:net";
import { pipeline } from "node:stream/promises";
import { serveSocks } from "./socks-tunnel.js";

export interface NetworkTarget {
  readonly protocol: "http" | "https" | "socks5Tcp";
  /** Lower case. */
  readonly host: string;
  readonly port: number;
}

/** Resolves with the reason when access is denied; undefined: it is allowed. */
export type DecideAccess = (target: NetworkTarget) => Promise<string | undefined>;

export class NetworkProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #users = new Map<string, DecideAccess>();
  readonly #sockets = new Set<Socket>();
  readonly #socks: SocketServer;
  #port = 0;
  #socksPort = 0;

  private constructor() {
    // What a command sends must not end this program: whatever cannot be served costs its own connection.
    this.#server = createServer((request, response) => {
      this.#forward(request, response).catch(() => response.destroy());
    });
    this.#server.on("connect", (request: IncomingMessage, client: Socket, head: Buffer) => {
      this.#tunnel(request, client, head).catch(() => client.destroy());
    });
    this.#server.on("connection", (socket) => this.#track(socket));
    this.#socks = createSocketServer((socket) => {
      this.#track(socket);
      serveSocks(socket, {
        decide: (name, host, port) => this.#users.get(name)?.({ protocol: "socks5Tcp", host, port }),
        opened: (onward) => this.#track(onward),
      }).catch(() => socket.destroy());
    });
  }

  static async start(): Promise<NetworkProxy> {
    const proxy = new NetworkProxy();
    [proxy.#port, proxy.#socksPort] = await Promise.all([listen(proxy.#server), listen(proxy.#socks)]);
    return proxy;
  }

  /** The variables that lead a command here, and what takes its name back. */
  admit(decide: DecideAccess): { readonly env: Readonly<Record<string, string>>; readonly dismiss: () => void } {
    const name = randomBytes(12).toString("hex");
    this.#users.set(name, decide);
    const url = `http://${name}:x@127.0.0.1:${this.#port}`;
    const socksUrl = `socks5h://${name}:x@127.0.0.1:${this.#socksPort}`;
    const env = Object.fromEntries(
      Object.entries({ HTTP_PROXY: url, HTTPS_PROXY: url, ALL_PROXY: socksUrl }).flatMap(([key, value]) => [
        [key, value],
        [key.toLowerCase(), value],
      ]),
    );
    return { env: { ...env, NO_PROXY: "", no_proxy: "" }, dismiss: () => this.#users.delete(name) };
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
    socket.on("error", () => socket.destroy());
  }

  #decider(request: IncomingMessage): DecideAccess | undefined {
    const [, encoded = ""] = /^Basic (\S+)$/i.exec(request.headers["proxy-authorization"] ?? "") ?? [];
    const [name = ""] = Buffer.from(encoded, "base64").toString("utf8").split(":");
    return this.#users.get(name);
  }

  async #tunnel(request: IncomingMessage, client: Socket, head: Buffer): Promise<void> {
    const url = `https://${request.url ?? ""}`;
    if (!URL.canParse(url)) {
      client.end("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n");
      return;
    }
    const { hostname, port } = new URL(url);
    const target: NetworkTarget = { protocol: "https", host: bare(hostname), port: Number(port || 443) };
    const refusal = await this.#refusal(request, target);
    if (client.destroyed) return;
    if (refusal !== undefined) {
      client.end(`HTTP/1.1 403 Forbidden\r\ncontent-length: ${Buffer.byteLength(refusal)}\r\n\r\n${refusal}`);
      return;
    }
    const upstream = connect(target.port, target.host, () => {
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      upstream.write(head);
      upstream.pipe(client);
      client.pipe(upstream);
    });
    this.#track(upstream);
    const refuse = () => client.end("HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n");
    upstream.once("error", refuse);
    // Later it would be read as what the other side says.
    upstream.once("connect", () => upstream.off("error", refuse).on("error", () => client.destroy()));
    client.once("close", () => upstream.destroy());
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let url: URL;
    try {
      url = new URL(request.url ?? "");
    } catch {
      response.writeHead(400).end("a proxy takes whole URLs");
      return;
    }
    if (url.protocol !== "http:") {
      response.writeHead(501).end(`${url.protocol}// is not served here`);
      return;
    }
    const target: NetworkTarget = { protocol: "http", host: bare(url.hostname), port: Number(url.port || 80) };
    const refusal = await this.#refusal(request, target);
    if (refusal !== undefined) {
      response.writeHead(403).end(refusal);
      return;
    }
    const { "proxy-authorization": _, "proxy-connection": __, ...headers } = request.headers;
    const onward = httpRequest(url, { method: request.method, headers });
    response.once("close", () => onward.destroy());
    onward.on("error", () => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    });
    const answered = new Promise<IncomingMessage>((resolve) => {
      onward.once("response", resolve);
    });
    request.pipe(onward);
    const answer = await answered;
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    await pipeline(answer, response);
  }

  async #refusal(request: IncomingMessage, target: NetworkTarget): Promise<string | undefined> {
    const decide = this.#decider(request);
    return decide ? await decide(target) : "this command is not known to the proxy";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all([this.#server, this.#socks].map((server) => new Promise((resolve) => server.close(resolve))));
  }
}

/** Listens on loopback without keeping the program alive. @returns the port */
async function listen(server: SocketServer): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  // One connection that cannot be taken is no reason to end.
  server.on("error", () => {});
  server.unref();
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}

/** Addresses of version 6 come in brackets. */
function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "").toLowerCase();
}
