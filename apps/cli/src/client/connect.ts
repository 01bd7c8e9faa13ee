/** Opens the connection to an app-server: one in this process, or one that runs elsewhere. */
import { AppClient, type AppNotification, type ServerRequestHandlers } from "@turnkit/app-server/client";
import { AppMethods, type AppServerRequest } from "@turnkit/protocol/app";
import type { Transport } from "@turnkit/rpc";
import { CliError, ExitCode, messageOf } from "../exit.js";
import { VERSION } from "../version.js";
import type { AppConnection, ServerNotification, ServerRequest } from "./app-connection.js";

export interface ConnectOptions {
  /** `ws://…` or `unix://…`; undefined: a server in this process. */
  readonly remote: string | undefined;
  /** `key=value`, for a server in this process. */
  readonly overrides: readonly string[];
  /** How this client calls itself: `turnkit_tui`, `turnkit_exec`. */
  readonly name: string;
  readonly log: ((line: string) => void) | undefined;
  /** For a server in this process. Default: the environment of this process. */
  readonly env?: NodeJS.ProcessEnv;
}

/** @throws {CliError} */
export async function connect(options: ConnectOptions): Promise<AppConnection> {
  const { transport, close } = options.remote === undefined ? await inProcess(options) : await remote(options.remote);
  const connection = new ClientConnection(transport, close);
  try {
    await connection.client.initialize({
      clientInfo: { name: options.name, title: "Turnkit", version: VERSION },
      capabilities: { experimentalApi: true },
    });
  } catch (error) {
    await connection[Symbol.asyncDispose]();
    throw error;
  }
  return connection;
}

interface Opened {
  readonly transport: Transport;
  readonly close: () => Promise<void>;
}

async function inProcess(options: ConnectOptions): Promise<Opened> {
  const { createInProcessAppServer } = await import("@turnkit/app-server");
  const server = createInProcessAppServer({
    overrides: options.overrides,
    ...(options.env ? { env: options.env } : {}),
    ...(options.log ? { log: options.log } : {}),
  });
  return { transport: server.transport, close: () => server.close() };
}

async function remote(address: string): Promise<Opened> {
  try {
    if (/^wss?:\/\//.test(address)) {
      const { connectWebSocket } = await import("@turnkit/rpc/websocket");
      const token = process.env.TURNKIT_REMOTE_TOKEN;
      const transport = await connectWebSocket(address, token ? { headers: { authorization: `Bearer ${token}` } } : {});
      return { transport, close: () => transport.close() };
    }
    if (address.startsWith("unix://")) {
      const { connectUnixSocket } = await import("@turnkit/rpc/unix-socket");
      const transport = await connectUnixSocket(address.slice("unix://".length));
      return { transport, close: () => transport.close() };
    }
  } catch (error) {
    throw new CliError(`cannot connect to ${address}: ${messageOf(error)}`, ExitCode.failed);
  }
  throw new CliError(
    `--remote takes ws://HOST:PORT, wss://… or unix://PATH, not ${JSON.stringify(address)}`,
    ExitCode.usage,
  );
}

class ClientConnection implements AppConnection {
  readonly client: AppClient;
  #notify: ((notification: ServerNotification) => void) | null = null;
  #early: ServerNotification[] = [];
  #ask: ((request: ServerRequest) => Promise<unknown>) | null = null;
  #closed: ((reason: string) => void) | null = null;
  #closing = false;

  constructor(
    transport: Transport,
    private readonly close: () => Promise<void>,
  ) {
    const requests = Object.fromEntries(
      Object.keys(AppMethods.serverRequests).map((method) => [
        method,
        (params: unknown, { id }: { id: string | number | bigint }) =>
          this.#handle(method as AppServerRequest, typeof id === "bigint" ? Number(id) : id, params),
      ]),
    ) as unknown as ServerRequestHandlers;
    this.client = new AppClient(transport, {
      requests,
      onNotification: (notification: AppNotification) => {
        if (this.#notify) this.#notify(notification);
        else this.#early.push(notification);
      },
      onClose: (info) => {
        if (!this.#closing) this.#closed?.(info.reason);
      },
    });
  }

  #handle(method: AppServerRequest, id: string | number, params: unknown): Promise<unknown> {
    if (!this.#ask) return Promise.reject(new Error(`${method} came before anyone could be asked`));
    return this.#ask({ id, method, params } as ServerRequest);
  }

  readonly request: AppConnection["request"] = (method, params) => this.client.request(method, params);

  onNotification(listener: (notification: ServerNotification) => void): void {
    this.#notify = listener;
    for (const notification of this.#early.splice(0)) listener(notification);
  }

  onRequest(listener: (request: ServerRequest) => Promise<unknown>): void {
    this.#ask = listener;
  }

  onClose(listener: (reason: string) => void): void {
    this.#closed = listener;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing = true;
    await this.client.close();
    await this.close();
  }
}
