/**
 * A model server on loopback that speaks the Responses API and answers from a script.
 * Owns the HTTP server, the record of requests and the held responses; what to answer is the source's business.
 */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Holds } from "./holds.js";
import { play, sendJson } from "./play.js";
import { readBody } from "./request-body.js";
import { ResponseQueue } from "./response-queue.js";
import type { ResponseSource, ScriptedResponse } from "./scripted-response.js";

export interface ModelRequest {
  /** Counts every request from 1, model calls and others. */
  readonly number: number;
  /** Milliseconds since the server started. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Parsed JSON, or the text when it is not JSON. */
  readonly body: unknown;
}

export type ScriptedModelEvent =
  | { readonly kind: "request"; readonly request: ModelRequest }
  | { readonly kind: "held"; readonly number: number }
  | { readonly kind: "released"; readonly number: number }
  | { readonly kind: "abandoned"; readonly number: number }
  | { readonly kind: "ended"; readonly number: number }
  | { readonly kind: "error"; readonly number: number; readonly error: Error };

export interface ScriptedModelOptions {
  /** 0 or absent: chosen by the system. */
  readonly port?: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  readonly responses?: Iterable<ScriptedResponse> | ResponseSource;
  readonly onRequest?: (request: ModelRequest) => void;
  readonly onEvent?: (event: ScriptedModelEvent) => void;
  /** Answers requests that nothing was scripted for; without it they fail with status 500. */
  readonly fallback?: ScriptedResponse | ((body: unknown) => ScriptedResponse);
}

/** A model call that could not be answered as scripted. `code` is also in the error body. */
export class ScriptedModelError extends Error {
  override readonly name = "ScriptedModelError";
  readonly code: "unexpected_request" | "script_failed";

  constructor(code: ScriptedModelError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** @throws {Error} the address cannot be listened on */
export async function startScriptedModel(options: ScriptedModelOptions = {}): Promise<ScriptedModel> {
  const model = new ScriptedModel(options);
  await model.listen(options.port ?? 0, options.host ?? "127.0.0.1");
  return model;
}

export class ScriptedModel implements AsyncDisposable {
  readonly requests: ModelRequest[] = [];
  /** Every request that could not be answered, in order. */
  readonly errors: Error[] = [];
  readonly #options: ScriptedModelOptions;
  readonly #queue: ResponseQueue;
  readonly #source: ResponseSource;
  readonly #holds = new Holds();
  readonly #waiters = new Set<() => void>();
  readonly #started = performance.now();
  /** Kept after closing. */
  #address: AddressInfo = { address: "", family: "IPv4", port: 0 };
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  constructor(options: ScriptedModelOptions) {
    this.#options = options;
    const given = options.responses ?? [];
    this.#queue = new ResponseQueue("next" in given ? [] : given);
    this.#source = "next" in given ? given : this.#queue;
  }

  async listen(port: number, host: string): Promise<void> {
    this.#server.listen(port, host);
    await once(this.#server, "listening");
    this.#address = this.#server.address() as AddressInfo;
  }

  get port(): number {
    return this.#address.port;
  }

  /** The base URL a provider is configured with: `http://127.0.0.1:PORT/v1`. */
  get url(): string {
    const { address, family, port } = this.#address;
    return `http://${family === "IPv6" ? `[${address}]` : address}:${port}/v1`;
  }

  /** Responses pushed or given as a list that have not been played. */
  get pending(): number {
    return this.#queue.length;
  }

  get held(): number {
    return this.#holds.count;
  }

  /** The requests that asked the model for a response. */
  get calls(): ModelRequest[] {
    return this.requests.filter(isModelCall);
  }

  push(...responses: readonly ScriptedResponse[]): void {
    this.#queue.push(...responses);
  }

  /** Forgets what was pushed and not played. */
  clear(): void {
    this.#queue.clear();
  }

  /** Lets the response held longest go on. false: none was held. */
  release(): boolean {
    const number = this.#holds.release();
    if (number === undefined) return false;
    this.#emit({ kind: "released", number });
    return true;
  }

  releaseAll(): void {
    while (this.release());
  }

  /** The `count`-th model call. @throws {Error} it did not come within `timeoutMs` (default 15,000) */
  async waitForCall(count: number, timeoutMs = 15_000): Promise<ModelRequest> {
    await this.#until(
      () => this.calls.length >= count,
      timeoutMs,
      () => `model call ${count} did not come; there were ${this.calls.length}`,
    );
    return this.calls[count - 1]!;
  }

  /** @throws {Error} no response was held within `timeoutMs` (default 15,000) */
  async waitForHold(timeoutMs = 15_000): Promise<void> {
    await this.#until(
      () => this.held > 0,
      timeoutMs,
      () => "no response was held",
    );
  }

  /** Ends every connection; held responses are abandoned. */
  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let number = this.requests.length + 1;
    try {
      const { pathname } = new URL(request.url ?? "/", "http://localhost");
      const body = await readBody(request);
      number = this.requests.length + 1;
      const record: ModelRequest = {
        number,
        at: performance.now() - this.#started,
        method: request.method ?? "GET",
        path: request.url ?? "/",
        headers: request.headers,
        body,
      };
      this.requests.push(record);
      this.#options.onRequest?.(record);
      this.#emit({ kind: "request", request: record });
      if (record.method === "GET" && pathname.endsWith("/models"))
        sendJson(response, 200, { object: "list", data: [], models: [] });
      else if (isModelCall(record)) await this.#answer(record, response);
      else sendJson(response, 404, { error: { message: `scripted model: no ${record.method} ${pathname}` } });
    } catch (error) {
      this.#fail(number, response, error as Error);
    }
  }

  async #answer(request: ModelRequest, http: ServerResponse): Promise<void> {
    const response = await this.#choose(request);
    await play(http, response, request.number, async () => {
      const released = this.#holds.wait(request.number, http);
      this.#emit({ kind: "held", number: request.number });
      return await released;
    });
    this.#emit({ kind: http.writableEnded ? "ended" : "abandoned", number: request.number });
  }

  async #choose(request: ModelRequest): Promise<ScriptedResponse> {
    const { fallback } = this.#options;
    const chosen =
      this.#source.next(request.body) ??
      (this.#source === this.#queue ? undefined : this.#queue.next(request.body)) ??
      (typeof fallback === "function" ? fallback(request.body) : fallback);
    if (chosen === undefined) {
      const nth = this.calls.length;
      throw new ScriptedModelError("unexpected_request", `scripted model: nothing is scripted for model call ${nth}`);
    }
    return chosen.fn ? { ...chosen, ...(await chosen.fn(request.body)) } : chosen;
  }

  #fail(number: number, response: ServerResponse, error: Error): void {
    if (response.destroyed) return;
    this.errors.push(error);
    this.#emit({ kind: "error", number, error });
    const code = error instanceof ScriptedModelError ? error.code : "script_failed";
    if (response.headersSent) response.destroy();
    else sendJson(response, 500, { error: { message: error.message, type: "scripted_model", code } });
  }

  #emit(event: ScriptedModelEvent): void {
    this.#options.onEvent?.(event);
    for (const waiter of this.#waiters) waiter();
  }

  #until(reached: () => boolean, timeoutMs: number, failure: () => string): Promise<void> {
    if (reached()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void): void => {
        clearTimeout(timer);
        this.#waiters.delete(check);
        settle();
      };
      const check = (): void => {
        if (reached()) finish(resolve);
      };
      const timer = setTimeout(() => finish(() => reject(new Error(`${failure()} within ${timeoutMs} ms`))), timeoutMs);
      this.#waiters.add(check);
    });
  }
}

function isModelCall(request: ModelRequest): boolean {
  return request.method === "POST" && new URL(request.path, "http://localhost").pathname.endsWith("/responses");
}
