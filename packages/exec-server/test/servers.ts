/** Servers to test against: in this process, over real sockets. */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ExecServer, type ExecServerLimits, type Listen, listen } from "@turnkit/exec-server/server";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";

export interface RunningServer extends AsyncDisposable {
  readonly url: string;
  readonly server: ExecServer;
}

export async function startServer(
  where: Listen = { kind: "tcp", host: "127.0.0.1", port: 0 },
  limits: ExecServerLimits & { concurrentRequests?: number } = {},
): Promise<RunningServer> {
  const server = new ExecServer(
    {
      concurrentRequests: limits.concurrentRequests ?? 1,
      environment: process.env,
      environmentInfo: () => ({
        shell: { name: "sh", path: "/bin/sh" },
        cwd: "file:///tmp",
        tempDir: "file:///tmp",
        capabilities: { processResize: true, processCloseStdin: true },
      }),
      homeDirectory: "/nonexistent",
    },
    limits,
  );
  const listener = await listen(server, where, undefined);
  return {
    url: listener.url as string,
    server,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await listener.close();
    },
  };
}

/** A path for a Unix socket that is gone with its folder. */
export async function socketFolder(): Promise<{ path: string } & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), "turnkit-socket-"));
  return { path: join(folder, "s"), [Symbol.asyncDispose]: () => removeFolder(folder) };
}
