/**
 * One client of an app-server over any transport: typed requests, notifications in order, answers to server requests.
 * Results and notifications are validated; a server request without a handler is refused, never left unanswered.
 */
import { RpcErrorCode } from "@turnkit/protocol";
import {
  type AppClientRequest,
  AppMethods,
  type AppParams,
  type AppResult,
  type AppServerNotification,
  type AppServerRequest,
} from "@turnkit/protocol/app";
import { methodValidators } from "@turnkit/protocol/validate";
import { type CloseInfo, Peer, type PeerProblem, RpcError, type Transport } from "@turnkit/rpc";
import type { AppNotification } from "./types.js";

export type ServerRequestHandlers = {
  readonly [Method in AppServerRequest]?: (
    params: AppParams<Method>,
    context: { readonly id: string | number | bigint; readonly signal: AbortSignal },
  ) => AppResult<Method> | Promise<AppResult<Method>>;
};

export interface AppClientOptions {
  readonly requests?: ServerRequestHandlers;
  readonly onNotification?: (notification: AppNotification) => void;
  /** Messages that were dropped: not JSON, unknown, or not of their method's type. */
  readonly onProblem?: (problem: PeerProblem) => void;
  readonly onClose?: (info: CloseInfo) => void;
}

type Listener<Method extends AppServerNotification> = (params: AppParams<Method>) => void;

const calls = methodValidators(AppMethods.clientRequests);
const serves = methodValidators(AppMethods.serverRequests);
const hears = methodValidators(AppMethods.serverNotifications);

export class AppClient implements AsyncDisposable {
  readonly #peer: Peer;
  readonly #listeners = new Map<string, Set<(params: never) => void>>();

  constructor(transport: Transport, options: AppClientOptions = {}) {
    const handlers = (options.requests ?? {}) as Record<
      string,
      ((params: unknown, context: { id: string | number | bigint; signal: AbortSignal }) => unknown) | undefined
    >;
    this.#peer = new Peer(transport, {
      serves,
      calls,
      hears: (method) => hears(method)?.params,
      onRequest: ({ method, params, id, signal }) => {
        const handler = handlers[method];
        if (!handler) throw new RpcError(RpcErrorCode.methodNotFound, `${method} is not handled by this client`);
        return handler(params, { id, signal });
      },
      onNotification: (method, params) => {
        options.onNotification?.({ method, params } as AppNotification);
        for (const listener of this.#listeners.get(method) ?? []) listener(params as never);
      },
      onProblem: (problem) => options.onProblem?.(problem),
      onClose: (info) => options.onClose?.(info),
      firstRequestId: 1,
    });
  }

  /** Introduces the client; nothing else works before. */
  async initialize(params: AppParams<"initialize">): Promise<AppResult<"initialize">> {
    const result = await this.request("initialize", params);
    this.#peer.notify("initialized");
    return result;
  }

  /**
   * @throws {RpcError} the server's refusal @throws {ConnectionClosedError} @throws {InvalidResultError}
   */
  request<Method extends AppClientRequest>(
    method: Method,
    params: AppParams<Method>,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<AppResult<Method>> {
    return this.#peer.request(method, params, options) as Promise<AppResult<Method>>;
  }

  /** Returns the function that removes the listener. */
  on<Method extends AppServerNotification>(method: Method, listener: Listener<Method>): () => void {
    const listeners = this.#listeners.get(method) ?? new Set();
    this.#listeners.set(method, listeners);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /** Resolves with the first notification from now on that the predicate accepts. @throws when the connection ends */
  next<Method extends AppServerNotification>(
    method: Method,
    accepts: (params: AppParams<Method>) => boolean = () => true,
  ): Promise<AppParams<Method>> {
    return new Promise((resolve, reject) => {
      const closed = () => {
        remove();
        reject(this.#peer.signal.reason);
      };
      const remove = this.on(method, (params) => {
        if (!accepts(params)) return;
        remove();
        this.#peer.signal.removeEventListener("abort", closed);
        resolve(params);
      });
      if (this.#peer.signal.aborted) closed();
      else this.#peer.signal.addEventListener("abort", closed, { once: true });
    });
  }

  get closed(): CloseInfo | undefined {
    return this.#peer.closed;
  }

  close(): Promise<void> {
    return this.#peer.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
