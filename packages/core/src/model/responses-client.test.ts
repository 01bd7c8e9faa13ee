import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import type { ModelRequest } from "./model-client.js";
import { OPENAI_PROVIDER } from "./provider.js";
import { createResponsesClient } from "./responses-client.js";

const REQUEST = {
  model: "m",
  instructions: "",
  input: [],
  tools: [],
  threadId: "t",
  metadata: {},
} as unknown as ModelRequest;

it("uses one connection for many requests, and an abort after a response touches nothing", async () => {
  let connections = 0;
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const completed = { type: "response.completed", response: { id: "r", output: [] } };
      response.end(`event: response.completed\ndata: ${JSON.stringify(completed)}\n\n`);
    });
  });
  server.on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const provider = { ...OPENAI_PROVIDER, id: "test", envKey: undefined, baseUrl: `http://127.0.0.1:${port}/v1` };
  const failures: unknown[] = [];
  const onFailure = (error: unknown) => failures.push(error);
  process.on("uncaughtException", onFailure);
  try {
    await using client = createResponsesClient({ provider, environment: {}, userAgent: "test" });
    for (let round = 0; round < 5; round += 1) {
      const controller = new AbortController();
      for await (const event of client.stream(REQUEST, { signal: controller.signal })) {
        expect(event.type).toBe("completed");
      }
      // The socket is back in the agent once the rest of the response was read.
      for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      controller.abort();
    }
    expect({ connections, failures }).toEqual({ connections: 1, failures: [] });
  } finally {
    process.off("uncaughtException", onFailure);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
