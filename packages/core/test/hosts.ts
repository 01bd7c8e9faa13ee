/** The hosts on which commands are tested: in this process, and over a real WebSocket to a server. */
import { connectExecServer } from "@turnkit/exec-server";
import { LocalHost } from "@turnkit/exec-server/local-host";
import { ExecServer, listen } from "@turnkit/exec-server/server";
import type { ProcessHost } from "@turnkit/protocol/exec";

export interface TestHost extends AsyncDisposable {
  readonly host: ProcessHost;
}

export async function localHost(): Promise<TestHost> {
  const host = new LocalHost();
  return { host, [Symbol.asyncDispose]: () => host[Symbol.asyncDispose]() };
}

/** `through` may put something between the client and the server. */
export async function remoteHost(through: (url: string) => Promise<string> = async (url) => url): Promise<TestHost> {
  const server = new ExecServer({
    concurrentRequests: 64,
    environment: process.env,
    environmentInfo: () => ({
      shell: { name: "bash", path: "/bin/bash" },
      cwd: "file:///tmp",
      tempDir: "file:///tmp",
      capabilities: { processResize: true, processCloseStdin: true },
    }),
    homeDirectory: "/nonexistent",
  });
  const listener = await listen(server, { kind: "tcp", host: "127.0.0.1", port: 0 }, undefined);
  const host = await connectExecServer(await through(listener.url as string));
  return {
    host,
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await listener.close();
    },
  };
}

export const HOSTS: readonly (readonly [string, () => Promise<TestHost>])[] = [
  ["in this process", localHost],
  ["over a connection", remoteHost],
];
