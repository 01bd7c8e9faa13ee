/**
 * One client: handshake, capabilities, what it may call, how much it may have in flight, and what it is told.
 * Does not know what methods do; a router is handed in.
 */

import { RpcErrorCode } from "@turnkit/protocol";
import type { InitializeParams } from "@turnkit/protocol/app";
import { formatNotification, Peer, type PeerProblem, type RequestId, RpcError, type Transport } from "@turnkit/rpc";
import type { Asker } from "../server-requests.js";
import { experimentalRefusal } from "./experimental.js";
import { gated } from "./gate.js";
import { checkRequest, loadMethodTable, methodTable, methodTableLoaded } from "./method-table.js";
import { withModeAliases } from "./mode-aliases.js";
import { paced } from "./paced.js";

export interface ClientRequest {
  readonly method: string;
  readonly params: unknown;
  readonly connection: Connection;
  readonly signal: AbortSignal;
}

export interface ConnectionOptions {
  /** Called for every request after the handshake; the result is the reply. */
  readonly route: (request: ClientRequest) => Promise<unknown>;
  readonly initialize: (params: InitializeParams, connection: Connection) => Promise<unknown>;
  readonly onClose: (connection: Connection) => void;
  /** One line for the operator: traffic that was dropped. */
  readonly log: (line: string) => void;
  readonly limits: ConnectionLimits;
}

export interface ConnectionLimits {
  /** Requests of one client that wait or run; beyond it they are refused with −32001. */
  readonly requestsInFlight: number;
  /** Unsent bytes after which a client counts as stuck and is disconnected; null: it is waited for. */
  readonly unsentBytes: number | null;
}

export interface ClientIdentity {
  readonly name: string;
  readonly version: string;
  readonly experimentalApi: boolean;
  readonly optOut: ReadonlySet<string>;
}

/** Printable ASCII and tab: what an HTTP header may carry. */
const headerValue = /^[\t\x20-\x7e]*$/;

export class Connection implements Asker {
  readonly #peer: Peer;
  readonly #options: ConnectionOptions;
  #client: ClientIdentity | undefined;
  readonly #afterClose: (() => void)[] = [];
  #inFlight = 0;
  /** Bytes of notifications and questions since everything was sent. */
  #toldBytes = 0;
  /** Closing waits for the client to read: until then the connection is not closed. */
  #givenUp = false;

  constructor(transport: Transport, options: ConnectionOptions) {
    this.#options = options;
    this.#peer = new Peer(gated(paced(transport), { ready: methodTableLoaded, load: loadMethodTable }), {
      ...methodTable,
      onRequest: ({ method, params, signal }) => this.#admit(method, params, signal),
      onProblem: (problem) => options.log(describeProblem(problem)),
      onClose: () => {
        options.onClose(this);
        for (const task of this.#afterClose.splice(0)) task();
      },
    });
  }

  get client(): ClientIdentity | undefined {
    return this.#client;
  }

  get closed(): boolean {
    return this.#peer.closed !== undefined;
  }

  /** For what a handler holds on behalf of this client. */
  onceClosed(task: () => void): void {
    if (this.closed) task();
    else this.#afterClose.push(task);
  }

  /** Tells the client, unless it opted out of the method or has not introduced itself. */
  notify(method: string, params: unknown): void {
    this.send(method, formatNotification(method, params, { emittedAtMs: Date.now() }));
  }

  /** The same with a text that was made once for several clients. */
  send(method: string, text: string): void {
    if (!this.#client || this.#client.optOut.has(method) || this.closed) return;
    this.#tell(() => this.#peer.transport.send(text));
  }

  request(method: string, params: unknown, options: { readonly id: RequestId }): Promise<unknown> {
    return this.#tell(() => this.#peer.request(method, params, options));
  }

  abandon(id: RequestId, error: Error): boolean {
    return this.#peer.abandon(id, error);
  }

  /** Resolves when every request that has come so far has its reply, or the connection is over. */
  answered(): Promise<void> {
    return this.#peer.answered();
  }

  close(code?: number, reason?: string): Promise<void> {
    return this.#peer.close(code, reason);
  }

  async #admit(method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    checkRequest(method, params);
    if (method === "initialize") return this.#initialize(params as InitializeParams);
    if (!this.#client) throw new RpcError(RpcErrorCode.invalidRequest, "Not initialized");
    if (!this.#client.experimentalApi) {
      const refused = experimentalRefusal(method, params);
      if (refused) throw refused;
    }
    if (this.#inFlight >= this.#options.limits.requestsInFlight) {
      throw new RpcError(RpcErrorCode.overloaded, "Server overloaded; retry later.");
    }
    this.#inFlight += 1;
    try {
      return await this.#options.route({ method, params: withModeAliases(params), connection: this, signal });
    } finally {
      this.#inFlight -= 1;
    }
  }

  async #initialize(params: InitializeParams): Promise<unknown> {
    if (this.#client) throw new RpcError(RpcErrorCode.invalidRequest, "Already initialized");
    const { name, version } = params.clientInfo;
    if (!headerValue.test(name)) {
      throw new RpcError(
        RpcErrorCode.invalidRequest,
        `Invalid clientInfo.name: '${name}'. Must be a valid HTTP header value.`,
      );
    }
    this.#client = {
      name,
      version,
      experimentalApi: params.capabilities?.experimentalApi ?? false,
      optOut: new Set(params.capabilities?.optOutNotificationMethods ?? []),
    };
    return this.#options.initialize(params, this);
  }

  /** A large reply that is on its way does not make its client stuck: what it was told unasked counts alone. */
  #tell<T>(send: () => T): T {
    const { transport } = this.#peer;
    const before = transport.bufferedBytes;
    if (before === 0) this.#toldBytes = 0;
    const sent = send();
    const unsent = transport.bufferedBytes;
    this.#toldBytes += Math.max(0, unsent - before);
    const { unsentBytes } = this.#options.limits;
    if (unsentBytes !== null && !this.#givenUp && Math.min(unsent, this.#toldBytes) > unsentBytes) {
      this.#givenUp = true;
      this.#options.log(`disconnecting a client that does not read: ${unsent} bytes unsent`);
      void this.#peer.close(1013, "client does not read");
    }
    return sent;
  }
}

function describeProblem(problem: PeerProblem): string {
  switch (problem.kind) {
    case "malformed":
    case "garbage":
      return `Failed to deserialize JSONRPCMessage: ${problem.reason}`;
    case "unknownNotification":
      return `ignored unknown notification ${problem.method}`;
    case "invalidNotification":
      return `ignored invalid notification ${problem.method}`;
    case "strayReply":
      return `could not find callback for request id ${String(problem.id)}`;
  }
}
