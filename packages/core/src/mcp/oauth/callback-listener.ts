/**
 * The address to which the browser brings the answer. Owns the socket and which answers belong to this login; what an
 * answer leads to is its owner's.
 */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { McpError } from "../errors.js";

export interface CallbackOptions {
  readonly serverUrl: string;
  /** undefined or 0: any free one. */
  readonly port: number | undefined;
  /** Where the browser is sent instead of to the socket itself. */
  readonly url: string | undefined;
}

/** What a person reads in the browser. */
export interface CallbackPage {
  readonly ok: boolean;
  readonly text: string;
}

export class CallbackListener {
  readonly redirectUrl: string;
  #answer: ((query: URLSearchParams) => Promise<CallbackPage>) | undefined;
  #state: string | undefined;

  private constructor(
    private readonly server: Server,
    readonly path: string,
    redirect: URL,
  ) {
    this.redirectUrl = redirect.href;
    // The port may be open to others: whatever they send costs their own connection.
    server.on("request", (request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
    server.on("error", () => {});
  }

  /** @throws {McpError} the port is taken, or the configured URL is none */
  static async open({ serverUrl, port, url }: CallbackOptions): Promise<CallbackListener> {
    const id = createHash("sha256").update(serverUrl).digest("base64url").slice(0, 12);
    const configured = url === undefined ? undefined : callbackUrl(url);
    // A browser elsewhere reaches this machine by a way that only its owner knows.
    const host = configured && !isLoopback(configured) ? "0.0.0.0" : "127.0.0.1";
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once("error", (error: NodeJS.ErrnoException) =>
        reject(new McpError(`cannot listen on port ${port ?? 0} for the answer of the browser: ${error.code}`)),
      );
      server.listen(port ?? 0, host, resolve);
    });
    const redirect = configured ?? new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`);
    redirect.pathname = `${redirect.pathname.replace(/\/$/, "")}/${id}`;
    return new CallbackListener(server, redirect.pathname, redirect);
  }

  /** Answers that bring `state` are for `answer`; it is called once. */
  expect(state: string, answer: (query: URLSearchParams) => Promise<CallbackPage>): void {
    this.#state = state;
    this.#answer = answer;
  }

  /** Resolves when everything that was being answered has been. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeIdleConnections();
    });
  }

  async #serve({ url: target = "/", method }: IncomingMessage, response: ServerResponse): Promise<void> {
    const page = (status: number, text: string) =>
      response.writeHead(status, { "content-type": "text/plain; charset=utf-8", connection: "close" }).end(`${text}\n`);
    if (!URL.canParse(target, "http://localhost")) return void page(400, "This is no address.");
    const url = new URL(target, "http://localhost");
    if (url.pathname !== this.path || method !== "GET") return void page(404, "There is nothing here.");
    const { searchParams: query } = url;
    if (!query.has("code") && !query.has("error")) return void page(400, "This is no answer to a login.");
    const answer = this.#answer;
    // An answer with another state was not asked for by this login, which goes on waiting for its own.
    if (!answer || query.get("state") !== this.#state)
      return void page(400, "This answer belongs to another login. Go on with the page that was opened last.");
    this.#answer = undefined;
    const { ok, text } = await answer(query);
    page(ok ? 200 : 400, text);
  }
}

function callbackUrl(text: string): URL {
  try {
    return new URL(text);
  } catch {
    throw new McpError(`mcp_oauth_callback_url must be a URL, not ${JSON.stringify(text)}`);
  }
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\./.test(hostname);
}
