/** The server as it ships: core, tools, files and processes behind it, a scripted model over HTTP, the typed client. */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { functionCall, message, type ScriptedModel, startScriptedModel } from "@turnkit/core/scripted-model";
import type { ThreadItem } from "@turnkit/protocol/app";
import { describe, expect, it } from "vitest";
import { AppClient, type AppNotification, type ServerRequestHandlers } from "../src/client/index.js";
import { createInProcessAppServer } from "../src/in-process.js";

function prepare(model: ScriptedModel, extra = ""): string {
  const home = mkdtempSync(join(tmpdir(), "whole-"));
  writeFileSync(
    join(home, "config.toml"),
    `model = "gpt-5.4"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
[model_providers.scripted]
name = "scripted"
base_url = "${model.url}"
request_max_retries = 0
stream_max_retries = 0
[features]
default_mode_request_user_input = true
${extra}`,
  );
  return home;
}

async function connect(home: string, requests: ServerRequestHandlers = {}, log: (line: string) => void = () => {}) {
  const seen: AppNotification[] = [];
  const problems: unknown[] = [];
  const server = createInProcessAppServer({ home, env: { ...process.env, TURNKIT_HOME: home }, log });
  const client = new AppClient(server.transport, {
    requests,
    onNotification: (notification) => seen.push(notification),
    onProblem: (problem) => problems.push(problem),
  });
  await client.initialize({ clientInfo: { name: "test", version: "1" }, capabilities: { experimentalApi: true } });
  const turn = async (threadId: string, text: string) => {
    const { turn: started } = await client.request("turn/start", { threadId, input: [{ type: "text", text }] });
    const done = () =>
      seen.find(
        ({ method, params }) =>
          method === "turn/completed" && (params as { turn: { id: string } }).turn.id === started.id,
      );
    await expect.poll(done, { timeout: 20_000, interval: 5 }).toBeDefined();
    return done()?.params as { turn: { status: string; items: ThreadItem[] } };
  };
  return {
    client,
    seen,
    problems,
    turn,
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await server.close();
    },
  };
}

const question = {
  questions: [
    {
      id: "color",
      header: "Color",
      question: "Which?",
      options: [
        { label: "Red", description: "" },
        { label: "Blue", description: "" },
      ],
    },
  ],
};
const methods = (seen: AppNotification[]) => seen.map(({ method }) => method);

describe("a whole turn", () => {
  it("asks, runs a program in a terminal, types the answer into it, and is resumed by another server", {
    timeout: 60_000,
  }, async () => {
    await using model = await startScriptedModel();
    const home = prepare(model);
    const cwd = mkdtempSync(join(tmpdir(), "work-"));
    model.push(
      { items: [functionCall("request_user_input", question, "call_ask")] },
      {
        items: [functionCall("exec_command", { cmd: "cat", tty: true, login: false, yield_time_ms: 250 }, "call_cat")],
      },
    );
    let threadId: string;
    let path: string;
    {
      await using first = await connect(home, {
        "item/tool/requestUserInput": ({ questions }) => ({
          answers: Object.fromEntries(
            questions.map(({ id, options }) => [id, { answers: [options?.[1]?.label ?? ""] }]),
          ),
        }),
      });
      const opened = await first.client.request("thread/start", { cwd });
      threadId = opened.thread.id;
      path = opened.thread.path as string;
      // What is typed is built from what the model was told: the answer, and the id of the terminal.
      model.push(
        { fn: (body) => typed(body, `${answer(body)}\n`, "call_type") },
        { fn: (body) => typed(body, "\u0004", "call_end") },
        { items: [message("done")] },
      );
      const { turn } = await first.turn(threadId, "go");
      expect(turn.status).toBe("completed");
      expect(turn.items).toMatchObject([{ type: "agentMessage", text: "done" }]);
      // The program may end after the turn: it is told with the turn that started it.
      const ended = () =>
        first.seen.find(({ method, params }) => method === "item/completed" && params.item.type === "commandExecution")
          ?.params;
      await expect.poll(ended, { timeout: 20_000 }).toMatchObject({
        item: {
          id: "call_cat",
          command: "/bin/bash -c cat",
          status: "completed",
          exitCode: 0,
          aggregatedOutput: "Blue\r\nBlue\r\n",
        },
      });
      expect(methods(first.seen)).toContain("item/commandExecution/terminalInteraction");
      expect(methods(first.seen)).toContain("thread/tokenUsage/updated");
      expect(first.problems).toEqual([]);
    }
    expect(
      readFileSync(path, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).type)[0],
    ).toBe("session_meta");

    await using second = await connect(home);
    model.push({ items: [message("again")] });
    const resumed = await second.client.request("thread/resume", { threadId });
    expect(resumed.thread.turns.map(({ status, items }) => [status, items.map(({ type }) => type)])).toEqual([
      ["completed", ["userMessage", "agentMessage"]],
    ]);
    expect((await second.turn(threadId, "and again")).turn.status).toBe("completed");
    const replayed = JSON.stringify(model.calls.at(-1)?.body);
    expect(replayed).toContain("call_cat");
    expect(replayed).toContain("and again");
    const listed = await second.client.request("thread/list", {});
    expect(listed.data.map(({ id, preview }) => [id, preview])).toEqual([[threadId, "go"]]);
    const forked = await second.client.request("thread/fork", { threadId });
    expect([forked.thread.forkedFromId, forked.thread.turns.length, forked.thread.id === threadId]).toEqual([
      threadId,
      2,
      false,
    ]);
    await second.client.request("thread/unsubscribe", { threadId: forked.thread.id });
    const lines = () =>
      readFileSync(forked.thread.path as string, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
    await expect.poll(() => lines().at(-1).payload.type).toBe("thread_settings_applied");
    expect(lines()[0].payload).toMatchObject({ forked_from_id: threadId, multi_agent_version: "v1" });

    await second.client.request("thread/rollback", { threadId, numTurns: 1 });
    const usages = second.seen.flatMap((each) =>
      each.method === "thread/tokenUsage/updated" ? [each.params.tokenUsage] : [],
    );
    expect(usages.at(-1)).toMatchObject({ last: { inputTokens: 0, outputTokens: 0 } });
    expect(usages.at(-1)?.last.totalTokens).toBeGreaterThan(100);
  });

  it("goes on after the model failed, and says how", { timeout: 60_000 }, async () => {
    await using model = await startScriptedModel();
    await using server = await connect(prepare(model));
    const { thread } = await server.client.request("thread/start", { cwd: tmpdir() });
    model.push({ status: 400, errorBody: { error: { message: "bad thing" } } }, { items: [message("fine")] });
    expect((await server.turn(thread.id, "one")).turn.status).toBe("failed");
    expect((await server.turn(thread.id, "two")).turn.status).toBe("completed");
    expect(methods(server.seen).filter((method) => method === "error")).toHaveLength(1);
  });

  it("leaves a question to its turn: an interrupt ends both", { timeout: 60_000 }, async () => {
    await using model = await startScriptedModel();
    let asked = () => {};
    const askedFor = new Promise<void>((resolve) => {
      asked = resolve;
    });
    await using server = await connect(prepare(model), {
      "item/tool/requestUserInput": () => {
        asked();
        return new Promise(() => {});
      },
    });
    const { thread } = await server.client.request("thread/start", { cwd: tmpdir() });
    model.push({ items: [functionCall("request_user_input", question, "call_ask")] });
    const { turn } = await server.client.request("turn/start", {
      threadId: thread.id,
      input: [{ type: "text", text: "go" }],
    });
    await askedFor;
    const read = await server.client.request("thread/read", { threadId: thread.id });
    expect(read.thread.status).toEqual({ type: "active", activeFlags: ["waitingOnUserInput"] });
    const resolved = server.client.next("serverRequest/resolved");
    await server.client.request("turn/interrupt", { threadId: thread.id, turnId: turn.id });
    await resolved;
    expect(methods(server.seen).slice(-3)).toEqual([
      "thread/status/changed",
      "turn/completed",
      "serverRequest/resolved",
    ]);
  });
});

it("names in its log and its diagnostics what became of questions", { timeout: 60_000 }, async () => {
  await using model = await startScriptedModel();
  const log: string[] = [];
  const replies = [
    async () => ({ answers: { color: { answers: ["Red"] } } }),
    async () => ({ answers: {} }),
    async () => ({ answers: { color: { answers: [] } } }),
    async () => {
      throw new Error("no screen");
    },
    () => new Promise<never>(() => {}),
  ];
  let asked = 0;
  await using server = await connect(
    prepare(model),
    { "item/tool/requestUserInput": () => (replies[asked++] as (typeof replies)[0])() },
    (line) => log.push(line),
  );
  const { thread } = await server.client.request("thread/start", { cwd: tmpdir() });
  model.push(...replies.map((_, at) => ({ items: [functionCall("request_user_input", question, `call_${at}`)] })));
  const { turn } = await server.client.request("turn/start", {
    threadId: thread.id,
    input: [{ type: "text", text: "go" }],
  });
  await expect.poll(() => asked, { timeout: 20_000 }).toBe(replies.length);
  await server.client.request("turn/interrupt", { threadId: thread.id, turnId: turn.id });
  const ends = () => log.flatMap((line) => /^the wait for an answer to turn \S+ ended: (\w+)$/.exec(line)?.[1] ?? []);
  await expect.poll(ends).toEqual(["submitted", "submittedEmpty", "submittedEmpty", "clientFailed", "holderCleared"]);
  model.push(
    { items: [functionCall("request_user_input", { questions: [], more: 1 }, "call_5")] },
    { items: [functionCall("request_user_input", "no object", "call_6")] },
    { items: [message("done")] },
  );
  replies.push(async () => ({ answers: {} }));
  await server.turn(thread.id, "once more");
  expect(log.at(-1)).toMatch(/^question call_6 of turn \S+ is not shown: invalidArguments \(mode default, /);
  const { gauges } = await server.client.request("server/diagnostics", {});
  expect(Object.fromEntries(gauges.map(({ name, value }) => [name, value]))).toMatchObject({
    loaded_threads: 1,
    background_terminals: 0,
    heap_used_bytes: expect.any(Number),
    open_descriptors: expect.any(Number),
    questions_submitted: 1,
    questions_submitted_empty: 3,
    questions_auto_resolved: 0,
    questions_client_failed: 1,
    questions_holder_cleared: 1,
    questions_switched_off: 0,
    questions_not_root_thread: 0,
    questions_unavailable_mode: 0,
    questions_invalid_arguments: 1,
  });
});

// biome-ignore lint/suspicious/noExplicitAny: bodies of requests are looked into by their members
const outputs = (body: any, callId: string): string =>
  body.input.findLast(
    (item: { call_id?: string; type: string }) => item.type === "function_call_output" && item.call_id === callId,
  )?.output ?? "";
const typed = (body: unknown, chars: string, callId: string) => ({
  items: [functionCall("write_stdin", { session_id: sessionId(body), chars }, callId)],
});
const sessionId = (body: unknown) => Number(/session ID (\d+)/.exec(outputs(body, "call_cat"))?.[1]);
const answer = (body: unknown) => JSON.parse(outputs(body, "call_ask")).answers.color.answers[0];
