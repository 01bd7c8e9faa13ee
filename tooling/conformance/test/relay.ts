import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { type RawData, WebSocket, WebSocketServer } from "ws";

/** Passes messages on between a client and a server, and can cut both connections after a request. */
export class Relay implements AsyncDisposable {
  /** Methods the client called, in order. */
  readonly methods: string[] = [];
  connections = 0;
  readonly #server: WebSocketServer;

  private constructor(server: WebSocketServer) {
    this.#server = server;
  }

  /** @param cutAfter the first request of this method is passed on, and then the connection is cut */
  static async start(target: string, cutAfter?: string): Promise<Relay> {
    const server = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: false });
    await once(server, "listening");
    const relay = new Relay(server);
    let cut = false;
    server.on("connection", (client) => {
      relay.connections += 1;
      const upstream = new WebSocket(target, { perMessageDeflate: false });
      const opened = once(upstream, "open");
      client.on("message", async (data: RawData) => {
        const text = data.toString();
        const { method } = JSON.parse(text) as { method?: string };
        if (method !== undefined) relay.methods.push(method);
        await opened;
        upstream.send(text);
        if (cut || cutAfter === undefined || method !== cutAfter) return;
        cut = true;
        client.terminate();
        upstream.terminate();
      });
      upstream.on("message", (data: RawData) => client.send(data.toString()));
      client.on("close", () => upstream.close());
      upstream.on("close", () => client.close());
      for (const socket of [client, upstream]) socket.on("error", () => socket.terminate());
    });
    return relay;
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#server.clients) client.terminate();
    const closed = once(this.#server, "close");
    this.#server.close();
    await closed;
  }
}
