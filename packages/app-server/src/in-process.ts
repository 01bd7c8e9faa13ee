/** An app-server in this process and the client's end of an in-memory connection to it. */
import { createInMemoryPair, type Transport } from "@turnkit/rpc";
import { AppServer, type AppServerOptions } from "./app-server.js";
import { homeFolder, type RunIo } from "./run-app-server.js";

export interface InProcessOptions {
  readonly env?: RunIo["env"];
  /** Default: by `env` (`TURNKIT_HOME`, else `~/.turnkit`). */
  readonly home?: string;
  /** Configuration overrides, `key=value` with a TOML value, as for `-c`. */
  readonly overrides?: readonly string[];
  readonly log?: (line: string) => void;
  /** Default: core with processes of this machine. */
  readonly host?: AppServerOptions["host"];
}

export interface InProcessAppServer extends AsyncDisposable {
  /** The client's end; more clients can be connected with `connect`. */
  readonly transport: Transport;
  connect(): Transport;
  /** Ends turns and processes, writes what is left. */
  close(): Promise<void>;
}

export function createInProcessAppServer(options: InProcessOptions = {}): InProcessAppServer {
  const env = options.env ?? process.env;
  const home = options.home ?? homeFolder(env);
  const log = options.log ?? (() => {});
  const server = new AppServer({
    home,
    host:
      options.host ??
      (async () => {
        const { composeHost } = await import("./compose.js");
        return composeHost({ home, env, overrides: options.overrides ?? [], log });
      }),
    log,
  });
  const connect = () => {
    const [client, ours] = createInMemoryPair();
    server.accept(ours, { patient: true });
    return client;
  };
  return {
    transport: connect(),
    connect,
    close: () => server.close(),
    [Symbol.asyncDispose]: () => server.close(),
  };
}
