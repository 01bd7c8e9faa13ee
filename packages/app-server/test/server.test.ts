import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createInProcessAppServer } from "../src/in-process.js";
import { FakeHost, type FakeSession } from "./fake-host.js";
import { RawClient } from "./raw-client.js";

function start() {
  const host = new FakeHost();
  const log: string[] = [];
  const server = createInProcessAppServer({
    home: mkdtempSync(join(tmpdir(), "app-server-")),
    host: async () => host.host,
    log: (line) => log.push(line),
  });
  const client = new RawClient(server.transport);
  return {
    host,
    log,
    server,
    client,
    another: () => new RawClient(server.connect()),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

async function withThread() {
  const setup = start();
  await setup.client.hello();
  const { result } = await setup.client.request("thread/start", { cwd: "/work" });
  await setup.client.notification("thread/started");
  return { ...setup, threadId: result.thread.id as string, session: setup.host.sessions[0] as FakeSession };
}

/** Slow machines: a condition is waited for, not a time. */
const patience = { timeout: 20_000 };
const text = (words: string) => [{ type: "text", text: words }];
const step = () => new Promise<void>((resolve) => setImmediate(resolve));

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
    expect(error).toEqual({ code: -32601, message: "plugin/install is not supported yet" });
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

describe("a turn", () => {
  it("is answered before it is told, and ends idle before completed", async () => {
    await using setup = await withThread();
    const { client, threadId, session } = setup;
    const from = client.story.length;
    const reply = await client.request("turn/start", { threadId, input: text("hi") });
    expect(reply.result).toEqual({
      turn: {
        id: "turn-1",
        items: [],
        itemsView: "notLoaded",
        status: "inProgress",
        error: null,
        startedAt: null,
        completedAt: null,
        durationMs: null,
      },
    });
    session.complete();
    await client.notification("turn/completed");
    expect(client.story.slice(from)).toEqual([
      reply.id,
      "thread/status/changed",
      "turn/started",
      "thread/status/changed",
      "turn/completed",
    ]);
    expect(session.submissions).toEqual([
      {
        input: { UserInput: { content: [{ type: "text", text: "hi", text_elements: [] }], client_id: null } },
      },
    ]);
  });

  it("tells warnings about the new settings before the reply", async () => {
    await using setup = await withThread();
    const { client, threadId, session } = setup;
    const submit = session.submit.bind(session);
    session.submit = (request) => {
      session.emit({ type: "warning", message: "careful" });
      return submit(request);
    };
    const from = client.story.length;
    const reply = await client.request("turn/start", { threadId, input: text("hi"), model: "other" });
    expect(client.story.slice(from, from + 2)).toEqual(["warning", reply.id]);
  });

  it.each([
    [
      { input: [{ type: "image", url: "HTTPS://x/y.png" }] },
      -32600,
      "remote image URLs are not supported; use an inline data URL instead",
    ],
    [
      { threadId: "nope" },
      -32600,
      "invalid thread id: invalid character: expected an optional prefix of `urn:uuid:` followed by [0-9a-fA-F-], found `n` at 1",
    ],
    [
      { threadId: "01a22db4-eb18-7a30-b419-aa902ae17000" },
      -32600,
      "thread not found: 01a22db4-eb18-7a30-b419-aa902ae17000",
    ],
    [
      { permissions: "x", sandboxPolicy: { type: "dangerFullAccess" } },
      -32600,
      "`permissions` cannot be combined with `sandboxPolicy`",
    ],
    [
      { input: [{ type: "video" }] },
      -32600,
      'Invalid request: params.input[0].type must be one of "text", "image", "localImage", "audio", "localAudio", "skill", "mention"',
    ],
    [{ input: "words" }, -32600, "Invalid request: params.input must be array"],
    [
      { collaborationMode: { mode: "zzz", settings: { model: "m" } } },
      -32600,
      'Invalid request: params.collaborationMode.mode must be one of "plan", "default"',
    ],
  ])("refuses %j", async (params, code, message) => {
    await using setup = await withThread();
    const { client, threadId, session } = setup;
    const { error } = await client.request("turn/start", { threadId, input: text("x"), ...params });
    expect(error).toEqual({ code, message });
    expect(session.submissions).toEqual([]);
  });

  it("counts Unicode scalars of text only", async () => {
    await using setup = await withThread();
    const { client, threadId } = setup;
    const input = [
      { type: "text", text: "😀".repeat(1_048_576) },
      { type: "skill", name: "n", path: "/p" },
    ];
    expect((await client.request("turn/start", { threadId, input })).error).toBeUndefined();
    const over = await client.request("turn/steer", {
      threadId,
      expectedTurnId: "turn-1",
      input: [...input, ...text("x")],
    });
    expect(over.error).toEqual({
      code: -32602,
      message: "Input exceeds the maximum length of 1048576 characters.",
      data: { input_error_code: "input_too_large", max_chars: 1_048_576, actual_chars: 1_048_577 },
    });
  });

  it("takes old names of the default mode", async () => {
    await using setup = await withThread();
    const { client, threadId, session } = setup;
    const collaborationMode = { mode: "code", settings: { model: "m" } };
    await client.request("turn/start", { threadId, input: text("x"), collaborationMode });
    expect(session.submissions[0]).toMatchObject({ thread_settings: { collaboration_mode: { mode: "default" } } });
  });

  it.each([
    ["EmptyInput", -32603, "failed to submit turn input: EmptyInput", "input must not be empty"],
    [
      "ActiveTurnOutputSchemaMismatch",
      -32603,
      "failed to submit turn input: ActiveTurnOutputSchemaMismatch",
      "active turn uses a different output schema",
    ],
    ["NoActiveTurn", -32603, "failed to submit turn input: NoActiveTurn", "no active turn to steer"],
  ])("a refusal for %s is spelled for start and steer", async (reason, code, startWords, steerWords) => {
    await using setup = await withThread();
    const { client, threadId, session } = setup;
    session.refuse = reason;
    expect((await client.request("turn/start", { threadId, input: [] })).error).toEqual({ code, message: startWords });
    const steer = await client.request("turn/steer", { threadId, expectedTurnId: "t", input: [] });
    expect(steer.error).toEqual({ code: -32600, message: steerWords });
    expect((await client.request("turn/steer", { threadId, expectedTurnId: "", input: [] })).error.message).toBe(
      "expectedTurnId must not be empty",
    );
  });
});

describe("interrupt", () => {
  it("replies to everyone who asked before the end of the turn is told, and last what became of questions", async () => {
    await using setup = await withThread();
    const { client, threadId, session } = setup;
    await client.request("turn/start", { threadId, input: text("hi") });
    session.ask();
    await client.notification("item/tool/requestUserInput");
    const from = client.story.length;
    const interrupt = session.interrupt.bind(session);
    let asked = 0;
    session.interrupt = async () => {
      asked += 1;
      if (asked === 2) await interrupt();
    };
    const replies = await Promise.all([
      client.request("turn/interrupt", { threadId, turnId: "turn-1" }),
      client.request("turn/interrupt", { threadId, turnId: "" }),
    ]);
    await client.notification("serverRequest/resolved");
    expect(client.story.slice(from)).toEqual([
      ...replies.map(({ id }) => id),
      "thread/status/changed",
      "turn/completed",
      "serverRequest/resolved",
    ]);
    expect(replies.map(({ result }) => result)).toEqual([{}, {}]);
    expect(session.answers).toEqual([]);
  });

  it("has nothing to do for a turn that was interrupted already", async () => {
    await using setup = await withThread();
    const { client, threadId, session } = setup;
    const ask = (turnId: string) => client.request("turn/interrupt", { threadId, turnId });
    expect((await ask("zzz")).error.message).toBe("no active turn to interrupt");
    expect((await ask("")).result).toEqual({});
    await client.request("turn/start", { threadId, input: text("hi") });
    expect((await ask("other")).error.message).toBe("expected active turn id other but found turn-1");
    await ask("turn-1");
    expect((await ask("turn-1")).result).toEqual({});
    await client.request("turn/start", { threadId, input: text("hi") });
    session.complete();
    await client.notification("turn/completed", 2);
    expect((await ask("turn-2")).error.message).toBe("no active turn to interrupt");
  });
});

describe("questions", () => {
  async function asked() {
    const setup = await withThread();
    await setup.client.request("turn/start", { threadId: setup.threadId, input: text("hi") });
    setup.session.ask();
    const question = await setup.client.notification("item/tool/requestUserInput");
    return { ...setup, question };
  }

  it("go out after the flag and are resolved before the flag falls", async () => {
    await using setup = await asked();
    const { client, session, question } = setup;
    expect(question.id).toBe(0);
    expect(client.story.slice(-2)).toEqual(["thread/status/changed", "item/tool/requestUserInput"]);
    const from = client.story.length;
    client.send({ id: 0, result: { answers: { q: { answers: ["a"], extra: 1 }, other: { answers: [] } }, more: 1 } });
    await client.notification("thread/status/changed", 3);
    expect(client.story.slice(from)).toEqual(["serverRequest/resolved", "thread/status/changed"]);
    expect(session.answers).toEqual([
      {
        turnId: "turn-1",
        response: { answers: { q: { answers: ["a"] }, other: { answers: [] } } },
        cause: "submitted",
      },
    ]);
  });

  it.each([
    ["an error", { error: { code: -1, message: "no" } }, "clientFailed"],
    [
      "a forged turn transition",
      { error: { code: -1, message: "no", data: { reason: "turnTransition" } } },
      "clientFailed",
    ],
    ["a string", { result: "nope" }, "clientFailed"],
    ["no answers", { result: {} }, "clientFailed"],
    ["null", { result: null }, "clientFailed"],
    ["an empty map", { result: { answers: {} } }, "submittedEmpty"],
  ])("answered with %s give the model an empty map", async (_name, reply, cause) => {
    await using setup = await asked();
    setup.client.send({ id: 0, ...reply });
    await setup.client.notification("serverRequest/resolved");
    expect(setup.session.answers).toEqual([{ turnId: "turn-1", response: { answers: {} }, cause }]);
  });

  it("stay open for a wrong id, and a second answer counts for nothing", async () => {
    await using setup = await asked();
    const { client, session, log } = setup;
    client.send({ id: "0", result: { answers: {} } });
    client.send({ id: 0, result: { answers: { q: { answers: ["first"] } } } });
    client.send({ id: 0, result: { answers: { q: { answers: ["second"] } } } });
    await client.notification("serverRequest/resolved");
    await step();
    expect(session.answers.map(({ response }) => response.answers.q?.answers)).toEqual([["first"]]);
    expect(log.filter((line) => line.startsWith("could not find callback"))).toHaveLength(2);
  });

  it("are asked again under the same id of a client that resumes, and the first answer of all counts", async () => {
    await using setup = await asked();
    const { client, session, threadId } = setup;
    const second = setup.another();
    await second.hello();
    const { result } = await second.request("thread/resume", { threadId });
    expect(result.thread.status).toEqual({ type: "active", activeFlags: ["waitingOnUserInput"] });
    const again = await second.notification("item/tool/requestUserInput");
    expect(again.id).toBe(0);
    await client.request("thread/resume", { threadId });
    await client.notification("item/tool/requestUserInput", 2);
    await client.transport.close();
    second.send({ id: 0, result: { answers: { q: { answers: ["second client"] } } } });
    await second.notification("serverRequest/resolved");
    expect(session.answers.map(({ response }) => response.answers.q?.answers)).toEqual([["second client"]]);
  });

  it("wait for the next client when everybody left", async () => {
    await using setup = await asked();
    await setup.client.transport.close();
    await step();
    expect(setup.session.answers).toEqual([]);
    const next = setup.another();
    await next.hello();
    await next.request("thread/resume", { threadId: setup.threadId });
    await next.notification("item/tool/requestUserInput");
    next.send({ id: 0, result: { answers: {} } });
    await next.notification("serverRequest/resolved");
    expect(setup.session.answers).toHaveLength(1);
  });
});

describe("approvals", () => {
  const request = {
    type: "exec_approval_request",
    call_id: "call_1",
    turn_id: "turn-1",
    command: ["rm", "x"],
    cwd: "/work",
    parsed_cmd: [{ type: "unknown", cmd: "rm x" }],
    available_decisions: ["approved", "abort"],
  } as const;

  it.each([
    [{ result: { decision: "accept" } }, "approved", ["serverRequest/resolved", "thread/status/changed"]],
    [
      { result: { decision: "acceptForSession" } },
      "approved_for_session",
      ["serverRequest/resolved", "thread/status/changed"],
    ],
    [
      { result: { decision: { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["rm"] } } } },
      { approved_execpolicy_amendment: { proposed_execpolicy_amendment: ["rm"] } },
      ["serverRequest/resolved", "thread/status/changed"],
    ],
    [
      { result: { decision: "decline" } },
      { denied: { rejection: "rejected by user" } },
      ["serverRequest/resolved", "item/completed", "thread/status/changed"],
    ],
    [
      { result: { decision: "cancel" } },
      "abort",
      ["serverRequest/resolved", "item/completed", "thread/status/changed"],
    ],
    [
      { error: { code: -1, message: "x" } },
      { denied: { rejection: "approval request failed" } },
      ["serverRequest/resolved", "item/completed", "thread/status/changed"],
    ],
    [
      { result: { decision: "bogus" } },
      { denied: { rejection: "approval request failed" } },
      ["serverRequest/resolved", "item/completed", "thread/status/changed"],
    ],
  ])("%j", async (reply, decision, story) => {
    await using setup = await withThread();
    const { client, session, threadId } = setup;
    await client.request("turn/start", { threadId, input: text("hi") });
    session.emit(request as unknown as Parameters<FakeSession["emit"]>[0]);
    await client.notification("item/commandExecution/requestApproval");
    expect(client.story.slice(-3)).toEqual([
      "thread/status/changed",
      "item/started",
      "item/commandExecution/requestApproval",
    ]);
    const from = client.story.length;
    client.send({ id: 0, ...reply });
    await expect.poll(() => session.decisions, patience).toEqual([{ id: "call_1", decision }]);
    await client.notification("thread/status/changed", 3);
    expect(client.story.slice(from)).toEqual(story);
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
