/**
 * The `app-server` command: options, endpoint, signals, and the end. Exit codes: 0 ended as asked, 1 could not start,
 * 2 wrong usage.
 */
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { AppServer } from "./app-server.js";
import { StartRefusedError, UsageError } from "./listen/errors.js";
import { type ListenOptions, parseListenOptions } from "./listen/options.js";
import { serve } from "./listen/serve.js";

export interface RunIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** One line for a person. */
  readonly stderr: (line: string) => void;
  /** Ends the server as a signal would; for tests and embedding programs. */
  readonly signal?: AbortSignal;
}

/** The folder for configuration and sessions: `TURNKIT_HOME`, else `~/.turnkit`. */
export function homeFolder(env: RunIo["env"]): string {
  return env.TURNKIT_HOME ? resolve(env.TURNKIT_HOME) : join(homedir(), ".turnkit");
}

export async function runAppServer(argv: readonly string[], io: RunIo): Promise<number> {
  const home = homeFolder(io.env);
  let options: ListenOptions;
  try {
    options = await parseListenOptions(argv, home);
  } catch (error) {
    if (error instanceof StartRefusedError) {
      io.stderr(`Error: ${error.message}`);
      return 1;
    }
    if (!(error instanceof UsageError)) throw error;
    io.stderr(`error: ${error.message}`);
    return 2;
  }
  const problem = await startProblem(home, options);
  if (problem !== null) {
    io.stderr(`Error: ${problem}`);
    return 1;
  }
  const server = new AppServer({
    home,
    host: async () => {
      const { composeHost } = await import("./compose.js");
      return composeHost({ home, env: io.env, overrides: options.overrides, log: io.stderr });
    },
    log: io.stderr,
  });
  try {
    const serving = await serve(server, options);
    // From here on: a signal right behind the printed address must find its handler.
    using signalled = options.endpoint.kind === "stdio" ? undefined : await onSignals(server, io);
    if (serving.address !== null) io.stderr(`listening on ${serving.address}`);
    await Promise.race([serving.ended, aborted(io.signal), ...(signalled ? [signalled.ended] : [])]);
    await server.close();
    await serving.close();
    return 0;
  } catch (error) {
    io.stderr(`Error: ${error instanceof Error ? error.message : error}`);
    return 1;
  } finally {
    await server.close();
  }
}

async function onSignals(server: AppServer, io: RunIo) {
  const { drainOnSignals } = await import("./listen/drain-on-signals.js");
  return drainOnSignals(server, io.stderr);
}

/** A configuration that cannot be used stops the start; without a file there is nothing to read and nothing to load. */
async function startProblem(home: string, options: ListenOptions): Promise<string | null> {
  const { checkConfig } = await import("./config-check.js");
  return checkConfig(home, options.overrides);
}

function aborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve();
    signal?.addEventListener("abort", () => resolve(), { once: true });
  });
}
