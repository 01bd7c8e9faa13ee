/** Turns as a client starts, steers and interrupts them. */
import { describe, expect, it } from "vitest";
import { text, withThread } from "./fake-server.js";

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
