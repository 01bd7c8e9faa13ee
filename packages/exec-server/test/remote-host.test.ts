import { connectExecServer } from "@turnkit/exec-server";
import { afterAll, beforeAll, describe } from "vitest";
import { describeHost } from "./host-cases.js";
import { type RunningServer, socketFolder, startServer } from "./servers.js";

/** The cases share the server; each has a session of its own. */
function describeServer(name: string, start: () => Promise<RunningServer>): void {
  describe("over a connection", () => {
    let server: RunningServer;
    beforeAll(async () => {
      server = await start();
    });
    afterAll(() => server[Symbol.asyncDispose]());
    describeHost(name, async () => {
      const host = await connectExecServer(server.url);
      return { host, genuine: false, close: () => host[Symbol.asyncDispose]() };
    });
  });
}

describeServer("a host over a WebSocket", () => startServer());

describeServer("a host over a Unix socket, many requests at once", async () => {
  const folder = await socketFolder();
  const server = await startServer({ kind: "unix", path: folder.path }, { concurrentRequests: 16 });
  const close = async () => {
    await server[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  };
  return { ...server, [Symbol.asyncDispose]: close };
});
