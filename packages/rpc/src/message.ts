/**
 * The envelope: JSON-RPC without the `jsonrpc` member. Tells requests, notifications and responses apart and keeps
 * 64-bit ids exact, which `JSON.parse` alone would round.
 */

/** A bigint stands for an integer id beyond 2^53. */
export type RequestId = string | number | bigint;

export type IncomingMessage =
  | { readonly kind: "request"; readonly id: RequestId; readonly method: string; readonly params: unknown }
  | { readonly kind: "notification"; readonly method: string; readonly params: unknown }
  | { readonly kind: "result"; readonly id: RequestId; readonly result: unknown }
  | {
      readonly kind: "error";
      readonly id: RequestId;
      readonly error: { code: number; message: string; data?: unknown };
    }
  | { readonly kind: "malformed"; readonly reason: string };

const malformed = (reason: string): IncomingMessage => ({ kind: "malformed", reason });
const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

/** Reads one JSON text. `params` is undefined where the message has none. */
export function parseMessage(text: string): IncomingMessage {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return malformed(error instanceof Error ? error.message : "not JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return malformed("expected a JSON-RPC object");
  const message = value as Record<string, unknown>;
  if (!("id" in message)) {
    if (!("method" in message)) return malformed("missing field `method`");
    if (typeof message.method !== "string") return malformed("method must be a string");
    return { kind: "notification", method: message.method, params: message.params };
  }
  const id = readId(message.id, text);
  if (id === undefined) return malformed("id must be a string or a 64-bit integer");
  if ("method" in message) {
    if (typeof message.method !== "string") return malformed("method must be a string");
    return { kind: "request", id, method: message.method, params: message.params };
  }
  // Both members: the error counts, a failed call must not look like a success.
  if (message.error !== undefined && message.error !== null) return readError(id, message.error);
  if ("result" in message) return { kind: "result", id, result: message.result };
  return malformed("missing field `error`");
}

function readError(id: RequestId, error: unknown): IncomingMessage {
  if (typeof error !== "object" || error === null) return malformed("error must be an object");
  const { code, message, data } = error as Record<string, unknown>;
  if (typeof code !== "number" || !Number.isInteger(code)) return malformed("error.code must be an integer");
  if (typeof message !== "string") return malformed("error.message must be a string");
  return { kind: "error", id, error: data === undefined ? { code, message } : { code, message, data } };
}

function readId(id: unknown, text: string): RequestId | undefined {
  if (typeof id === "string") return id;
  if (typeof id !== "number") return undefined;
  if (Number.isSafeInteger(id)) return id;
  const token = topLevelNumber(text, "id");
  if (token === undefined || !/^-?\d+$/.test(token)) return undefined;
  const exact = BigInt(token);
  return exact > INT64_MAX || exact < INT64_MIN ? undefined : exact;
}

/** The digits of a top-level number member of a valid JSON object text; the last one where it stands twice. */
function topLevelNumber(text: string, key: string): string | undefined {
  let depth = 0;
  let found: string | undefined;
  const token = /"(?:[^"\\]|\\.)*"|[{}[\]]/gs;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const part = match[0];
    if (part === "{" || part === "[") depth += 1;
    else if (part === "}" || part === "]") depth -= 1;
    else if (depth === 1) {
      const value = /^\s*:\s*(-?[\d.eE+-]+)/.exec(text.slice(token.lastIndex, token.lastIndex + 80));
      if (value && JSON.parse(part) === key) found = value[1];
    }
  }
  return found;
}

/** The JSON of an id, exact for 64-bit integers. */
export function formatId(id: RequestId): string {
  return typeof id === "bigint" ? id.toString() : JSON.stringify(id);
}

export function formatRequest(id: RequestId, method: string, params: unknown): string {
  const tail = params === undefined ? "" : `,"params":${JSON.stringify(params)}`;
  return `{"method":${JSON.stringify(method)},"id":${formatId(id)}${tail}}`;
}

/** `extra` holds envelope members beside method and params, such as `emittedAtMs`. */
export function formatNotification(method: string, params: unknown, extra?: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ method, ...(params === undefined ? {} : { params }), ...extra });
}

export function formatResult(id: RequestId, result: unknown): string {
  return `{"id":${formatId(id)},"result":${JSON.stringify(result ?? null)}}`;
}

/** The result is UTF-8 of one JSON text. With `room` bytes before it and one after it the envelope is written around it. */
export function formatRawResult(id: RequestId, result: Uint8Array, room = 0): Uint8Array {
  const head = new TextEncoder().encode(`{"id":${formatId(id)},"result":`);
  const size = head.length + result.length + 1;
  const around = room >= head.length;
  const message = around ? new Uint8Array(result.buffer, result.byteOffset - head.length, size) : new Uint8Array(size);
  message.set(head);
  if (!around) message.set(result, head.length);
  message[size - 1] = 0x7d;
  return message;
}

export function formatError(id: RequestId, error: { code: number; message: string; data?: unknown }): string {
  const { code, message, data } = error;
  return `{"error":${JSON.stringify(data === undefined ? { code, message } : { code, message, data })},"id":${formatId(id)}}`;
}
