/** Whatever a command sends to the proxy, and whatever becomes of the places it reaches, the proxy goes on. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CallbackListener } from "../mcp/oauth/callback-listener.js";
import { type DecideAccess, NetworkProxy } from "./network-proxy.js";

let proxy: NetworkProxy;
let place: Server;
let reached: Socket[];
/** What the place says to whoever comes. */
let answer: (socket: Socket) => void;

beforeEach(async () => {
  proxy = await NetworkProxy.start();
  reached = [];
  answer = (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi");
  place = createServer((socket) => {
    reached.push(socket);
    socket.on("error", () => {});
    socket.once("data", () => answer(socket));
  });
  place.listen(0, "127.0.0.1");
  await once(place, "listening");
});
afterEach(async () => {
  for (const socket of reached) socket.destroy();
  place.close();
  await proxy[Symbol.asyncDispose]();
});

const port = () => (place.address() as AddressInfo).port;

/** Everything the proxy answers until it closes the connection. */
async function exchange(head: string, decide: DecideAccess = async () => undefined, body = ""): Promise<string> {
  const { env, dismiss } = proxy.admit(decide);
  const url = new URL(env.HTTP_PROXY!);
  const user = Buffer.from(`${url.username}:${url.password}`).toString("base64");
  const socket = connect(Number(url.port), url.hostname);
  let text = "";
  socket.on("data", (data: Buffer) => {
    text += data.toString("latin1");
  });
  socket.on("error", () => {});
  socket.write(`${head}\r\nhost: x\r\nconnection: close\r\nproxy-authorization: Basic ${user}\r\n\r\n${body}`);
  await once(socket, "close");
  dismiss();
  return text;
}
const get = (url: string) => `GET ${url} HTTP/1.1`;
const here = () => `http://127.0.0.1:${port()}/x`;

test.each([
  ["GET ftp://127.0.0.1/file HTTP/1.1", /^HTTP\/1\.1 501 /],
  ["GET https://127.0.0.1/file HTTP/1.1", /^HTTP\/1\.1 501 /],
  ["GET nonsense HTTP/1.1", /^HTTP\/1\.1 400 /],
  ["GET http:// HTTP/1.1", /^HTTP\/1\.1 400 /],
  ["GET http://127.0.0.1:1/nobody HTTP/1.1", /^HTTP\/1\.1 502 /],
  ["CONNECT 127.0.0.1:1 HTTP/1.1", /^HTTP\/1\.1 502 /],
  ["CONNECT :::: HTTP/1.1", /^HTTP\/1\.1 400 /],
  ["what is this", /^HTTP\/1\.1 400 /],
])("%s", async (head, expected) => {
  expect(await exchange(head)).toMatch(expected);
  expect(await exchange(get(here()))).toMatch(/^HTTP\/1\.1 200 [\s\S]*hi$/);
});

test.each([
  ["closes without a word", (socket: Socket) => socket.destroy(), /^HTTP\/1\.1 502 /],
  ["speaks no HTTP", (socket: Socket) => socket.end("nonsense\r\n\r\n"), /^HTTP\/1\.1 502 /],
  [
    "breaks off",
    (socket: Socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\npart"),
    /^HTTP\/1\.1 200 [\s\S]*part$/,
  ],
])("a place that %s", async (_, behaviour, expected) => {
  const friendly = answer;
  answer = behaviour;
  expect(await exchange(get(here()))).toMatch(expected);
  answer = friendly;
  expect(await exchange(get(here()))).toMatch(/hi$/);
});

test("a tunnel ends with the place, and nothing is said in its name", async () => {
  answer = (socket) => {
    socket.write("words of the place");
    setImmediate(() => socket.resetAndDestroy());
  };
  const text = await exchange(`CONNECT 127.0.0.1:${port()} HTTP/1.1`, undefined, "hello");
  expect(text).toMatch(/^HTTP\/1\.1 200 Connection Established\r\n\r\n(words of the place)?$/);
});

test.each([["GET"], ["CONNECT"]])("a decision that fails costs its own connection (%s)", async (method) => {
  const head = method === "GET" ? get(here()) : `CONNECT 127.0.0.1:${port()} HTTP/1.1`;
  expect(await exchange(head, () => Promise.reject(new Error("closed")))).toBe("");
  expect(reached).toEqual([]);
  expect(await exchange(get(here()))).toMatch(/hi$/);
});

test.each(["//", "http://[", "/\\", "nonsense"])("the listener for a browser's answer survives %s", async (target) => {
  const listener = await CallbackListener.open({ serverUrl: "http://127.0.0.1/mcp", port: undefined, url: undefined });
  const { port: listening } = new URL(listener.redirectUrl);
  const ask = async (head: string) => {
    const socket = connect(Number(listening), "127.0.0.1");
    let text = "";
    socket.on("data", (data: Buffer) => {
      text += data.toString();
    });
    socket.on("error", () => {});
    socket.write(`${head}\r\nhost: x\r\n\r\n`);
    await once(socket, "close");
    return text;
  };
  expect(await ask(`GET ${target} HTTP/1.1`)).toMatch(/^HTTP\/1\.1 40\d /);
  expect(await ask("GET /else HTTP/1.1")).toMatch(/^HTTP\/1\.1 404 /);
  await listener.close();
});
