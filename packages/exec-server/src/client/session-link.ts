/**
 * The client's hold on a session: the present connection, or the way back to one.
 * Owns reconnecting within its budget; what has to be made good after a loss is its owner's business (`restore`).
 */

import { setTimeout as delay } from "node:timers/promises";
import { RpcErrorCode } from "@turnkit/protocol";
import { ConnectionClosedError, RpcError, type Transport } from "@turnkit/rpc";
import { HostTransportError } from "./errors.js";
import { Link, type LinkListener } from "./link.js";

export interface SessionLinkOptions {
  readonly clientName: string;
  /** Opens a new connection; must end within the signal. */
  readonly dial: (signal: AbortSignal) => Promise<Transport>;
  /** false: a lost connection is final (a child's stdio cannot be opened again). */
  readonly reconnects: boolean;
  readonly budgetMs: number;
  readonly retryMs: number;
  readonly notification: (method: string, params: unknown) => void;
  /** A connection was lost; called before the way back begins. */
  readonly lost: () => void;
  /** Makes good on a new connection what the loss cost. Losing that one too starts over. */
  readonly restore: (link: Link, budget: AbortSignal) => Promise<void>;
  /** Nothing more can be done. */
  readonly failed: (error: HostTransportError) => void;
}

export class SessionLink {
  readonly #options: SessionLinkOptions;
  #link: Promise<Link>;
  #sessionId: string | undefined;
  #final: HostTransportError | undefined;
  #recovering = false;
  #closing = false;

  private constructor(options: SessionLinkOptions, first: (listener: LinkListener) => Promise<Link>) {
    this.#options = options;
    this.#link = first(this.#listener());
    this.#link.catch(() => {});
  }

  /** @throws the first connection's failure: there is no session yet to go back to */
  static async open(options: SessionLinkOptions, signal: AbortSignal): Promise<SessionLink> {
    const transport = await options.dial(signal);
    const held = new SessionLink(options, (listener) =>
      Link.open(transport, { name: options.clientName, resumeSessionId: undefined }, listener),
    );
    const link = await held.#link;
    held.#sessionId = link.session.sessionId;
    return held;
  }

  /** Waits for a connection. @throws {HostTransportError} there will be none */
  async current(): Promise<Link> {
    if (this.#final) throw this.#final;
    return await this.#link;
  }

  async close(): Promise<void> {
    this.#closing = true;
    const link = await this.#link.catch(() => undefined);
    this.#fail(new HostTransportError("the connection to the exec-server was closed"));
    await link?.close();
  }

  /** Only the loss of the present connection counts; those of attempts are seen by the attempt itself. */
  #listener(): LinkListener {
    return {
      notification: this.#options.notification,
      closed: ({ reason }) => {
        if (this.#sessionId === undefined || this.#recovering || this.#closing || this.#final) return;
        this.#recovering = true;
        this.#options.lost();
        this.#link = this.#recover(reason);
        this.#link.catch(() => {});
      },
    };
  }

  async #recover(disconnect: string): Promise<Link> {
    const { reconnects, budgetMs, retryMs } = this.#options;
    if (!reconnects) throw this.#fail(new HostTransportError(disconnect));
    const deadline = performance.now() + budgetMs;
    const budget = AbortSignal.timeout(budgetMs);
    let last: unknown;
    while (performance.now() < deadline && !this.#closing) {
      try {
        const link = await this.#attempt(budget);
        this.#recovering = false;
        return link;
      } catch (error) {
        last = error;
        if (!budget.aborted && !retryable(error)) break;
      }
      await delay(Math.min(retryMs, Math.max(0, deadline - performance.now())));
    }
    const expired = budget.aborted || performance.now() >= deadline;
    const why = expired ? `recovery timed out after ${budgetMs / 1000}s` : messageOf(last);
    const words = `${disconnect}; failed to resume exec-server session: ${why}`;
    throw this.#fail(new HostTransportError(words, { cause: last }));
  }

  async #attempt(budget: AbortSignal): Promise<Link> {
    const transport = await this.#options.dial(budget);
    let lost = false;
    const own = this.#listener();
    const client = { name: this.#options.clientName, resumeSessionId: this.#sessionId };
    const link = await Link.open(transport, client, {
      notification: own.notification,
      closed: (info) => {
        lost = true;
        own.closed(info);
      },
    });
    try {
      await this.#options.restore(link, budget);
    } catch (error) {
      await link.close();
      throw error;
    }
    if (lost) throw new ConnectionClosedError("the connection was lost again during recovery");
    return link;
  }

  #fail(error: HostTransportError): HostTransportError {
    if (!this.#final) {
      this.#final = error;
      this.#options.failed(error);
    }
    return this.#final;
  }
}

/** A refusal is final, except of a session that its old connection still holds. Everything below the protocol is not. */
function retryable(error: unknown): boolean {
  return !(error instanceof RpcError) || error.code === RpcErrorCode.sessionAlreadyAttached;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
