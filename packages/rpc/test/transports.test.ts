import { spawn } from "node:child_process";
import { mkdtemp, stat, writeFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { PassThrough } from "node:stream";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import type { Transport } from "../src/index.js";
import { jsonLinesTransport } from "../src/transports/json-lines.js";
import { connectUnixSocket, listenUnixSocket } from "../src/transports/unix-socket.js";
import {
  connectWebSocket,
  type ListeningServer,
  listenWebSocket,
  type WebSocketServerOptions,
} from "../src/transports/websocket.js";

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const thing of open.splice(0)) await thing[Symbol.asyncDispose]();
});

describe("json lines", () => {
  function lines(chunks: readonly Uint8Array[], maxLineBytes?: number) {
    const input = new PassThrough();
    const transport = jsonLinesTransport(input, new PassThrough(), maxLineBytes ? { maxLineBytes } : {});
    const got: string[] = [];
    const garbage: string[] = [];
    transport.onMessage((text) => got.push(text));
    transport.onGarbage((problem) => garbage.push(problem));
    const closed = new Promise((resolve) => transport.onClose(resolve));
    for (const chunk of chunks) input.write(chunk);
    input.end();
    return closed.then(() => ({ got, garbage }));
  }

  test("any cut of the bytes gives the same messages", async () => {
    const texts = ['{"a":"é😀\\u2028\u2028"}', '{"b":2}', `{"c":"${"x".repeat(200)}"}`];
    const bytes = Buffer.from(texts.join("\n"));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 12 }), async (cuts) => {
        const borders = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const chunks = borders.slice(1).map((end, i) => bytes.subarray(borders[i], end));
        expect((await lines(chunks)).got).toEqual(texts);
      }),
      { numRuns: process.env.TURNKIT_SOAK === "1" ? 2_000 : 50 },
    );
  });

  test("carriage returns and blank lines are dropped, bad lines are reported, later lines survive", async () => {
    const input = Buffer.concat([
      Buffer.from('{"a":1}\r\n\n  \n'),
      Buffer.from([0x22, 0xff, 0x22, 0x0a]),
      Buffer.from(`{"b":1}\n${"y".repeat(99)}\n{"c":1}\n`),
    ]);
    expect(await lines([input], 50)).toEqual({
      got: ['{"a":1}', '{"b":1}', '{"c":1}'],
      garbage: ["stream did not contain valid UTF-8", "line longer than 50 bytes"],
    });
  });

  test("a paused reader holds the sender back and loses nothing", async () => {
    const child = spawn(process.execPath, [
      "-e",
      'for (let i = 0; i < 20000; i++) console.log(JSON.stringify({ i, pad: "x".repeat(100) }))',
    ]);
    const transport = jsonLinesTransport(child.stdout, child.stdin);
    const got: string[] = [];
    transport.onMessage((text) => {
      got.push(text);
      if (got.length % 1000 === 0) {
        transport.pause();
        setImmediate(() => transport.resume());
      }
    });
    await new Promise((resolve) => transport.onClose(resolve));
    expect(got.map((text) => (JSON.parse(text) as { i: number }).i)).toEqual(
      Array.from({ length: 20000 }, (_, i) => i),
    );
  });

  test("a pipe that ended is over only when the last replies were written, paused or not", async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const story: string[] = [];
    const transport = jsonLinesTransport(input, output, {
      beforeEnd: async ({ delivered, written }) => {
        story.push("input ended");
        await delivered();
        transport.send('{"last":1}');
        await written();
        story.push("written");
      },
    });
    const closed = new Promise((resolve) => transport.onClose(resolve));
    transport.onMessage((text) => {
      story.push(text);
      if (text !== '{"a":1}') return;
      transport.pause();
      setImmediate(() => transport.resume());
    });
    input.end('{"a":1}\n{"b":2}');
    expect(await closed).toEqual({ reason: "end of input" });
    expect(story.filter((step) => step !== "input ended")).toEqual(['{"a":1}', '{"b":2}', "written"]);
    expect(output.read()?.toString()).toBe('{"last":1}\n');
  });

  test("close sends what was queued first", async () => {
    const output = new PassThrough();
    const chunks: Buffer[] = [];
    output.on("data", (chunk: Buffer) => chunks.push(chunk));
    const transport = jsonLinesTransport(new PassThrough(), output);
    transport.send('{"a":1}');
    transport.send(Buffer.from('{"b":2}'));
    await transport.close();
    transport.send('{"c":3}');
    expect(Buffer.concat(chunks).toString()).toBe('{"a":1}\n{"b":2}\n');
  });
});

async function echoServer(extra: Partial<WebSocketServerOptions> = {}): Promise<ListeningServer> {
  const server = await listenWebSocket({
    binary: "accept",
    onHttp: (request, response) => response.writeHead(request.url === "/readyz" ? 200 : 404).end(),
    onConnection: (transport) => transport.onMessage((text) => transport.send(text)),
    ...extra,
  });
  open.push(server);
  return server;
}

function next(transport: Transport): Promise<string> {
  return new Promise((resolve) => transport.onMessage(resolve));
}

function get(port: number, url: string, headers: Record<string, string> = {}): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    httpRequest({ host: "127.0.0.1", port, path: url, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on("error", reject)
      .end();
  });
}

describe("websocket", () => {
  test("carries text and prepared bytes both ways", async () => {
    const server = await echoServer();
    const client = await connectWebSocket(`ws://127.0.0.1:${server.port}`);
    client.send('{"a":"é"}');
    expect(await next(client)).toBe('{"a":"é"}');
    client.send(Buffer.from('{"b":1}'));
    expect(await next(client)).toBe('{"b":1}');
    await client.close();
  });

  test("an Origin header is refused everywhere unless listed", async () => {
    const server = await echoServer({ allowedOrigins: ["http://good.example"] });
    expect(await get(server.port, "/readyz")).toBe(200);
    expect(await get(server.port, "/readyz", { origin: "" })).toBe(403);
    const url = `ws://127.0.0.1:${server.port}`;
    await expect(connectWebSocket(url, { headers: { origin: "http://bad.example" } })).rejects.toMatchObject({
      cause: 403,
    });
    const allowed = await connectWebSocket(url, { headers: { origin: "http://good.example" } });
    await allowed.close();
  });

  test("authorize refuses with its own status and words", async () => {
    const server = await echoServer({ authorize: () => ({ status: 401, body: "missing websocket bearer token" }) });
    await expect(connectWebSocket(`ws://127.0.0.1:${server.port}`)).rejects.toThrow(
      /answered HTTP 401: missing websocket bearer token$/,
    );
  });

  test("the server's close reaches the client with code and reason", async () => {
    const server = await echoServer();
    const client = await connectWebSocket(`ws://127.0.0.1:${server.port}`);
    const closed = new Promise((resolve) => client.onClose(resolve));
    await server.close(1001, "going away");
    expect(await closed).toEqual({ reason: "going away", code: 1001 });
    await expect(connectWebSocket(`ws://127.0.0.1:${server.port}`)).rejects.toThrow("ECONNREFUSED");
  });

  test("binary frames are garbage where they are refused, invalid UTF-8 always is, and the connection lives on", async () => {
    const garbage: string[] = [];
    const server = await echoServer({
      binary: "refuse",
      onConnection: (transport) => {
        transport.onGarbage((problem) => garbage.push(problem));
        transport.onMessage((text) => transport.send(text));
      },
    });
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}`);
    await new Promise((resolve) => socket.once("open", resolve));
    const echoed = new Promise((resolve) => socket.once("message", (data) => resolve(String(data))));
    socket.send(Buffer.from("{}"), { binary: true });
    socket.send(Buffer.from([0x22, 0xff, 0x22]), { binary: false });
    socket.send("{}");
    expect(await echoed).toBe("{}");
    expect(garbage).toEqual(["binary frame", "message is not valid UTF-8"]);
    socket.terminate();
  });

  test("a message over the limit ends only its own connection", async () => {
    const server = await echoServer({ maxMessageBytes: 1000 });
    const url = `ws://127.0.0.1:${server.port}`;
    const [big, other] = [await connectWebSocket(url), await connectWebSocket(url)];
    const closed = new Promise((resolve) => big.onClose(resolve));
    big.send("x".repeat(1001));
    expect(await closed).toMatchObject({ code: 1009 });
    other.send("{}");
    expect(await next(other)).toBe("{}");
    await other.close();
  });

  test("a slow reader shows up in bufferedBytes and drained() waits for it", async () => {
    let serverSide: Transport | undefined;
    const server = await echoServer({ onConnection: (transport) => (serverSide = transport) });
    const client = await connectWebSocket(`ws://127.0.0.1:${server.port}`);
    await vi.waitFor(() => expect(serverSide).toBeDefined());
    client.pause();
    const block = JSON.stringify("x".repeat(1024 * 1024));
    for (let i = 0; i < 32; i++) serverSide?.send(block);
    await new Promise((resolve) => setImmediate(resolve));
    expect(serverSide?.bufferedBytes).toBeGreaterThan(1024 * 1024);
    let drained = false;
    const waiting = serverSide?.drained().then(() => (drained = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(drained).toBe(false);
    let count = 0;
    client.onMessage(() => count++);
    client.resume();
    await waiting;
    await vi.waitFor(() => expect(count).toBe(32), { timeout: 10_000 });
    await client.close();
  });

  test("an aborted connect rejects with the reason", async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as { port: number };
    const controller = new AbortController();
    const connecting = connectWebSocket(`ws://127.0.0.1:${port}`, { signal: controller.signal });
    silent.once("connection", () => controller.abort(new Error("changed my mind")));
    await expect(connecting).rejects.toThrow("changed my mind");
    silent.close();
  });
});

describe("unix socket", () => {
  test("is private, replaces a dead socket, and refuses to replace anything else", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "turnkit-rpc-"));
    open.push({ [Symbol.asyncDispose]: () => removeFolder(folder) });
    const socketPath = path.join(folder, "control", "app.sock");
    const options: Omit<WebSocketServerOptions, "host"> = {
      binary: "refuse",
      onHttp: (_request, response) => response.writeHead(404).end(),
      onConnection: (transport) => transport.onMessage((text) => transport.send(text)),
    };
    const server = await listenUnixSocket(socketPath, options);
    expect((await stat(socketPath)).mode & 0o777).toBe(0o600);
    const client = await connectUnixSocket(socketPath);
    client.send("{}");
    expect(await next(client)).toBe("{}");
    await expect(listenUnixSocket(socketPath, options)).rejects.toThrow("is in use by a running server");
    await client.close();
    await server.close();

    const dead = spawn(process.execPath, [
      "-e",
      `require("net").createServer().listen(${JSON.stringify(socketPath)}, () => process.kill(process.pid, "SIGKILL"))`,
    ]);
    await new Promise((resolve) => dead.once("exit", resolve));
    await (await listenUnixSocket(socketPath, options)).close();

    await writeFile(`${socketPath}.txt`, "keep me");
    await expect(listenUnixSocket(`${socketPath}.txt`, options)).rejects.toThrow("exists and is not a socket");
    await expect(listenUnixSocket(`/${"x".repeat(120)}`, options)).rejects.toThrow("longer than 107 bytes");
  });
});
