/**
 * One client: its handshake, the order of its requests and the notifications it gets.
 * Owns what ends with the connection (file handles, streamed bodies); the session outlives it.
 */
import { RpcErrorCode } from "@turnkit/protocol";
import type { ExecInitializeParams, HostProcessEvent } from "@turnkit/protocol/exec";
import { ExecMethods } from "@turnkit/protocol/exec";
import { methodValidators } from "@turnkit/protocol/validate";
import { describeIssue, type IncomingRequest, Peer, type PeerProblem, RpcError, type Transport } from "@turnkit/rpc";
import { osErrorText } from "../process/os-error.js";
import { OutputFrames } from "./frames.js";
import type { HandlerContext } from "./handlers/handler-context.js";
import { handlers } from "./handlers/index.js";
import { OpenFiles } from "./open-files.js";
import { RequestQueue } from "./request-queue.js";
import {
  type Session,
  SessionAttachedError,
  type SessionHolder,
  type Sessions,
  UnknownSessionError,
} from "./sessions.js";
import type { ServerSettings } from "./settings.js";

/** Unsent bytes at which the server stops reading from the client's processes. */
const HIGH_WATER_BYTES = 1 << 20;
/** Requests waiting for their turn at which the server stops reading from the client. */
const MAX_WAITING = 16_384;

const validatorsOf = methodValidators(ExecMethods.clientRequests);
const anything = () => [];
/** Params are checked in the request's turn, so that replies keep their order. */
const unchecked = (method: string) => ({ params: anything, result: validatorsOf(method)?.result ?? anything });

export interface ConnectionOptions {
  readonly sessions: Sessions;
  readonly settings: ServerSettings;
  /** How a malformed message is spoken of: `websocket JSON-RPC message from exec-server websocket 127.0.0.1:1`. */
  readonly messageName: string;
  readonly onClose: () => void;
}

export class Connection implements SessionHolder {
  readonly #peer: Peer;
  readonly #options: ConnectionOptions;
  readonly #queue: RequestQueue;
  readonly #frames = new Map<string, OutputFrames>();
  readonly #files = new OpenFiles();
  readonly #streams = new Set<string>();
  #session: Session | undefined;
  #initialized = false;
  #lagging = false;

  constructor(transport: Transport, options: ConnectionOptions) {
    this.#options = options;
    this.#queue = new RequestQueue(options.settings.concurrentRequests, (waiting) => this.#throttle(waiting));
    this.#peer = new Peer(transport, {
      serves: unchecked,
      hears: (method) => (method === "initialized" ? anything : undefined),
      onRequest: (request) => this.#receive(request),
      onNotification: () => this.#initializedHeard(),
      onProblem: (problem) => this.#problem(problem),
      onClose: () => this.#end(),
    });
  }

  /** Sends what is queued and closes. */
  close(code: number, reason: string): Promise<void> {
    return this.#peer.close(code, reason);
  }

  processEvent(processId: string, event: HostProcessEvent): void {
    const { transport } = this.#peer;
    if (event.type === "output") {
      let frames = this.#frames.get(processId);
      if (!frames) this.#frames.set(processId, (frames = new OutputFrames(processId)));
      transport.send(frames.of(event));
      if (!this.#lagging && transport.bufferedBytes > HIGH_WATER_BYTES) this.#lag();
      return;
    }
    if (event.type === "exited") {
      const { seq, exitCode, sandboxDenied } = event;
      this.#peer.notify("process/exited", { processId, seq, exitCode, sandboxDenied });
    } else if (event.type === "closed") {
      this.#frames.delete(processId);
      this.#peer.notify("process/closed", { processId, seq: event.seq });
    }
  }

  #lag(): void {
    const session = this.#session;
    if (!session) return;
    this.#lagging = true;
    session.processes.pause();
    void this.#peer.transport.drained().then(() => {
      this.#lagging = false;
      if (session.holder === this) session.processes.resume();
    });
  }

  #throttle(waiting: number): void {
    if (waiting >= MAX_WAITING) this.#peer.transport.pause();
    else if (waiting < MAX_WAITING / 2) this.#peer.transport.resume();
  }

  #receive(request: IncomingRequest): unknown {
    const { method, params } = request;
    const validators = validatorsOf(method);
    const processId = (params as { processId?: unknown } | null | undefined)?.processId;
    const key = typeof processId === "string" ? processId : undefined;
    return this.#queue.run(method, validators !== undefined, key, (park) => {
      if (!validators)
        throw new RpcError(RpcErrorCode.methodNotFound, `exec-server stub does not implement \`${method}\` yet`);
      const value = params === undefined ? null : params;
      const [issue] = validators.params(value);
      if (issue) throw new RpcError(RpcErrorCode.invalidParams, describeIssue("params", issue));
      if (method === "initialize") return this.#initialize(value as ExecInitializeParams);
      return this.#serve(method as keyof typeof handlers, value, park);
    });
  }

  #serve(method: keyof typeof handlers, params: unknown, park: () => void): unknown {
    const { family, run } = handlers[method];
    const session = this.#session;
    if (!session)
      throw new RpcError(RpcErrorCode.invalidRequest, `client must call initialize before using ${family} methods`);
    if (!this.#initialized)
      throw new RpcError(RpcErrorCode.invalidRequest, `client must send initialized before using ${family} methods`);
    const context: HandlerContext = {
      processes: session.processes,
      snapshots: session.snapshots,
      files: this.#files,
      streams: this.#streams,
      settings: this.#options.settings,
      signal: this.#peer.signal,
      notify: (name, value) => this.#peer.notify(name, value),
      drained: () => this.#peer.transport.drained(),
      park,
    };
    let result: unknown;
    try {
      result = (run as (params: unknown, context: HandlerContext) => unknown)(params, context);
    } catch (error) {
      throw asRpcError(error);
    }
    if (!(result instanceof Promise)) return result;
    return result.catch((error: unknown) => {
      throw asRpcError(error);
    });
  }

  #initialize(params: ExecInitializeParams): unknown {
    if (this.#session)
      throw new RpcError(RpcErrorCode.invalidRequest, "initialize may only be sent once per connection");
    const { sessions, settings } = this.#options;
    try {
      const wanted = params.resumeSessionId ?? undefined;
      this.#session = wanted === undefined ? sessions.create(this) : sessions.resume(wanted, this);
    } catch (error) {
      if (error instanceof SessionAttachedError) throw new RpcError(RpcErrorCode.sessionAlreadyAttached, error.message);
      if (error instanceof UnknownSessionError) throw new RpcError(RpcErrorCode.invalidRequest, error.message);
      throw error;
    }
    return { sessionId: this.#session.id, environmentInfo: settings.environmentInfo() };
  }

  #initializedHeard(): void {
    if (this.#session) this.#initialized = true;
    else this.#violation("received `initialized` before `initialize`");
  }

  #problem(problem: PeerProblem): void {
    if (problem.kind === "malformed") {
      const message = `failed to parse ${this.#options.messageName}: ${problem.reason}`;
      this.#peer.transport.send(JSON.stringify({ error: { code: RpcErrorCode.invalidRequest, message }, id: -1 }));
    } else if (problem.kind === "garbage") void this.close(1007, problem.reason);
    else if (problem.kind === "strayReply")
      this.#violation(`received a reply to no request (id ${String(problem.id)})`);
    else this.#violation(`received an unknown notification \`${problem.method}\``);
  }

  #violation(reason: string): void {
    void this.close(1008, reason);
  }

  #end(): void {
    this.#queue.clear();
    this.#files.closeAll();
    if (this.#session) this.#options.sessions.detach(this.#session);
    this.#options.onClose();
  }
}

function asRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  return new RpcError(RpcErrorCode.internalError, osErrorText(error));
}
