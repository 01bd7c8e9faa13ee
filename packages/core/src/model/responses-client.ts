/**
 * The model client over HTTP: one POST per request, server-sent events back.
 * Owns connections (one keep-alive agent), retries of requests that got no stream, and the idle watchdog.
 * Does not retry a stream that broke: the turn does, because items may already have arrived.
 */
import type { Agent, ClientRequest, IncomingMessage } from "node:http";
import { createParser } from "eventsource-parser";
import type { ModelClient, ModelEvent, ModelRequest } from "./model-client.js";
import { disconnected, errorOfStatus, ModelError } from "./model-error.js";
import { type ModelProvider, responsesUrl } from "./provider.js";
import { requestBody } from "./request-body.js";
import { modelEvent } from "./stream-events.js";

export interface ResponsesClientOptions {
  readonly provider: ModelProvider;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly userAgent: string;
  /** Waits between tries; replaced in tests. */
  readonly delay?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
}

const FIRST_RETRY_MS = 200;
/** More of an error body is not read. */
const MAX_ERROR_BYTES = 64 * 1024;

/** @throws {ModelError} the provider needs a key that is not set */
export function createResponsesClient(options: ResponsesClientOptions): ModelClient & AsyncDisposable {
  return new ResponsesClient(options);
}

class ResponsesClient implements ModelClient, AsyncDisposable {
  readonly streamRetries: number;
  readonly #url: URL;
  #agent: Agent | undefined;

  constructor(private readonly options: ResponsesClientOptions) {
    this.streamRetries = options.provider.streamMaxRetries;
    this.#url = responsesUrl(options.provider);
  }

  async *stream(request: ModelRequest, { signal }: { readonly signal: AbortSignal }): AsyncIterable<ModelEvent> {
    const body = Buffer.from(requestBody(request));
    const response = await this.#open(body, signal);
    yield* this.#events(response, signal);
  }

  /** Sends the request until a stream opens or trying again is pointless. */
  async #open(body: Buffer, signal: AbortSignal): Promise<IncomingMessage> {
    const { requestMaxRetries } = this.options.provider;
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#post(body, signal);
      } catch (error) {
        if (!(error instanceof ModelError) || !error.retryable || attempt >= requestMaxRetries || signal.aborted)
          throw error;
        const backoff = FIRST_RETRY_MS * 2 ** attempt * (0.9 + Math.random() * 0.2);
        await (this.options.delay ?? delay)(error.retryAfterMs ?? backoff, signal);
      }
    }
  }

  #headers(body: Buffer): Record<string, string> {
    const { provider, environment } = this.options;
    const headers: Record<string, string> = {
      "content-type": "application/json",
      accept: "text/event-stream",
      "content-length": String(body.length),
      "user-agent": this.options.userAgent,
      ...provider.headers,
    };
    for (const [name, variable] of Object.entries(provider.envHeaders)) {
      const value = environment[variable];
      if (value !== undefined && value.trim() !== "") headers[name] = value;
    }
    if (provider.envKey !== undefined) {
      const key = environment[provider.envKey];
      if (key === undefined || key.trim() === "")
        throw new ModelError(
          `Missing environment variable: \`${provider.envKey}\`.${provider.envKeyInstructions ? ` ${provider.envKeyInstructions}` : ""}`,
          { retryable: false, info: "unauthorized" },
        );
      headers.authorization = `Bearer ${key.trim()}`;
    }
    return headers;
  }

  async #post(body: Buffer, signal: AbortSignal): Promise<IncomingMessage> {
    const secure = this.#url.protocol === "https:";
    // TLS is loaded only for a server that uses it.
    const { Agent: AgentClass, request } = secure ? await import("node:https") : await import("node:http");
    this.#agent ??= new AgentClass({ keepAlive: true, keepAliveMsecs: 30_000, maxFreeSockets: 8 });
    const headers = this.#headers(body);
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing: ClientRequest = request(this.#url, { method: "POST", headers, agent: this.#agent });
      // A signal given to the request would stay on the socket, which lives on in the agent and would then fail
      // with nobody listening.
      // No error is passed either: when the response is complete but not yet read, it too would go to the bare socket.
      const abort = () => outgoing.destroy();
      outgoing.once("close", () => signal.removeEventListener("abort", abort));
      if (signal.aborted) abort();
      else signal.addEventListener("abort", abort, { once: true });
      outgoing.setTimeout(this.options.provider.streamIdleTimeoutMs, () =>
        outgoing.destroy(disconnected("idle timeout waiting for the model server")),
      );
      outgoing.once("response", resolve);
      outgoing.once("error", (error) => reject(this.#connectionError(error, signal)));
      outgoing.end(body);
    });
    if (response.statusCode === 200) return response;
    const text = await readText(response);
    throw errorOfStatus(response.statusCode ?? 0, text, retryAfter(response));
  }

  #connectionError(error: Error, signal: AbortSignal): Error {
    if (error instanceof ModelError || signal.aborted) return error;
    return new ModelError(
      `stream disconnected before completion: error sending request for url (${this.#url.href}): ${error.message}`,
      { retryable: true, info: { response_stream_connection_failed: { http_status_code: null } }, cause: error },
    );
  }

  async *#events(response: IncomingMessage, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const ready: string[] = [];
    const parser = createParser({ onEvent: (event) => ready.push(event.data) });
    const decoder = new TextDecoder();
    const idle = this.options.provider.streamIdleTimeoutMs;
    let timedOut = false;
    response.setTimeout(idle, () => {
      timedOut = true;
      response.destroy();
    });
    try {
      // Leaving the loop early must not destroy the socket: it goes back to the agent.
      for await (const chunk of response.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        parser.feed(decoder.decode(chunk, { stream: true }));
        for (let data = ready.shift(); data !== undefined; data = ready.shift()) {
          const event = modelEvent(data);
          if (!event) continue;
          yield event;
          if (event.type === "completed") {
            response.setTimeout(0);
            // The rest is read so that the socket goes back to the agent; not before the iterator let go of the stream.
            setImmediate(() => response.resume());
            return;
          }
        }
      }
    } catch (error) {
      response.destroy();
      if (error instanceof ModelError || signal.aborted) throw error;
      if (timedOut) throw disconnected("idle timeout waiting for SSE", error);
      throw disconnected("stream closed before response.completed", error);
    }
    if (timedOut) throw disconnected("idle timeout waiting for SSE");
    throw disconnected("stream closed before response.completed");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agent?.destroy();
    this.#agent = undefined;
  }
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_ERROR_BYTES) break;
    }
  } catch {
    // The status says enough.
  }
  return Buffer.concat(chunks).subarray(0, MAX_ERROR_BYTES).toString("utf8");
}

function retryAfter(response: IncomingMessage): number | undefined {
  const seconds = Number(response.headers["retry-after"]);
  return Number.isFinite(seconds) && seconds >= 0 && response.headers["retry-after"] !== undefined
    ? Math.min(seconds, 120) * 1000
    : undefined;
}

export function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
    if (signal.aborted) done();
  });
}
