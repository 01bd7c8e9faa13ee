/** A TCP proxy that cuts connections when told to, at chosen moments. Knows bytes, not messages. */
import { connect, createServer, type Server, type Socket } from "node:net";

export class CuttingProxy implements AsyncDisposable {
  readonly #server: Server;
  #target: number;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #holding = false;
  #forwarded: (() => void) | undefined;
  #cutAfterChunks = Number.POSITIVE_INFINITY;
  #barred = false;
  cuts = 0;

  private constructor(target: number) {
    this.#target = target;
    this.#server = createServer((client) => this.#accept(client));
  }

  static async before(url: string): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(Number(new URL(url).port));
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get url(): string {
    const address = this.#server.address();
    return `ws://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  }

  /** Later connections go elsewhere. */
  redirect(url: string): void {
    this.#target = Number(new URL(url).port);
  }

  cut(): void {
    if (this.#pairs.size > 0) this.cuts++;
    this.#holding = false;
    for (const [client, server] of this.#pairs) {
      client.destroy();
      server.destroy();
    }
  }

  /** Cuts, and lets nobody in any more. */
  bar(): void {
    this.#barred = true;
    this.cut();
  }

  unbar(): void {
    this.#barred = false;
  }

  /** From now on the server's bytes stay here; resolves when the client's next bytes were passed on. */
  holdReplies(): Promise<void> {
    this.#holding = true;
    return new Promise((resolve) => {
      this.#forwarded = resolve;
    });
  }

  /** Cuts the next connection once, after this many pieces from the client. */
  cutNextAfter(chunks: number): void {
    this.#cutAfterChunks = chunks;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #accept(client: Socket): void {
    if (this.#barred) {
      client.destroy();
      return;
    }
    const server = connect(this.#target, "127.0.0.1");
    const pair = [client, server] as const;
    this.#pairs.add(pair);
    let chunks = 0;
    const limit = this.#cutAfterChunks;
    this.#cutAfterChunks = Number.POSITIVE_INFINITY;
    client.setNoDelay(true);
    server.setNoDelay(true);
    client.on("data", (data) => {
      if (++chunks > limit) {
        this.cut();
        return;
      }
      server.write(data, () => {
        this.#forwarded?.();
        this.#forwarded = undefined;
      });
    });
    server.on("data", (data) => {
      if (!this.#holding) client.write(data);
    });
    const end = () => {
      this.#pairs.delete(pair);
      client.destroy();
      server.destroy();
    };
    for (const socket of pair) socket.on("close", end).on("error", end);
  }
}
