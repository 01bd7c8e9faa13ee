/** Who is connected: the handshake, and clients beside each other. */
import { describe, expect, it } from "vitest";
import { patience, start, step, text, withThread } from "./fake-server.js";

describe("handshake", () => {
  it("answers initialize and announces remote control without being asked", async () => {
    await using setup = start();
    const reply = await setup.client.hello();
    expect(Object.keys(reply.result).sort()).toEqual(["codexHome", "platformFamily", "platformOs", "userAgent"]);
    expect(reply.result.userAgent).toMatch(/^test\/\d+\.\d+\.\d+ \(.+\) unknown \(test; 1\)$/);
    const news = await setup.client.notification("remoteControl/status/changed");
    expect(news.params).toMatchObject({ status: "disabled", environmentId: null });
    expect(typeof news.emittedAtMs).toBe("number");
  });

  it.each([
    ["a request before it", { method: "thread/start", params: {} }, "Not initialized"],
    [
      "a method nobody knows",
      { method: "foo/bar", params: {} },
      /^Invalid request: unknown variant `foo\/bar`, expected one of `initialize`, `server\/diagnostics`, /,
    ],
    ["missing params", { method: "initialize" }, "Invalid request: params is required"],
    ["a missing member", { method: "initialize", params: {} }, "Invalid request: params.clientInfo is required"],
    [
      "a missing inner member",
      { method: "initialize", params: { clientInfo: { name: "x" } } },
      "Invalid request: params.clientInfo.version is required",
    ],
    [
      "a name that is no header",
      { method: "initialize", params: { clientInfo: { name: "bad\nname", version: "1" } } },
      "Invalid clientInfo.name: 'bad\nname'. Must be a valid HTTP header value.",
    ],
  ])("refuses %s", async (_name, message, words) => {
    await using setup = start();
    const { error } = await setup.client.request(message.method, "params" in message ? message.params : undefined);
    expect(error).toEqual({ code: -32600, message: expect.stringMatching(words instanceof RegExp ? words : "") });
    if (typeof words === "string") expect(error.message).toBe(words);
    expect((await setup.client.hello()).result).toBeDefined();
  });

  it("refuses in the order of the requests, for whatever reason", async () => {
    await using setup = start();
    const { client } = setup;
    client.send({ id: 1, method: "thread/start", params: {} });
    client.send({ id: 2, method: "foo/bar", params: {} });
    client.send({ id: 3, method: "initialize" });
    await client.until(({ id }) => id === 3);
    expect(client.story).toEqual([1, 2, 3]);
  });

  it("happens once", async () => {
    await using setup = start();
    await setup.client.hello();
    expect((await setup.client.hello()).error).toEqual({ code: -32600, message: "Already initialized" });
  });

  it("holds experimental methods and members back from clients that did not ask for them", async () => {
    await using setup = start();
    await setup.client.hello({});
    const refused = await setup.client.request("mock/experimentalMethod", {});
    expect(refused.error).toEqual({
      code: -32600,
      message: "mock/experimentalMethod requires experimentalApi capability",
    });
    const member = await setup.client.request("thread/start", { mockExperimentalField: "x" });
    expect(member.error.message).toBe("thread/start.mockExperimentalField requires experimentalApi capability");
  });

  it("says which methods of the protocol are not offered", async () => {
    await using setup = start();
    await setup.client.hello();
    const { error } = await setup.client.request("plugin/install", {});
    expect(error).toEqual({ code: -32601, message: "plugin/install is not supported by this server" });
  });

  it("leaves out what the client opted out of", async () => {
    await using setup = start();
    await setup.client.hello({ optOutNotificationMethods: ["turn/started", "remoteControl/status/changed"] });
    const { result } = await setup.client.request("thread/start", {});
    await setup.client.request("turn/start", { threadId: result.thread.id, input: text("hi") });
    setup.host.sessions[0]?.complete();
    await setup.client.notification("turn/completed");
    expect(setup.client.story).toEqual([
      1,
      2,
      "thread/started",
      3,
      "thread/status/changed",
      "thread/status/changed",
      "turn/completed",
    ]);
  });

  it("keeps 64-bit ids exact and ignores what is no message", async () => {
    await using setup = start();
    await setup.client.hello();
    for (const line of ["hello", "[]", "5", "null", "{}", '{"id":9}', '{"id":1.5,"method":"thread/loaded/list"}']) {
      setup.client.transport.send(line);
    }
    const raw: string[] = [];
    const other = setup.server.connect();
    other.onMessage((line) => raw.push(line));
    other.send('{"id":1,"method":"initialize","params":{"clientInfo":{"name":"x","version":"1"}}}');
    other.send('{"jsonrpc":"2.0","id":9223372036854775807,"method":"thread/loaded/list","params":{"bogus":1}}');
    await expect.poll(() => raw.find((line) => line.includes("9223372036854775807")), patience).toContain('"data":[]');
    expect(setup.log.filter((line) => line.startsWith("Failed to deserialize JSONRPCMessage: "))).toHaveLength(7);
    expect((await setup.client.request("thread/loaded/list", {})).result).toEqual({ data: [], nextCursor: null });
  });
});

describe("several clients", () => {
  it("see the threads they follow and hear of all others", async () => {
    await using setup = await withThread();
    const { client, threadId, session } = setup;
    const second = setup.another();
    await second.hello();
    await client.request("turn/start", { threadId, input: text("hi") });
    session.complete();
    await client.notification("turn/completed");
    await step();
    expect(second.story).toEqual([1, "thread/status/changed", "thread/status/changed"]);
    await second.request("thread/resume", { threadId });
    await second.request("turn/start", { threadId, input: text("hi") });
    session.complete();
    await Promise.all([client.notification("turn/completed", 2), second.notification("turn/completed")]);
  });

  it("end a thread when the last one unsubscribes", async () => {
    await using setup = await withThread();
    const { client, threadId } = setup;
    const ask = () => client.request("thread/unsubscribe", { threadId });
    expect((await ask()).result).toEqual({ status: "unsubscribed" });
    await client.notification("thread/closed");
    expect((await ask()).result).toEqual({ status: "notLoaded" });
    expect((await client.request("thread/loaded/list", {})).result.data).toEqual([]);
  });

  it("leave threads behind that a closing server waits for, since they still write", async () => {
    await using setup = await withThread();
    const { client, session, threadId, server } = setup;
    let wrote = () => {};
    const writing = new Promise<void>((resolve) => {
      wrote = resolve;
    });
    const shuttingDown = new Promise<void>((resolve) => {
      session.shutdown = () => {
        resolve();
        return writing;
      };
    });
    await client.request("thread/unsubscribe", { threadId });
    await shuttingDown;
    let closed = false;
    const closing = server.close().then(() => {
      closed = true;
    });
    for (let turns = 0; turns < 20; turns += 1) await step();
    expect(closed).toBe(false);
    wrote();
    await closing;
  });

  it("are refused beyond 128 requests in flight, each with its own reply, and nobody else is", async () => {
    await using setup = await withThread();
    const { client, session, threadId } = setup;
    const second = setup.another();
    await second.hello();
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    session.flush = () => gate;
    session.startTurn();
    session.emit({
      type: "item_completed",
      thread_id: threadId,
      turn_id: "turn-1",
      item: { type: "UserMessage", id: "u", content: [] },
      completed_at_ms: 1,
    });
    const replies = Array.from({ length: 200 }, () => client.request("thread/read", { threadId, includeTurns: true }));
    const refused = await client.until((message) => message.error?.code === -32001);
    expect(refused.error.message).toBe("Server overloaded; retry later.");
    expect((await second.request("thread/loaded/list", {})).result.data).toEqual([threadId]);
    open();
    const all = await Promise.all(replies);
    expect(all.filter(({ error }) => error?.code === -32001)).toHaveLength(72);
    expect(all.filter(({ result }) => result !== undefined)).toHaveLength(128);
  });
});
