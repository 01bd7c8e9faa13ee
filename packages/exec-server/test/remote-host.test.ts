import { connectExecServer } from "@turnkit/exec-server";
import { describeHost } from "./host-cases.js";
import { socketFolder, startServer } from "./servers.js";

describeHost("a host over a WebSocket", async () => {
  const server = await startServer();
  const host = await connectExecServer(server.url);
  return {
    host,
    genuine: false,
    close: async () => {
      await host[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
});

describeHost("a host over a Unix socket, many requests at once", async () => {
  const folder = await socketFolder();
  const server = await startServer({ kind: "unix", path: folder.path }, { concurrentRequests: 16 });
  const host = await connectExecServer(server.url);
  return {
    host,
    genuine: false,
    close: async () => {
      await host[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
});
