/**
 * One live connection to a server, initialized. Owns the handshake and its limits; when it ends it is replaced, never
 * repaired.
 */
import { type ExecInitializeResponse, ExecMethods } from "@turnkit/protocol/exec";
import { methodValidators, validator } from "@turnkit/protocol/validate";
import { type CloseInfo, Peer, type Transport } from "@turnkit/rpc";

const INITIALIZE_LIMIT_MS = 10_000;

const calls = methodValidators(ExecMethods.clientRequests);
const notifications = new Map(
  Object.entries(ExecMethods.serverNotifications).map(([method, { params }]) => [method, params] as const),
);
const hears = (method: string) => {
  const name = notifications.get(method);
  return name === undefined ? undefined : validator(name);
};

export interface LinkListener {
  notification(method: string, params: unknown): void;
  closed(info: CloseInfo): void;
}

export class Link {
  readonly session: ExecInitializeResponse;
  readonly #peer: Peer;

  private constructor(peer: Peer, session: ExecInitializeResponse) {
    this.#peer = peer;
    this.session = session;
  }

  /** @throws {RpcError} the server refused, -32010 while another connection holds the session  @throws any transport error */
  static async open(
    transport: Transport,
    client: { name: string; resumeSessionId: string | undefined },
    listener: LinkListener,
  ): Promise<Link> {
    const peer = new Peer(transport, {
      serves: () => undefined,
      calls,
      hears,
      onRequest: () => undefined,
      onNotification: (method, params) => listener.notification(method, params),
      onClose: (info) => listener.closed(info),
      firstRequestId: 1,
    });
    try {
      const params = { clientName: client.name, resumeSessionId: client.resumeSessionId ?? null };
      const signal = AbortSignal.timeout(INITIALIZE_LIMIT_MS);
      const session = (await peer.request("initialize", params, { signal })) as ExecInitializeResponse;
      peer.notify("initialized", {});
      return new Link(peer, session);
    } catch (error) {
      void peer.close();
      throw error;
    }
  }

  request(method: string, params: unknown, signal?: AbortSignal): Promise<unknown> {
    return this.#peer.request(method, params, signal ? { signal } : {});
  }

  close(): Promise<void> {
    return this.#peer.close();
  }
}
