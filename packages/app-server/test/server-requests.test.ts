/** What the server asks its clients: questions and approvals. */
import { describe, expect, it } from "vitest";
import type { FakeSession } from "./fake-host.js";
import { patience, step, text, withThread } from "./fake-server.js";

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
    cwd: "/proj",
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

describe("requests for permissions", () => {
  const request = {
    type: "request_permissions" as const,
    call_id: "call_1",
    turn_id: "turn-1",
    started_at_ms: 5,
    cwd: "/proj",
    reason: "to build",
    permissions: { network: { enabled: true }, file_system: { write: ["/out"] } },
  };
  const entry = (path: string, access = "write") => ({ path: { type: "path", path }, access });

  async function asked() {
    const setup = await withThread();
    await setup.client.request("turn/start", { threadId: setup.threadId, input: text("hi") });
    setup.session.emit(request);
    const question = await setup.client.notification("item/permissions/requestApproval");
    return { ...setup, question };
  }

  it("name the files in both spellings and wait as approvals do", async () => {
    await using setup = await asked();
    expect(setup.question).toMatchObject({
      id: 0,
      params: {
        threadId: setup.threadId,
        turnId: "turn-1",
        itemId: "call_1",
        environmentId: "local",
        startedAtMs: 5,
        cwd: "/proj",
        reason: "to build",
        permissions: {
          network: { enabled: true },
          fileSystem: { read: null, write: ["/out"], entries: [entry("/out")] },
        },
      },
    });
    const from = setup.client.story.length;
    setup.client.send({ id: 0, result: { permissions: {} } });
    await setup.client.notification("thread/status/changed", 3);
    expect(setup.client.story.slice(from)).toEqual(["serverRequest/resolved", "thread/status/changed"]);
  });

  const none = { network: undefined, read: [], write: [] };
  it.each([
    [{ result: { permissions: {} } }, none, "turn", false],
    [{ result: { permissions: { fileSystem: null, network: null }, scope: "session" } }, none, "session", false],
    [
      { result: { permissions: { network: { enabled: true }, fileSystem: { write: ["/out/"] } }, scope: "session" } },
      { ...none, network: true, write: ["/out"] },
      "session",
      false,
    ],
    [
      {
        result: {
          permissions: { fileSystem: { entries: [entry("/out"), entry("/in", "read")] } },
          strictAutoReview: true,
        },
      },
      { ...none, read: ["/in"], write: ["/out"] },
      "turn",
      true,
    ],
    [
      {
        result: {
          permissions: {
            fileSystem: {
              write: ["out"],
              entries: [{ path: { type: "glob_pattern", pattern: "/**" }, access: "write" }],
            },
          },
        },
      },
      none,
      "turn",
      false,
    ],
    [{ error: { code: -1, message: "no" } }, none, "turn", false],
    [{ result: { bogus: 1 } }, none, "turn", false],
    [{ result: { permissions: {}, scope: "forever" } }, none, "turn", false],
  ])("answered with %j", async (reply, permissions, scope, strictAutoReview) => {
    await using setup = await asked();
    setup.client.send({ id: 0, ...reply });
    await expect
      .poll(() => setup.session.grants, patience)
      .toEqual([{ callId: "call_1", answer: { permissions, scope, strictAutoReview } }]);
  });

  it("go to everybody who follows the thread, and the first answer counts", async () => {
    await using setup = await asked();
    const second = setup.another();
    await second.hello();
    const { result } = await second.request("thread/resume", { threadId: setup.threadId });
    expect(result.thread.status).toEqual({ type: "active", activeFlags: ["waitingOnApproval"] });
    expect((await second.notification("item/permissions/requestApproval")).id).toBe(0);
    second.send({ id: 0, result: { permissions: { network: { enabled: true } } } });
    await setup.client.notification("serverRequest/resolved");
    setup.client.send({ id: 0, result: { permissions: { fileSystem: { write: ["/out"] } } } });
    await step();
    expect(setup.session.grants.map(({ answer }) => answer.permissions)).toEqual([{ ...none, network: true }]);
  });

  it("end with their turn", async () => {
    await using setup = await asked();
    await setup.session.interrupt();
    await setup.client.notification("serverRequest/resolved");
    expect(setup.session.grants).toEqual([]);
  });
});
