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

/** A model server that answers every request at once, in one piece. */
async function listen() {
  let connections = 0;
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const events = [
        { type: "response.created", response: { id: "r" } },
        { type: "response.completed", response: { id: "r", output: [] } },
      ];
      response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""));
    });
  });
  server.on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    provider: { ...OPENAI_PROVIDER, id: "test", envKey: undefined, baseUrl: `http://127.0.0.1:${port}/v1` },
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

it("can be aborted in the middle of a response that has arrived whole", async () => {
  await using server = await listen();
  const failures: unknown[] = [];
  const onFailure = (error: unknown) => failures.push(error);
  process.on("uncaughtException", onFailure);
  try {
    await using client = createResponsesClient({ provider: server.provider, environment: {}, userAgent: "test" });
    const controller = new AbortController();
    const events: string[] = [];
    try {
      for await (const event of client.stream(REQUEST, { signal: controller.signal })) {
        events.push(event.type);
        if (event.type === "created") controller.abort();
        for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      }
    } catch (error) {
      events.push(error instanceof Error ? "error" : "other");
    }
    expect(events[0]).toBe("created");
    expect(failures).toEqual([]);
  } finally {
    process.off("uncaughtException", onFailure);
  }
});

it("uses one connection for many requests, and an abort after a response touches nothing", async () => {
  await using server = await listen();
  const failures: unknown[] = [];
  const onFailure = (error: unknown) => failures.push(error);
  process.on("uncaughtException", onFailure);
  try {
    await using client = createResponsesClient({ provider: server.provider, environment: {}, userAgent: "test" });
    for (let round = 0; round < 5; round += 1) {
      const controller = new AbortController();
      for await (const event of client.stream(REQUEST, { signal: controller.signal })) {
        expect(["created", "completed"]).toContain(event.type);
      }
      // The socket is back in the agent once the rest of the response was read.
      for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      controller.abort();
    }
    expect({ connections: server.connections(), failures }).toEqual({ connections: 1, failures: [] });
  } finally {
    process.off("uncaughtException", onFailure);
  }
});
