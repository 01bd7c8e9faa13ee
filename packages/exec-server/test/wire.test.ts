import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { expect, test } from "vitest";
import { alive, untilDead } from "./host-cases.js";
import { RawClient, starting } from "./raw-client.js";
import { startServer } from "./servers.js";
import { untilAtRest } from "./standstill.js";

const base64 = (text: string) => Buffer.from(text).toString("base64");

test("reads are cut by maxBytes at whole chunks and say what comes next", async () => {
  await using server = await startServer();
  await using client = await RawClient.ready(server.url);
  await client.request(
    "process/start",
    starting("p", "printf aaaa; sleep 0.2; printf bbbb; sleep 0.2; printf cccc; exit 7"),
  );
  await client.waitForEvent("process/closed", "p");
  const read = async (more: object) => (await client.request("process/read", { processId: "p", ...more })).result;
  const all = await read({});
  expect(all.chunks.map(({ seq }: { seq: number }) => seq)).toEqual([1, 2, 3]);
  expect({ ...all, chunks: [] }).toEqual({
    chunks: [],
    nextSeq: 6,
    exited: true,
    exitCode: 7,
    closed: true,
    failure: null,
    sandboxDenied: false,
  });
  expect((await read({ maxBytes: 0 })).chunks).toHaveLength(1);
  expect(await read({ maxBytes: 9 })).toMatchObject({ chunks: [{ seq: 1 }, { seq: 2 }], nextSeq: 3 });
  expect(await read({ afterSeq: 2, maxBytes: 9 })).toMatchObject({ chunks: [{ seq: 3 }], nextSeq: 4 });
  expect(await read({ afterSeq: 3, maxBytes: 9 })).toMatchObject({ chunks: [], nextSeq: 6 });
});

test("terminate and signal overtake a parked read at one request at a time, other requests do not", async () => {
  await using server = await startServer();
  await using client = await RawClient.ready(server.url);
  await client.request("process/start", starting("a", "sleep 60"));
  await client.request("process/start", starting("b", "sleep 60"));
  const order: string[] = [];
  const note = async (name: string, method: string, params: object) => {
    const reply = await client.request(method, params);
    order.push(name);
    return reply;
  };
  const parked = note("read", "process/read", { processId: "a", waitMs: 60_000 });
  const status = note("status", "environment/status", {});
  const other = note("terminate b", "process/terminate", { processId: "b" });
  await other;
  const ended = note("terminate a", "process/terminate", { processId: "a" });
  expect((await ended).result).toEqual({ running: true });
  await Promise.all([parked, status]);
  expect(order).toEqual(["terminate b", "terminate a", "read", "status"]);
});

test("a terminate behind a start of the same process does not overtake it", async () => {
  await using server = await startServer();
  await using client = await RawClient.ready(server.url);
  await client.request("process/start", starting("slow", "sleep 60"));
  const parked = client.request("process/read", { processId: "slow", waitMs: 400 });
  const started = client.request("process/start", starting("p", "sleep 60"));
  const ended = client.request("process/terminate", { processId: "p" });
  await parked;
  expect((await started).result).toMatchObject({ processId: "p" });
  expect((await ended).result).toEqual({ running: true });
  await client.waitForEvent("process/closed", "p");
});

test("thousands of requests behind a long poll are all answered, in order", async () => {
  await using server = await startServer();
  await using client = await RawClient.ready(server.url);
  await client.request("process/start", starting("p", "sleep 60"));
  const count = 3_000;
  const poll = client.request("process/read", { processId: "p", waitMs: 300 });
  const replies = Array.from({ length: count }, () => client.request("environment/status", {}));
  await poll;
  for (const { result } of await Promise.all(replies)) expect(result).toEqual({ status: "ready" });
  const ids = client.messages.flatMap(({ id }) => (typeof id === "number" ? [id] : []));
  expect(ids).toEqual([...ids].sort((a, b) => a - b));
});

test("remembers the newest 4096 write ids, first in first out, and checks them before the process", async () => {
  await using server = await startServer();
  await using client = await RawClient.ready(server.url);
  await client.request("process/start", starting("p", "cat", { pipeStdin: true }));
  const write = (writeId: string, text: string) =>
    client.request("process/write", { processId: "p", chunk: base64(text), writeId });
  await Promise.all(Array.from({ length: 4_100 }, (_, index) => write(`${index + 1}`, "")));
  await write("5", "known ");
  await write("4", "forgotten ");
  await write("last", "end\n");
  await client.waitFor(() => client.output("p").endsWith("end\n"));
  expect(client.output("p")).toBe("forgotten end\n");
  await client.request("process/terminate", { processId: "p" });
  expect((await write("last", "again")).result).toEqual({ status: "accepted" });
  expect((await write("new", "x")).error).toEqual({ code: -32603, message: "failed to write to process stdin" });
  expect((await write("", "x")).error).toEqual({ code: -32602, message: "writeId must not be empty" });
});

test("a write that waits for its place is known to its repeats: all are accepted, one is written", async () => {
  await using server = await startServer(undefined, { concurrentRequests: 16 });
  await using client = await RawClient.ready(server.url);
  const gate = 'until [ -e "$GATE" ]; do sleep 0.02; done; tr -d x';
  const file = join(mkdtempSync(join(tmpdir(), "turnkit-gate-")), "open");
  const start = starting("p", gate, { pipeStdin: true });
  await client.request("process/start", { ...start, env: { ...start.env, GATE: file } });
  const write = (writeId: string, text: string) =>
    client.request("process/write", { processId: "p", chunk: base64(text), writeId });
  // The pipe takes the first chunk only in part; 128 more fill the queue.
  await write("0", "x".repeat(1 << 20));
  for (let index = 1; index <= 128; index += 1) await write(`${index}`, "x");
  let accepted = 0;
  const repeats = Array.from({ length: 4 }, () => write("same", "once\n").finally(() => (accepted += 1)));
  // A request that was sent after them and has its answer: they have reached the server, and wait.
  await client.request("environment/status", {});
  expect(accepted).toBe(0);
  writeFileSync(file, "");
  for (const reply of await Promise.all(repeats)) expect(reply.result).toEqual({ status: "accepted" });
  await client.request("process/closeStdin", { processId: "p" });
  await client.waitForEvent("process/closed", "p");
  expect(client.output("p")).toBe("once\n");
  await removeFolder(dirname(file));
});

test("closes stdin after what was written, and resizes terminals", async () => {
  await using server = await startServer();
  await using client = await RawClient.ready(server.url);
  await client.request("process/start", starting("p", "cat; echo end", { pipeStdin: true }));
  await client.request("process/write", { processId: "p", chunk: base64("text\n"), writeId: "1" });
  expect((await client.request("process/closeStdin", { processId: "p" })).result).toEqual({ status: "accepted" });
  await client.waitForEvent("process/closed", "p");
  expect(client.output("p")).toBe("text\nend\n");
  await client.request("process/start", starting("t", "read x; stty size", { tty: true }));
  const resized = await client.request("process/resize", { processId: "t", rows: 33, cols: 101 });
  expect(resized.result).toEqual({ resized: true });
  await client.request("process/write", { processId: "t", chunk: base64("\n"), writeId: "1" });
  await client.waitForEvent("process/closed", "t");
  expect(client.output("t")).toContain("33 101");
});

test("what is not supported is refused by the name of its field", async () => {
  await using server = await startServer();
  await using client = await RawClient.ready(server.url);
  for (const [field, value] of [
    ["networkProxy", { proxy: {} }],
    ["managedNetwork", {}],
    ["enforceManagedNetwork", true],
  ] as const) {
    const reply = await client.request("process/start", starting("p", "true", { [field]: value }));
    expect(reply.error).toEqual({ code: -32602, message: `params.${field} is not supported by this exec-server` });
  }
  const bad = await client.request("process/start", { ...starting("p", "true"), argv: ["true", 5] });
  expect(bad.error).toEqual({ code: -32602, message: "params.argv[1] must be string" });
});

test("a session survives its connection, belongs to one at a time and ends with its processes", async () => {
  await using server = await startServer(undefined, { detachedMs: 300 });
  const first = await RawClient.ready(server.url);
  await first.request("process/start", starting("p", "echo $$; sleep 60"));
  await first.waitForEvent("process/output", "p");
  const pid = Number(first.output("p"));
  await expect(RawClient.ready(server.url, first.sessionId)).rejects.toThrow(
    `session ${first.sessionId} is already attached to another connection`,
  );
  await first[Symbol.asyncDispose]();
  const second = await RawClient.ready(server.url, first.sessionId);
  const read = await second.request("process/read", { processId: "p" });
  expect(read.result.chunks[0].chunk).toBe(base64(`${pid}\n`));
  await second[Symbol.asyncDispose]();
  expect(await alive(pid)).toBe(true);
  await untilDead(pid);
  await expect(RawClient.ready(server.url, first.sessionId)).rejects.toThrow(`unknown session id ${first.sessionId}`);
});

test("violations close the connection with a reason; malformed text does not", async () => {
  await using server = await startServer();
  const client = await RawClient.ready(server.url);
  client.send("{nope");
  const reply = await client.waitFor(({ id }) => id === -1);
  expect(reply?.error?.message).toMatch(/^failed to parse websocket JSON-RPC message from exec-server websocket /);
  expect((await client.request("environment/status")).result).toEqual({ status: "ready" });
  client.send({ method: "nope" });
  expect(await client.whenClosed()).toBe("received an unknown notification `nope`");
  const early = await RawClient.connect(server.url);
  early.send({ method: "initialized" });
  expect(await early.whenClosed()).toBe("received `initialized` before `initialize`");
});

test("a client that stops reading stops its processes, and loses nothing", async () => {
  await using server = await startServer();
  await using client = await RawClient.ready(server.url);
  const size = 30_000_000;
  client.transport.pause();
  const request = starting("p", ["head", "-c", String(size), "/dev/zero"]);
  client.send({ id: "start", method: "process/start", params: request });
  const before = process.memoryUsage().rss;
  await untilAtRest(process.pid, "head", 1);
  expect(process.memoryUsage().rss - before).toBeLessThan(40_000_000);
  client.transport.resume();
  await client.waitForEvent("process/closed", "p");
  expect(client.output("p").length).toBe(size);
});
