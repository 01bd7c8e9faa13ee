/**
 * `turnkit exec-server`: from a command line to a running server and an exit code.
 * Owns signals, the one line on stdout and the words of what went wrong.
 */
import { homedir } from "node:os";
import { join } from "node:path";
import { osErrorText } from "../process/os-error.js";
import { type TokenCheck, tokenCheckFromFile } from "./auth-token.js";
import { ExecServer } from "./exec-server.js";
import { type Listener, listen } from "./listen.js";
import { environmentInfo } from "./machine.js";
import { isLoopback, parseOptions, USAGE, UsageError } from "./options.js";

export interface ExecServerIo {
  readonly env: NodeJS.ProcessEnv;
  /** Both take whole texts, line breaks included. */
  readonly writeOut: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Ends the server as SIGTERM does. */
  readonly signal?: AbortSignal;
}

/** Runs until a signal, or over stdio until the client is gone. Resolves to the exit code. */
export async function runExecServer(argv: readonly string[], io: ExecServerIo): Promise<number> {
  // From the start: a signal right behind the printed address must find its handler.
  const stop = new StopSignal(io.signal);
  try {
    return await serve(argv, io, stop.received);
  } finally {
    stop.release();
  }
}

async function serve(argv: readonly string[], io: ExecServerIo, stopped: Promise<void>): Promise<number> {
  let listener: Listener;
  let server: ExecServer;
  try {
    const options = parseOptions(argv);
    if (!options) {
      io.writeOut(USAGE);
      return 0;
    }
    const { listen: where, authTokenFile } = options;
    if (where.kind === "tcp" && !isLoopback(where.host) && authTokenFile === undefined) {
      const words = `Error: listening on ${where.host} needs --auth-token-file: anyone who can connect can run programs`;
      throw new UsageError(words, 1);
    }
    const token: TokenCheck | undefined = authTokenFile === undefined ? undefined : tokenCheckFromFile(authTokenFile);
    const info = environmentInfo(io.env, {
      environmentConfigRead: true,
      httpHeaderEnvVars: true,
      capabilityDiscoverySandbox: true,
      sandboxedFileStreaming: true,
      shellSnapshotV2: true,
      processResize: true,
      processCloseStdin: true,
    });
    server = new ExecServer({
      concurrentRequests: options.concurrentRequests,
      environment: io.env,
      environmentInfo: () => info,
      homeDirectory: io.env.TURNKIT_HOME || io.env.CODEX_HOME || join(homedir(), ".turnkit"),
    });
    listener = await listen(server, where, token);
  } catch (error) {
    if (error instanceof UsageError) {
      io.writeError(`${error.message}\n`);
      return error.exitCode;
    }
    io.writeError(`Error: ${osErrorText(error)}\n`);
    return 1;
  }
  if (listener.url !== undefined) io.writeOut(`${listener.url}\n`);
  await Promise.race([stopped, listener.finished]);
  await server[Symbol.asyncDispose]();
  await listener.close();
  return 0;
}

/** SIGTERM, SIGINT or the caller's own signal. */
class StopSignal {
  readonly received: Promise<void>;
  readonly #signal: AbortSignal | undefined;
  #resolve: () => void = () => {};

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
    this.received = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    process.on("SIGTERM", this.#resolve);
    process.on("SIGINT", this.#resolve);
    if (signal?.aborted) this.#resolve();
    else signal?.addEventListener("abort", this.#resolve, { once: true });
  }

  release(): void {
    process.off("SIGTERM", this.#resolve);
    process.off("SIGINT", this.#resolve);
    this.#signal?.removeEventListener("abort", this.#resolve);
  }
}
