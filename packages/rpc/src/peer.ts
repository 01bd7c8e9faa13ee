/**
 * One side of a connection: matches replies to requests, validates what enters and what leaves, and hands requests to
 * their handler. Does not decide in which order or how many requests run at once: the handler's owner does.
 */
import { RpcErrorCode } from "@turnkit/protocol";
import { ConnectionClosedError, InvalidResultError, RpcError } from "./errors.js";
import {
  formatError,
  formatNotification,
  formatRawResult,
  formatRequest,
  formatResult,
  type IncomingMessage,
  parseMessage,
  type RequestId,
} from "./message.js";
import type { CloseInfo, Transport } from "./transport.js";

export interface Issue {
  /** Place inside the value, `input[1].text`; empty for the value itself. */
  readonly path: string;
  /** The rule that was broken: `must be string`. */
  readonly message: string;
}

/** No issues: valid. */
export type Validator = (value: unknown) => readonly Issue[];

export interface MethodValidators {
  readonly params: Validator;
  readonly result: Validator;
}

/** Looks a method up; undefined: unknown. A function, so that validators can be loaded when first needed. */
export type MethodLookup<T> = (method: string) => T | undefined;

export interface IncomingRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params: unknown;
  /** Aborted when the connection closes. */
  readonly signal: AbortSignal;
}

export interface PeerOptions {
  /** Requests this side answers. */
  readonly serves: MethodLookup<MethodValidators>;
  /** Notifications this side understands. */
  readonly hears?: MethodLookup<Validator>;
  /** Requests this side sends; their results are validated. */
  readonly calls?: MethodLookup<MethodValidators>;
  /** Returns the result; a thrown RpcError becomes the error reply, any other error an internal one. */
  readonly onRequest: (request: IncomingRequest) => unknown;
  readonly onNotification?: (method: string, params: unknown) => void;
  readonly unknownMethod?: (method: string) => RpcError;
  readonly invalidParams?: (method: string, issues: readonly Issue[], params: unknown) => RpcError;
  /** Text that is no message, a notification nobody understands, a reply to nothing. The connection lives on. */
  readonly onProblem?: (problem: PeerProblem) => void;
  readonly onClose?: (info: CloseInfo) => void;
  /** Id of this side's first request; later ones count up. Default 0. */
  readonly firstRequestId?: number;
}

/** A result that is JSON already, for answers too large to pass through strings. It is sent without validation. */
export class RawResult {
  readonly json: Uint8Array;
  /** Bytes before `json` in its buffer that may be overwritten; one after it too. 0: none. */
  readonly room: number;

  constructor(json: Uint8Array, room = 0) {
    this.json = json;
    this.room = room;
  }
}

export type PeerProblem =
  | { readonly kind: "malformed"; readonly reason: string; readonly text: string }
  | { readonly kind: "garbage"; readonly reason: string }
  | { readonly kind: "unknownNotification"; readonly method: string }
  | { readonly kind: "invalidNotification"; readonly method: string; readonly issues: readonly Issue[] }
  | { readonly kind: "strayReply"; readonly id: RequestId };

export interface RequestOptions {
  readonly signal?: AbortSignal;
  /** Default: the peer's own counter. */
  readonly id?: RequestId;
}

interface Waiting {
  readonly method: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class Peer {
  readonly transport: Transport;
  readonly #options: PeerOptions;
  readonly #waiting = new Map<RequestId, Waiting>();
  readonly #lifetime = new AbortController();
  #nextId: number;
  #closed: CloseInfo | undefined;
  #unanswered = 0;
  readonly #onAnswered: (() => void)[] = [];

  constructor(transport: Transport, options: PeerOptions) {
    this.transport = transport;
    this.#options = options;
    this.#nextId = options.firstRequestId ?? 0;
    transport.onGarbage((reason) => options.onProblem?.({ kind: "garbage", reason }));
    transport.onClose((info) => this.#end(info));
    transport.onMessage((text) => this.#receive(text));
  }

  /** Aborted when the connection is over. */
  get signal(): AbortSignal {
    return this.#lifetime.signal;
  }

  get closed(): CloseInfo | undefined {
    return this.#closed;
  }

  /**
   * Sends a request and waits for its reply.
   * @throws {RpcError} an error reply @throws {ConnectionClosedError} @throws {InvalidResultError}
   * @throws the signal's reason, and then a late reply is dropped
   */
  request(method: string, params?: unknown, options: RequestOptions = {}): Promise<unknown> {
    const { signal } = options;
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#closed) return Promise.reject(new ConnectionClosedError(this.#closed.reason));
    const id = options.id ?? this.#nextId++;
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#waiting.delete(id);
        reject(signal?.reason);
      };
      const settle =
        <T>(finish: (value: T) => void) =>
        (value: T) => {
          signal?.removeEventListener("abort", abort);
          finish(value);
        };
      this.#waiting.set(id, { method, resolve: settle(resolve), reject: settle(reject) });
      signal?.addEventListener("abort", abort, { once: true });
      this.transport.send(formatRequest(id, method, params));
    });
  }

  /** Gives up waiting for a request of ours, as if it had failed with this error. false: nobody was waiting. */
  abandon(id: RequestId, error: Error): boolean {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.reject(error);
    return waiting !== undefined;
  }

  notify(method: string, params?: unknown, extra?: Readonly<Record<string, unknown>>): void {
    this.transport.send(formatNotification(method, params, extra));
  }

  close(code?: number, reason?: string): Promise<void> {
    return this.transport.close(code, reason);
  }

  /** Resolves when every request that has come so far has its reply, or the connection is over. */
  answered(): Promise<void> {
    if (this.#unanswered === 0 || this.#closed) return Promise.resolve();
    return new Promise((resolve) => this.#onAnswered.push(resolve));
  }

  #receive(text: string): void {
    const message = parseMessage(text);
    switch (message.kind) {
      case "request":
        this.#serve(message);
        break;
      case "notification":
        this.#hear(message.method, message.params);
        break;
      case "malformed":
        this.#options.onProblem?.({ kind: "malformed", reason: message.reason, text });
        break;
      default:
        this.#settle(message);
    }
  }

  #serve({ id, method, params }: Extract<IncomingMessage, { kind: "request" }>): void {
    const validators = this.#options.serves(method);
    if (!validators) {
      this.#refuse(
        id,
        this.#options.unknownMethod?.(method) ?? new RpcError(RpcErrorCode.methodNotFound, `unknown method ${method}`),
      );
      return;
    }
    const issues = validators.params(params);
    if (issues.length > 0) {
      this.#refuse(id, this.#options.invalidParams?.(method, issues, params) ?? invalidParams(issues));
      return;
    }
    const run = async () => {
      const result = await this.#options.onRequest({ id, method, params, signal: this.#lifetime.signal });
      if (result instanceof RawResult) {
        if (!this.#closed) this.transport.send(formatRawResult(id, result.json, result.room));
        return;
      }
      const wrong = validators.result(result);
      if (wrong.length > 0)
        throw new RpcError(
          RpcErrorCode.internalError,
          `failed to serialize response: ${describeIssue("result", wrong[0] as Issue)}`,
        );
      if (!this.#closed) this.transport.send(formatResult(id, result));
    };
    this.#unanswered += 1;
    run()
      .catch((error: unknown) => this.#refuse(id, toRpcError(error)))
      .finally(() => {
        this.#unanswered -= 1;
        if (this.#unanswered === 0) this.#wake();
      });
  }

  #refuse(id: RequestId, error: RpcError): void {
    if (!this.#closed) this.transport.send(formatError(id, error));
  }

  #wake(): void {
    for (const resolve of this.#onAnswered.splice(0)) resolve();
  }

  #hear(method: string, params: unknown): void {
    const validator = this.#options.hears?.(method);
    if (!validator) {
      this.#options.onProblem?.({ kind: "unknownNotification", method });
      return;
    }
    const issues = validator(params);
    if (issues.length > 0) this.#options.onProblem?.({ kind: "invalidNotification", method, issues });
    else this.#options.onNotification?.(method, params);
  }

  #settle(message: Extract<IncomingMessage, { kind: "result" | "error" }>): void {
    const waiting = this.#waiting.get(message.id);
    if (!waiting) {
      this.#options.onProblem?.({ kind: "strayReply", id: message.id });
      return;
    }
    this.#waiting.delete(message.id);
    if (message.kind === "error") {
      const { code, message: words, data } = message.error;
      waiting.reject(new RpcError(code, words, data));
      return;
    }
    const issue = this.#options.calls?.(waiting.method)?.result(message.result)[0];
    if (issue) waiting.reject(new InvalidResultError(waiting.method, issue.path, issue.message));
    else waiting.resolve(message.result);
  }

  #end(info: CloseInfo): void {
    if (this.#closed) return;
    this.#closed = info;
    const error = new ConnectionClosedError(info.reason, info.error ? { cause: info.error } : undefined);
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
    this.#wake();
    this.#lifetime.abort(error);
    this.#options.onClose?.(info);
  }
}

/** `params.questions[1].options must not be empty` */
export function describeIssue(root: string, issue: Issue): string {
  if (issue.path === "") return `${root} ${issue.message}`;
  const place = issue.path.startsWith("[") ? `${root}${issue.path}` : `${root}.${issue.path}`;
  return `${place} ${issue.message}`;
}

function invalidParams(issues: readonly Issue[]): RpcError {
  return new RpcError(RpcErrorCode.invalidParams, describeIssue("params", issues[0] as Issue));
}

function toRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  return new RpcError(RpcErrorCode.internalError, error instanceof Error ? error.message : String(error));
}
