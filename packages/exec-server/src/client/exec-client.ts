/**
 * A ProcessHost whose processes run on an exec-server. Survives lost connections: what was missed is fetched, writes
 * are repeated under the same id, and a start whose fate is unknown is undone.
 * Owns the table of processes; the way back to the server is `session-link.ts`.
 */

import { basename } from "node:path";
import { RpcErrorCode } from "@turnkit/protocol";
import type {
  ExecCapabilities,
  ExecEnvironmentInfo,
  HostEnvironment,
  HostProcess,
  HostStartRequest,
  ProcessClosedNotification,
  ProcessExitedNotification,
  ProcessHost,
  ProcessOutputNotification,
} from "@turnkit/protocol/exec";
import { ConnectionClosedError, RpcError, type Transport } from "@turnkit/rpc";
import { connectUnixSocket } from "@turnkit/rpc/unix-socket";
import { connectWebSocket } from "@turnkit/rpc/websocket";
import { pathFromUri, uriFromPath } from "../path-uri.js";
import { CallSlots } from "./call-slots.js";
import { HostTransportError } from "./errors.js";
import type { Link } from "./link.js";
import { type CallOptions, RemoteProcess } from "./remote-process.js";
import { SessionLink } from "./session-link.js";

const CONNECT_LIMIT_MS = 10_000;
const ENVIRONMENT_LIMIT_MS = 30_000;
/** Below the 30 s for which a server keeps a session. */
const RECOVERY_BUDGET_MS = 25_000;
const RETRY_DELAY_MS = 100;
const DISPOSE_LIMIT_MS = 2_000;

export interface ExecClientOptions {
  /** Told to the server. Default `turnkit`. */
  readonly clientName?: string;
  /** Bearer token for servers that require one. */
  readonly authToken?: string;
  /** Gives up connecting. */
  readonly signal?: AbortSignal;
  /** How long a lost connection may stay lost, in milliseconds. Default 25,000. */
  readonly recoveryBudgetMs?: number;
  /** Between two attempts to get it back, in milliseconds. Default 100. */
  readonly recoveryRetryMs?: number;
}

/**
 * Connects to `ws://IP:PORT`, `wss://HOST` or `unix:///PATH`.
 * @throws the server could not be reached, refused, or does not speak the protocol
 */
export function connectExecServer(url: string, options: ExecClientOptions = {}): Promise<ExecClient> {
  const headers = options.authToken === undefined ? {} : { authorization: `Bearer ${options.authToken}` };
  const dial = (signal: AbortSignal): Promise<Transport> => {
    const each = { headers, signal, timeoutMs: CONNECT_LIMIT_MS };
    return url.startsWith("unix://")
      ? connectUnixSocket(url.slice("unix://".length), each)
      : connectWebSocket(url, each);
  };
  return ExecClient.open(dial, true, options);
}

/** Over a transport that is open already, such as a child's stdio. Its loss is final. */
export function execClientOver(transport: Transport, options: ExecClientOptions = {}): Promise<ExecClient> {
  return ExecClient.open(() => Promise.resolve(transport), false, options);
}

export class ExecClient implements ProcessHost {
  readonly #processes = new Map<string, RemoteProcess>();
  /** Started for all we know, without a reply: to be ended on the next connection. */
  readonly #orphans = new Map<string, () => void>();
  readonly #slots = new CallSlots();
  #held!: SessionLink;
  #info: ExecEnvironmentInfo | undefined;

  private constructor() {}

  /** @internal */
  static async open(
    dial: (signal: AbortSignal) => Promise<Transport>,
    reconnects: boolean,
    options: ExecClientOptions,
  ): Promise<ExecClient> {
    const client = new ExecClient();
    client.#held = await SessionLink.open(
      {
        clientName: options.clientName ?? "turnkit",
        dial,
        reconnects,
        budgetMs: options.recoveryBudgetMs ?? RECOVERY_BUDGET_MS,
        retryMs: options.recoveryRetryMs ?? RETRY_DELAY_MS,
        notification: (method, params) => client.#heard(method, params),
        lost: () => {
          for (const process of client.#recoverable()) process.lost();
        },
        restore: (link, budget) => client.#restore(link, budget),
        failed: (error) => client.#failed(error),
      },
      options.signal ?? new AbortController().signal,
    );
    const { session } = await client.#held.current();
    client.#info = session.environmentInfo;
    return client;
  }

  /** What the server says it can do. */
  get capabilities(): ExecCapabilities {
    return this.#info?.capabilities ?? {};
  }

  async environment(): Promise<HostEnvironment> {
    if (!this.#info) {
      const link = await this.#held.current();
      const signal = AbortSignal.timeout(ENVIRONMENT_LIMIT_MS);
      this.#info = (await link.request("environment/info", {}, signal)) as ExecEnvironmentInfo;
    }
    const { shell, cwd, tempDir } = this.#info;
    return {
      shell: { name: shell.name || basename(shell.path), path: shell.path },
      cwd: cwd === undefined ? "/" : pathFromUri(cwd),
      tempDir: tempDir === undefined ? "/tmp" : pathFromUri(tempDir),
    };
  }

  /**
   * Not repeated when the connection is lost meanwhile: the process is ended if it did start, and the loss reported.
   * @throws {RpcError} the server's refusal  @throws {HostTransportError}
   */
  async start(request: HostStartRequest, options?: { signal?: AbortSignal }): Promise<HostProcess> {
    const { processId } = request;
    const signal = options?.signal;
    signal?.throwIfAborted();
    if (this.#processes.has(processId))
      throw new RpcError(RpcErrorCode.invalidRequest, `process ${processId} already exists`);
    const process: RemoteProcess = new RemoteProcess(
      processId,
      (method, params, call) => this.#call(method, params, call),
      () => this.capabilities.processResize === true,
      () => {
        if (this.#processes.get(processId) === process) this.#processes.delete(processId);
      },
    );
    // Output may come before the reply.
    this.#processes.set(processId, process);
    try {
      await this.#slots.run(false, async () => {
        const link = await this.#held.current();
        await link.request("process/start", startParams(request));
        process.acknowledged = true;
      });
    } catch (error) {
      this.#processes.delete(processId);
      if (!(error instanceof ConnectionClosedError)) throw error;
      await new Promise<void>((resolve) => this.#orphans.set(processId, resolve));
      throw new HostTransportError(`the connection was lost while process ${processId} was starting`, { cause: error });
    }
    if (signal?.aborted) {
      await process.terminate().catch(() => false);
      signal.throwIfAborted();
    }
    return process;
  }

  /** Ends every process that still runs, then the connection. */
  async [Symbol.asyncDispose](): Promise<void> {
    const ends = [...this.#processes.values()].map((process) => process.terminate().catch(() => false));
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, DISPOSE_LIMIT_MS);
    });
    await Promise.race([Promise.all(ends), limit]);
    clearTimeout(timer);
    await this.#held.close();
  }

  #call(method: string, params: unknown, { retry = false, cleanup = false }: CallOptions = {}): Promise<unknown> {
    return this.#slots.run(cleanup, async () => {
      for (;;) {
        const link = await this.#held.current();
        try {
          return await link.request(method, params);
        } catch (error) {
          if (!(error instanceof ConnectionClosedError)) throw error;
          if (!retry) throw new HostTransportError(`${method}: the connection was lost`, { cause: error });
        }
      }
    });
  }

  #heard(method: string, params: unknown): void {
    switch (method) {
      case "process/output": {
        const { processId, seq, stream, chunk } = params as ProcessOutputNotification;
        const process = this.#processes.get(processId);
        process?.received({ type: "output", seq, stream, bytes: Buffer.from(chunk, "base64") });
        break;
      }
      case "process/exited": {
        const { processId, seq, exitCode, sandboxDenied = false } = params as ProcessExitedNotification;
        this.#processes.get(processId)?.received({ type: "exited", seq, exitCode, sandboxDenied });
        break;
      }
      case "process/closed": {
        const { processId, seq } = params as ProcessClosedNotification;
        this.#processes.get(processId)?.received({ type: "closed", seq });
        break;
      }
    }
  }

  /** One process that cannot be recovered does not keep the others from it. */
  async #restore(link: Link, budget: AbortSignal): Promise<void> {
    for (const [processId, resolve] of [...this.#orphans]) {
      await link.request("process/terminate", { processId }, budget);
      this.#orphans.delete(processId);
      resolve();
    }
    await Promise.all(this.#recoverable().map((process) => process.recover(link, budget)));
  }

  /** A start that is still under way is not the recovery's business. */
  #recoverable(): RemoteProcess[] {
    return [...this.#processes.values()].filter((process) => process.acknowledged);
  }

  #failed(error: HostTransportError): void {
    for (const process of [...this.#processes.values()]) process.fail(error.message);
    for (const resolve of this.#orphans.values()) resolve();
    this.#orphans.clear();
  }
}

function startParams(request: HostStartRequest) {
  return {
    processId: request.processId,
    argv: request.argv,
    cwd: uriFromPath(request.cwd),
    env: request.env,
    tty: request.tty,
    pipeStdin: request.pipeStdin === true,
    arg0: request.arg0 ?? null,
    ...(request.sandbox === undefined ? {} : { sandbox: request.sandbox }),
  };
}
