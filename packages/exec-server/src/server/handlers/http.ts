/**
 * `http/request`: a request made from this machine, its body in one piece or streamed.
 * Owns the checks, redirects and the pace of a stream; keeps no cookies and follows no proxy settings.
 */

import { type ClientRequest, type IncomingMessage, request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { RpcErrorCode } from "@turnkit/protocol";
import type { HttpRequestParams, HttpRequestResponse } from "@turnkit/protocol/exec";
import { RpcError } from "@turnkit/rpc";
import { decodeBase64 } from "../base64.js";
import type { HandlerContext } from "./handler-context.js";

const MAX_REDIRECTS = 10;
/** Longest answer that is returned in one piece. */
const MAX_BODY_BYTES = 256 * 1024 * 1024;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Credentials of this machine that no request of a client may carry away. */
const SECRETS = new Set([
  "OPENAI_API_KEY",
  "CODEX_API_KEY",
  "CODEX_ACCESS_TOKEN",
  "CODEX_EXEC_SERVER_NOISE_AUTH_TOKEN",
  "NODE_REPL_AUTH_TOKEN",
  "OPENAI_FEDERATION_RULE_ID",
  "OPENAI_IDENTITY_TOKEN_FILE",
  "OPENAI_WORKLOAD_IDENTITY_CONTEXT",
]);

interface Outgoing {
  method: string;
  url: URL;
  headers: [string, string][];
  referer: string | undefined;
  body: Buffer | undefined;
}

export async function httpRequest(params: HttpRequestParams, context: HandlerContext): Promise<HttpRequestResponse> {
  const outgoing = prepare(params, context.settings.environment);
  const { requestId } = params;
  const streaming = params.streamResponse === true;
  if (streaming && context.streams.has(requestId)) {
    throw new RpcError(
      RpcErrorCode.invalidParams,
      `http/request streamResponse requestId \`${requestId}\` is already active`,
    );
  }
  if (streaming) context.streams.add(requestId);
  const limits = new AbortController();
  const abort = () => limits.abort();
  context.signal.addEventListener("abort", abort, { once: true });
  const timer =
    typeof params.timeoutMs === "number" ? setTimeout(abort, Math.min(params.timeoutMs, 2 ** 31 - 1)) : undefined;
  const release = () => {
    clearTimeout(timer);
    context.signal.removeEventListener("abort", abort);
    context.streams.delete(requestId);
  };
  let handedOver = false;
  try {
    const response = await send(outgoing, params.redirectPolicy !== "stop", limits.signal);
    const head = { status: response.statusCode ?? 0, headers: pairs(response) };
    if (!streaming) return { ...head, bodyBase64: (await wholeBody(response)).toString("base64") };
    handedOver = true;
    // After the reply: it is sent before this turn of the event loop ends.
    setImmediate(() => void streamBody(response, requestId, context).finally(release));
    return { ...head, bodyBase64: "" };
  } finally {
    if (!handedOver) release();
  }
}

function prepare(params: HttpRequestParams, env: NodeJS.ProcessEnv): Outgoing {
  if (!TOKEN.test(params.method))
    throw new RpcError(RpcErrorCode.invalidParams, "http/request method is invalid: invalid HTTP method");
  let url: URL;
  try {
    url = new URL(params.url);
  } catch {
    throw new RpcError(RpcErrorCode.invalidParams, "http/request url is invalid: relative URL without a base");
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new RpcError(
      RpcErrorCode.invalidParams,
      `http/request only supports http and https URLs, got ${url.protocol.slice(0, -1)}`,
    );
  }
  const headers = (params.headers ?? []).map(({ name, value, valueEnvVar }): [string, string] => {
    if (!TOKEN.test(name))
      throw new RpcError(RpcErrorCode.invalidParams, "http/request header name is invalid: invalid HTTP header name");
    const whole = typeof valueEnvVar === "string" ? value + variable(name, valueEnvVar, env) : value;
    if (/[^\t\x20-\x7e\x80-\uffff]/.test(whole)) {
      throw new RpcError(
        RpcErrorCode.invalidParams,
        `http/request header value is invalid for ${name}: failed to parse header value`,
      );
    }
    return [name.toLowerCase(), whole];
  });
  let body: Buffer | undefined;
  if (typeof params.bodyBase64 === "string") {
    try {
      body = decodeBase64(params.bodyBase64);
    } catch (error) {
      throw new RpcError(RpcErrorCode.invalidParams, `http/request bodyBase64 is invalid: ${(error as Error).message}`);
    }
  }
  return { method: params.method, url, headers, referer: undefined, body };
}

function variable(header: string, name: string, env: NodeJS.ProcessEnv): string {
  if (SECRETS.has(name.toUpperCase())) {
    throw new RpcError(
      RpcErrorCode.invalidParams,
      `http/request header ${header} cannot use executor environment variable ${name}`,
    );
  }
  const value = name === "" ? undefined : env[name];
  if (value !== undefined) return value;
  throw new RpcError(
    RpcErrorCode.invalidParams,
    `http/request header ${header} requires executor environment variable ${name}`,
  );
}

async function send(first: Outgoing, follow: boolean, signal: AbortSignal): Promise<IncomingMessage> {
  let outgoing = first;
  for (let redirects = 0; ; redirects++) {
    const response = await once(outgoing, signal);
    const next = follow ? redirected(outgoing, response) : undefined;
    if (!next) return response;
    response.destroy();
    if (redirects === MAX_REDIRECTS) throw failed(first.url, "too many redirects");
    outgoing = next;
  }
}

function once({ method, url, headers, referer, body }: Outgoing, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = url.protocol === "https:" ? secureRequest : plainRequest;
    let sent: ClientRequest;
    try {
      sent = request(url, { method, headers: grouped(headers, referer, body), signal });
    } catch (error) {
      reject(failed(url, error instanceof Error ? error.message : String(error)));
      return;
    }
    // Persistent connections are the default and need no header.
    sent.removeHeader("connection");
    sent.once("response", resolve);
    // An upstream that changes the protocol is answered like any other; what follows its head is not HTTP.
    for (const changed of ["upgrade", "connect"] as const) {
      sent.once(changed, (response, socket) => {
        socket.destroy();
        response.push(null);
        resolve(response);
      });
    }
    sent.on("error", () => reject(failed(url)));
    sent.once("close", () => reject(failed(url)));
    sent.end(body);
  });
}

function failed(url: URL, why?: string): RpcError {
  const words = `http/request failed: error sending request for url (${url.href})`;
  return new RpcError(RpcErrorCode.internalError, why === undefined ? words : `${words}: ${why}`);
}

function grouped(
  headers: readonly [string, string][],
  referer: string | undefined,
  body: Buffer | undefined,
): Record<string, string | string[]> {
  const result: Record<string, string | string[]> = {};
  for (const [name, value] of headers) {
    const known = result[name];
    result[name] = known === undefined ? value : Array.isArray(known) ? [...known, value] : [known, value];
  }
  result.accept ??= "*/*";
  if (referer !== undefined) result.referer ??= referer;
  if (body) result["content-length"] ??= String(body.length);
  return result;
}

function redirected(outgoing: Outgoing, response: IncomingMessage): Outgoing | undefined {
  const { statusCode = 0 } = response;
  const { location } = response.headers;
  if (![301, 302, 303, 307, 308].includes(statusCode) || location === undefined) return undefined;
  let url: URL;
  try {
    url = new URL(location, outgoing.url);
  } catch {
    return undefined;
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  const keep = statusCode === 307 || statusCode === 308;
  const sameOrigin = url.origin === outgoing.url.origin;
  const headers = outgoing.headers.filter(([name]) => {
    if (!sameOrigin && /^(authorization|cookie|proxy-authorization|www-authenticate)$/.test(name)) return false;
    return keep || !/^content-/.test(name);
  });
  const referer = new URL(outgoing.url);
  referer.username = referer.password = referer.hash = "";
  const secret = referer.protocol === "https:" && url.protocol === "http:";
  const method = keep || outgoing.method === "HEAD" ? outgoing.method : "GET";
  return { method, url, headers, referer: secret ? undefined : referer.href, body: keep ? outgoing.body : undefined };
}

/** As they came, repeated ones included; names in lower case. */
function pairs({ rawHeaders }: IncomingMessage): { name: string; value: string }[] {
  const result: { name: string; value: string }[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    result.push({ name: (rawHeaders[at] as string).toLowerCase(), value: rawHeaders[at + 1] as string });
  }
  return result;
}

async function wholeBody(response: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part);
      size += part.length;
      if (size > MAX_BODY_BYTES)
        throw new RpcError(RpcErrorCode.internalError, `http/request response body exceeds ${MAX_BODY_BYTES} bytes`);
    }
  } catch (error) {
    if (error instanceof RpcError) throw error;
    throw new RpcError(
      RpcErrorCode.internalError,
      "failed to read http/request response body: error decoding response body",
    );
  }
  return Buffer.concat(parts);
}

/** Reads on only when the client has taken what came before. The last delta is empty and says so. */
async function streamBody(response: IncomingMessage, requestId: string, context: HandlerContext): Promise<void> {
  let seq = 1;
  const delta = (bytes: Buffer, done: boolean, error: string | null) =>
    context.notify("http/request/bodyDelta", {
      requestId,
      seq: seq++,
      deltaBase64: bytes.toString("base64"),
      done,
      error,
    });
  let failure: string | null = null;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      delta(part, false, null);
      await context.drained();
    }
  } catch {
    failure = "error decoding response body";
  }
  delta(Buffer.alloc(0), true, failure);
}
