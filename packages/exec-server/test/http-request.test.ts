/** Whatever an upstream does, a request has its reply or its stream has an end, and the connection goes on. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { RawClient } from "./raw-client.js";
import { startServer } from "./servers.js";

/** Answers every request on a connection with these bytes; `end` closes the connection behind them. */
async function upstream(bytes: string | Buffer, end: boolean) {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => {});
    socket.on("data", () => (end ? socket.end(bytes) : socket.write(bytes)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

const changed = "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nnot HTTP";
const failure = { error: { code: -32603, message: expect.stringContaining("http/request failed") } };
const decoding = "error decoding response body";

interface Case {
  readonly does: string;
  readonly bytes: string | Buffer;
  readonly end?: boolean;
  readonly more?: object;
  readonly reply: object;
  /** The stream's text and how it ends. */
  readonly stream?: { readonly body: string; readonly error: string | null };
}

const answered = (status: number, body: string) => ({
  result: { status, bodyBase64: Buffer.from(body, "latin1").toString("base64") },
});
const unread = { error: { code: -32603, message: expect.stringContaining("failed to read") } };

const cases: Case[] = [
  { does: "closes without a word", bytes: "", end: true, reply: failure },
  { does: "speaks no HTTP", bytes: "SSH-2.0-x\r\n", end: true, reply: failure },
  { does: "sends a head that never ends", bytes: `HTTP/1.1 200 OK\r\nx: ${"y".repeat(100_000)}`, reply: failure },
  { does: "says nothing", bytes: "", more: { timeoutMs: 50 }, reply: failure },
  { does: "changes the protocol", bytes: changed, reply: answered(101, ""), stream: { body: "", error: null } },
  {
    does: "opens a tunnel",
    bytes: "HTTP/1.1 200 OK\r\n\r\nnot HTTP",
    more: { method: "CONNECT" },
    reply: answered(200, ""),
    stream: { body: "", error: null },
  },
  {
    does: "sends a hint before its answer",
    bytes: "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
    reply: answered(200, "ok"),
    stream: { body: "ok", error: null },
  },
  {
    does: "sends every byte",
    bytes: Buffer.concat([
      Buffer.from("HTTP/1.1 200 OK\r\nContent-Length: 256\r\n\r\n"),
      Buffer.from(Array.from({ length: 256 }, (_, at) => at)),
    ]),
    reply: answered(200, Buffer.from(Array.from({ length: 256 }, (_, at) => at)).toString("latin1")),
    stream: { body: Buffer.from(Array.from({ length: 256 }, (_, at) => at)).toString("latin1"), error: null },
  },
  {
    does: "sends trailers",
    bytes: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: x\r\n\r\n2\r\nok\r\n0\r\nx: y\r\n\r\n",
    reply: answered(200, "ok"),
    stream: { body: "ok", error: null },
  },
  {
    does: "ends in the middle of the body",
    bytes: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf",
    end: true,
    reply: unread,
    stream: { body: "half", error: decoding },
  },
  {
    does: "sends a chunk that is none",
    bytes: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nzz\r\n",
    reply: unread,
    stream: { body: "half", error: decoding },
  },
  {
    does: "stops in the middle of the body",
    bytes: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf",
    more: { timeoutMs: 300 },
    reply: unread,
    stream: { body: "half", error: decoding },
  },
  {
    does: "sends elsewhere without an end",
    bytes: "HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    reply: failure,
  },
];

test.each(cases)("an upstream that $does", { timeout: 30_000 }, async ({ bytes, end = false, more, reply, stream }) => {
  await using from = await upstream(bytes, end);
  await using server = await startServer();
  await using client = await RawClient.ready(server.url);
  const params = { requestId: "r", method: "GET", url: from.url, ...more };
  expect(await client.request("http/request", { ...params, streamResponse: false })).toMatchObject(reply);
  const head = await client.request("http/request", { ...params, streamResponse: true });
  if (stream) {
    expect(head).toMatchObject({ result: { bodyBase64: "" } });
    const last = await client.waitFor(({ params: delta }) => delta?.requestId === "r" && delta.done === true);
    const deltas = client.messages.filter(({ method }) => method === "http/request/bodyDelta");
    const body = Buffer.concat(deltas.map(({ params: delta }) => Buffer.from(delta.deltaBase64, "base64")));
    expect(body.toString("latin1")).toBe(stream.body);
    expect(last?.params.error).toBe(stream.error);
  } else expect(head).toMatchObject(reply);
  // One request at a time: a request that has no end would hold this one.
  expect((await client.request("environment/status", {})).error).toBeUndefined();
});
