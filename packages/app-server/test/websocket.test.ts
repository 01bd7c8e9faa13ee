import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectUnixSocket } from "@turnkit/rpc/unix-socket";
import { connectWebSocket } from "@turnkit/rpc/websocket";
import { describe, expect, it } from "vitest";
import { AppServer } from "../src/app-server.js";
import { parseListenOptions } from "../src/listen/options.js";
import { serve } from "../src/listen/serve.js";
import { FakeHost } from "./fake-host.js";
import { RawClient } from "./raw-client.js";

async function listen(...argv: string[]) {
  const home = mkdtempSync(join(tmpdir(), "app-"));
  const host = new FakeHost();
  const server = new AppServer({ home, host: async () => host.host, unsentBytes: 4 * 1024 * 1024 });
  const serving = await serve(server, await parseListenOptions(argv, home));
  return {
    host,
    address: serving.address as string,
    http: (serving.address as string).replace("ws:", "http:"),
    [Symbol.asyncDispose]: async () => {
      await serving.close();
      await server.close();
    },
  };
}

describe("a WebSocket listener", () => {
  it("serves several clients on one thread", async () => {
    await using server = await listen("--listen", "ws://127.0.0.1:0");
    const [one, two] = [
      new RawClient(await connectWebSocket(server.address)),
      new RawClient(await connectWebSocket(server.address)),
    ];
    await one.hello();
    await two.hello();
    const { result } = await one.request("thread/start", {});
    const threadId = result.thread.id;
    await two.request("thread/resume", { threadId });
    await one.request("turn/start", { threadId, input: [] });
    server.host.sessions[0]?.complete();
    await Promise.all([one.notification("turn/completed"), two.notification("turn/completed")]);
    expect(two.seen.filter(({ method }) => method?.startsWith("turn/")).map(({ method }) => method)).toEqual([
      "turn/started",
      "turn/completed",
    ]);
  });

  it.each(["/readyz", "/healthz"])("says on %s that it lives", async (path) => {
    await using server = await listen("--listen", "ws://127.0.0.1:0");
    expect((await fetch(server.http + path)).status).toBe(200);
    expect((await fetch(`${server.http}${path}?probe=1`, { method: "HEAD" })).status).toBe(200);
    expect((await fetch(server.http + path, { method: "POST" })).status).toBe(405);
    expect((await fetch(`${server.http}${path}/more`)).status).toBe(400);
  });

  it("turns web pages away, listed origins excepted", async () => {
    await using server = await listen("--listen", "ws://127.0.0.1:0", "--allow-origin", "https://good.example");
    const connect = (origin: string) => connectWebSocket(server.address, { headers: { origin } });
    await expect(connect("https://evil.example")).rejects.toThrow("403");
    expect((await fetch(`${server.http}/readyz`, { headers: { origin: "https://evil.example" } })).status).toBe(403);
    const client = new RawClient(await connect("https://good.example"));
    expect((await client.hello()).result).toBeDefined();
  });

  it("asks for the token before anything else", async () => {
    const digest = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"; // of "hello"
    await using server = await listen(
      "--listen",
      "ws://127.0.0.1:0",
      "--ws-auth",
      "capability-token",
      "--ws-token-sha256",
      digest,
    );
    await expect(connectWebSocket(server.address)).rejects.toThrow("401: missing websocket bearer token");
    const connect = (token: string) =>
      connectWebSocket(server.address, { headers: { authorization: `Bearer ${token}` } });
    await expect(connect("wrong")).rejects.toThrow("401: invalid websocket bearer token");
    const client = new RawClient(await connect("hello"));
    expect((await client.hello()).result).toBeDefined();
    expect((await fetch(`${server.http}/readyz`)).status).toBe(200);
  });

  it("ignores a frame that is no message", async () => {
    await using server = await listen("--listen", "ws://127.0.0.1:0");
    const client = new RawClient(await connectWebSocket(server.address));
    client.transport.send("not json");
    expect((await client.hello()).result).toBeDefined();
  });

  it("disconnects a client that does not read, and no other", async () => {
    await using server = await listen("--listen", "ws://127.0.0.1:0");
    const [slow, quick] = [
      await connectWebSocket(server.address),
      new RawClient(await connectWebSocket(server.address)),
    ];
    const slowClient = new RawClient(slow);
    await slowClient.hello();
    await quick.hello();
    const { result } = await slowClient.request("thread/start", {});
    const threadId = result.thread.id;
    await quick.request("thread/resume", { threadId });
    const session = server.host.sessions[0];
    session?.startTurn();
    slow.pause();
    const gone = new Promise((resolve) => slow.onClose(resolve));
    const delta = "x".repeat(256 * 1024);
    const send = () =>
      session?.emit({
        type: "agent_message_content_delta",
        thread_id: threadId,
        turn_id: "turn-1",
        item_id: "m",
        delta,
      });
    // The quick client reads all of it meanwhile.
    for (let count = 1; count <= 64; count += 1) {
      send();
      await quick.notification("item/agentMessage/delta", count);
    }
    slow.resume();
    await gone;
    session?.complete();
    await quick.notification("turn/completed");
    expect((await quick.request("thread/loaded/list", {})).result.data).toEqual([threadId]);
  });
});

it("a Unix socket listener speaks the same", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "s-")), "control.sock");
  await using server = await listen("--listen", `unix://${path}`);
  expect(server.address).toBe(`unix://${path}`);
  const client = new RawClient(await connectUnixSocket(path));
  expect((await client.hello()).result).toBeDefined();
});
