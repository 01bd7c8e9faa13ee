/** Requests about a thread beside its turns, each from the wire down to the model and the files, and over a restart. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { message } from "@turnkit/core/scripted-model";
import { describe, expect, it } from "vitest";
import { connect, folders, text } from "./composed-server.js";

const say = (words: string) => ({ items: [message(words)] });
const note = (words: string) => expect.stringMatching(new RegExp(`^The earlier part[^]*${words}$`));
const unknown = "00000000-0000-7000-8000-000000000000";

describe("thread/compact/start", () => {
  it("tells its story in the reference's order, and outlives the process", { timeout: 60_000 }, async () => {
    await using place = await folders();
    const { model } = place;
    let threadId: string;
    {
      await using server = await connect(place);
      threadId = await server.thread();
      model.push(say("first answer"));
      await server.turn(threadId, "first prompt");
      const before = server.client.seen.length;
      model.push(say("THE NOTE"));
      expect(await server.ok("thread/compact/start", { threadId })).toEqual({});
      await server.completed(await server.started(2));
      const told = server.client.seen.slice(before).map(({ method, id, params }) => {
        if (method === "thread/status/changed") return `${method} ${params.status.type}`;
        if (method?.startsWith("item/")) return `${method} ${params.item.type}`;
        return method ?? `reply ${id}`;
      });
      expect(told.filter((each) => each !== "account/rateLimits/updated")).toEqual([
        expect.stringMatching(/^reply/),
        "thread/status/changed active",
        "turn/started",
        "item/started contextCompaction",
        "thread/tokenUsage/updated",
        "thread/tokenUsage/updated",
        "thread/tokenUsage/updated",
        "item/completed contextCompaction",
        "warning",
        "thread/status/changed idle",
        "turn/completed",
      ]);
      const usage = server.client.seen.filter(({ method }) => method === "thread/tokenUsage/updated").at(-1)?.params;
      expect(usage.tokenUsage.last).toMatchObject({ inputTokens: 0, outputTokens: 0 });
      expect(usage.tokenUsage.modelContextWindow).toBe(258_400);
      model.push(say("second answer"));
      await server.turn(threadId, "second prompt");
      expect(server.asked(-1)).toEqual(["first prompt", note("THE NOTE"), "second prompt"]);
    }
    await using again = await connect(place);
    const { thread } = await again.ok("thread/resume", { threadId });
    expect(thread.turns.map((turn: { items: { type: string }[] }) => turn.items.map(({ type }) => type))).toEqual([
      ["userMessage", "agentMessage"],
      ["contextCompaction"],
      ["userMessage", "agentMessage"],
    ]);
    model.push(say("third answer"));
    await again.turn(threadId, "third prompt");
    expect(again.asked(-1)).toEqual([
      "first prompt",
      note("THE NOTE"),
      "second prompt",
      "second answer",
      "third prompt",
    ]);
    await again.ok("thread/rollback", { threadId, numTurns: 3 });
    model.push(say("fourth answer"));
    await again.turn(threadId, "fourth prompt");
    expect(again.asked(-1)).toEqual(["first prompt", "first answer", "fourth prompt"]);
    const fork = await again.ok("thread/fork", { threadId });
    model.push(say("fifth answer"));
    await again.turn(fork.thread.id, "fifth prompt");
    expect(again.asked(-1)).toEqual(["first prompt", "first answer", "fourth prompt", "fourth answer", "fifth prompt"]);
  });

  it("lets nothing into its turn, and says so to whoever tries", async () => {
    await using place = await folders();
    await using server = await connect(place);
    const threadId = await server.thread();
    place.model.push({ ...say("THE NOTE"), hold: true });
    await server.ok("thread/compact/start", { threadId });
    const turnId = await server.started(1);
    await place.model.waitForHold();
    const steer = await server.client.request("turn/steer", {
      threadId,
      expectedTurnId: turnId,
      input: text("x"),
    });
    expect(steer.error).toEqual({
      code: -32600,
      message: "cannot steer a compact turn",
      data: {
        message: "cannot steer a compact turn",
        codexErrorInfo: { activeTurnNotSteerable: { turnKind: "compact" } },
        additionalDetails: null,
      },
    });
    const start = await server.client.request("turn/start", { threadId, input: text("x") });
    expect(start.error).toEqual({
      code: -32603,
      message: "failed to submit turn input: ActiveTurnNotSteerable { turn_kind: Compact }",
    });
    const shell = await server.client.request("thread/shellCommand", { threadId, command: "true" });
    expect(shell.error?.code).toBe(-32600);
    expect(await server.ok("turn/interrupt", { threadId, turnId })).toEqual({});
    expect((await server.completed(turnId)).params.turn.status).toBe("interrupted");
  });

  it("fails as a turn, and the next turn has everything", async () => {
    await using place = await folders('compact_prompt = "Sum it up."');
    await using server = await connect(place);
    const threadId = await server.thread();
    place.model.push(say("first answer"));
    await server.turn(threadId, "first prompt");
    place.model.push({ status: 400, errorBody: { error: { message: "bad thing", code: "bad" } } });
    await server.ok("thread/compact/start", { threadId });
    const ended = await server.completed(await server.started(2));
    expect(server.asked(-1).at(-1)).toBe("Sum it up.");
    expect(ended.params.turn).toMatchObject({ status: "failed", error: { codexErrorInfo: "other" } });
    place.model.push(say("second answer"));
    await server.turn(threadId, "second prompt");
    expect(server.asked(-1)).toEqual(["first prompt", "first answer", "second prompt"]);
  });

  it("happens by itself at the configured limit, and the model is told of terminals that still run", async () => {
    await using place = await folders("model_auto_compact_token_limit = 500");
    await using server = await connect(place);
    const threadId = await server.thread();
    const usage = { input_tokens: 600, output_tokens: 10, total_tokens: 610 };
    place.model.push(
      {
        items: [
          {
            type: "function_call",
            id: "fc_1",
            call_id: "call_1",
            name: "exec_command",
            arguments: JSON.stringify({ cmd: "sleep 60", yield_time_ms: 250 }),
          },
        ],
      },
      { ...say("first answer"), usage },
    );
    await server.turn(threadId, "first prompt");
    place.model.push(say("THE NOTE"), say("second answer"));
    await server.turn(threadId, "second prompt");
    expect(server.asked(-1)).toEqual(["first prompt", note("THE NOTE"), "second prompt"]);
    const { data } = await server.ok("thread/backgroundTerminals/list", { threadId });
    expect(JSON.stringify(place.model.calls.at(-1)?.body)).toMatch(
      new RegExp(`<live_terminals>[^<]*session ${data[0].processId}: [^<]*sleep 60`),
    );
    await server.ok("thread/backgroundTerminals/clean", { threadId });
  });
});

describe("thread/shellCommand", () => {
  it("is a turn with one command, and outlives the process as what the model reads", async () => {
    await using place = await folders();
    let threadId: string;
    {
      await using server = await connect(place);
      threadId = await server.thread();
      expect(await server.ok("thread/shellCommand", { threadId, command: "printf hi; exit 3" })).toEqual({});
      const { params } = await server.completed(await server.started(1));
      expect(params.turn).toMatchObject({ status: "completed", items: [] });
      const { item } = (await server.client.notification("item/completed")).params;
      expect(item).toMatchObject({
        type: "commandExecution",
        command: "/bin/bash -lc 'printf hi; exit 3'",
        processId: null,
        source: "userShell",
        status: "failed",
        aggregatedOutput: "hi",
        exitCode: 3,
      });
      const read = await server.ok("thread/read", { threadId, includeTurns: true });
      expect(read.thread.turns).toHaveLength(1);
    }
    await using again = await connect(place);
    await again.ok("thread/resume", { threadId });
    place.model.push(say("a"));
    await again.turn(threadId, "prompt");
    expect(again.asked(-1)).toEqual([expect.stringMatching(/^<user_shell_command>[\s\S]*Exit code: 3/), "prompt"]);
  });

  it.each(["", "  \n"])("refuses %j", async (command) => {
    await using place = await folders();
    await using server = await connect(place);
    const { error } = await server.client.request("thread/shellCommand", { threadId: await server.thread(), command });
    expect(error).toEqual({ code: -32600, message: "command must not be empty" });
  });
});

describe("thread/inject_items", () => {
  const item = (words: string) => ({
    type: "message",
    role: "user",
    content: [{ type: "input_text", text: words }],
  });

  it("puts items into the history, before the first turn too, and keeps them", async () => {
    await using place = await folders();
    let threadId: string;
    {
      await using server = await connect(place);
      threadId = await server.thread();
      await server.ok("thread/inject_items", { threadId, items: [item("one"), { type: "of_tomorrow", x: 1 }] });
      expect((await server.ok("thread/read", { threadId, includeTurns: true })).thread.turns).toEqual([]);
    }
    await using again = await connect(place);
    await again.ok("thread/resume", { threadId });
    place.model.push(say("a"));
    await again.turn(threadId, "prompt");
    expect(again.asked(-1)).toEqual(["one", "prompt"]);
  });

  it.each([
    { items: [], error: "items must not be empty" },
    { items: [{ nonsense: 1 }], error: "items[0] is not a valid response item: type" },
    {
      items: [item("one"), { type: "message", role: "user" }],
      error: "items[1] is not a valid response item: content",
    },
    { items: [5], error: "items[0] is not a valid response item: " },
  ])("refuses $items", async ({ items, error }) => {
    await using place = await folders();
    await using server = await connect(place);
    const reply = await server.client.request("thread/inject_items", { threadId: await server.thread(), items });
    expect(reply.error?.code).toBe(-32600);
    expect(reply.error?.message.startsWith(error)).toBe(true);
  });
});

describe("thread/metadata/update", () => {
  it("is in what is read and listed, also by the next process and after a resume", async () => {
    await using place = await folders();
    let threadId: string;
    {
      await using server = await connect(place);
      threadId = await server.thread();
      place.model.push(say("a"));
      await server.turn(threadId, "prompt");
      const update = (gitInfo: object) => server.ok("thread/metadata/update", { threadId, gitInfo });
      const first = await update({ sha: "abc", branch: " main ", originUrl: "git@x:y" });
      expect(first.thread.gitInfo).toEqual({ sha: "abc", branch: "main", originUrl: "git@x:y" });
      expect((await update({ branch: null })).thread.gitInfo).toEqual({
        sha: "abc",
        branch: null,
        originUrl: "git@x:y",
      });
      expect((await server.ok("thread/read", { threadId })).thread.gitInfo.sha).toBe("abc");
    }
    const kept = { sha: "abc", branch: "later", originUrl: "git@x:y" };
    await using again = await connect(place);
    expect((await again.ok("thread/list", {})).data[0].gitInfo).toEqual({ ...kept, branch: null });
    await again.ok("thread/metadata/update", { threadId, gitInfo: { branch: "later" } });
    expect((await again.ok("thread/read", { threadId })).thread.gitInfo).toEqual(kept);
    expect((await again.ok("thread/resume", { threadId })).thread.gitInfo).toEqual(kept);
    expect((await again.ok("thread/list", {})).data[0].gitInfo).toEqual(kept);
  });

  it.each([
    { params: {}, error: "thread metadata update must include at least one field" },
    { params: { gitInfo: null }, error: "thread metadata update must include at least one field" },
    { params: { gitInfo: {} }, error: "gitInfo must include at least one field" },
    { params: { gitInfo: { branch: " " } }, error: "gitInfo.branch must not be empty" },
    { params: { projectId: "p" }, error: "project not found: p" },
    { params: { threadId: unknown, gitInfo: { branch: "x" } }, error: `no rollout found for thread id ${unknown}` },
  ])("refuses $params", async ({ params, error }) => {
    await using place = await folders();
    await using server = await connect(place);
    const reply = await server.client.request("thread/metadata/update", { threadId: await server.thread(), ...params });
    expect(reply.error).toEqual({ code: -32600, message: error });
  });

  it("is refused by a thread without a file", async () => {
    await using place = await folders();
    await using server = await connect(place);
    const threadId = await server.thread({ ephemeral: true });
    const { error } = await server.client.request("thread/metadata/update", { threadId, gitInfo: { branch: "x" } });
    expect(error?.message).toBe(`ephemeral thread does not support metadata updates: ${threadId}`);
  });
});

describe("thread/search", () => {
  it("finds what was said by either side, and shows where", async () => {
    await using place = await folders();
    await using server = await connect(place);
    const long = `Find the Lazy dog, ${"many words around it ".repeat(12)}and a hidden needle at the end.`;
    const first = await server.thread();
    place.model.push(say("The quick brown fox"));
    await server.turn(first, long);
    const second = await server.thread();
    place.model.push(say("other"));
    await server.turn(second, "unrelated");
    const found = async (searchTerm: string) =>
      (await server.ok("thread/search", { searchTerm })).data.map(
        ({ thread, snippet }: { thread: { id: string }; snippet: string }) => [thread.id, snippet],
      );
    expect(await found("QUICK")).toEqual([[first, "The quick brown fox"]]);
    expect(await found("lazy")).toEqual([[first, expect.stringMatching(/^Find the Lazy dog, .+ \.\.\.$/)]]);
    expect(await found("needle")).toEqual([[first, expect.stringMatching(/^\.\.\. .*needle at the end\.$/)]]);
    expect(await found("environment_context")).toEqual([]);
    expect(await found("other")).toEqual([[second, "other"]]);
    for (const searchTerm of ["", "  "]) {
      const { error } = await server.client.request("thread/search", { searchTerm });
      expect(error).toEqual({ code: -32600, message: "thread/search requires a non-empty searchTerm" });
    }
  });
});

describe("thread/queue over a restart", () => {
  it("sends what waited when the thread is resumed, unless its last turn was interrupted", {
    timeout: 60_000,
  }, async () => {
    await using place = await folders();
    let quiet: string;
    let interrupted: string;
    const add = (server: Awaited<ReturnType<typeof connect>>, threadId: string, words: string) =>
      server.ok("thread/queue/add", { threadId, input: text(words), clientUserMessageId: `client-${words}` });
    {
      await using server = await connect(place);
      quiet = await server.thread();
      place.model.push(say("a"));
      await server.turn(quiet, "prompt");
      interrupted = await server.thread();
      place.model.push({ ...say("held"), hold: true });
      const { turn } = await server.ok("turn/start", { threadId: interrupted, input: text("prompt") });
      await place.model.waitForHold();
      await add(server, interrupted, "waits");
      await server.ok("turn/interrupt", { threadId: interrupted, turnId: turn.id });
    }
    await using again = await connect(place);
    await add(again, quiet, "sent");
    const refused = await again.client.request("thread/queue/start", { threadId: quiet });
    expect(refused.error?.message).toBe("resume the thread before starting a queued message");
    place.model.push(say("b"));
    await again.ok("thread/resume", { threadId: quiet });
    await again.completed(await again.started(1));
    expect(again.asked(-1).at(-1)).toBe("sent");
    await again.ok("thread/resume", { threadId: interrupted });
    const list = async () => (await again.ok("thread/queue/list", { threadId: interrupted })).data;
    expect(await list()).toHaveLength(1);
    place.model.push(say("c"));
    const { turn } = await again.ok("thread/queue/start", { threadId: interrupted });
    await again.completed(turn.id);
    expect(await list()).toEqual([]);
    await add(again, interrupted, "goes with its thread");
    await again.completed(await again.started(3));
    await add(again, interrupted, "x");
    await again.ok("thread/delete", { threadId: interrupted });
    expect(existsSync(join(place.home, "queues", interrupted))).toBe(false);
  });

  it("sends at once what is added to an idle thread", async () => {
    await using place = await folders();
    await using server = await connect(place);
    const threadId = await server.thread();
    place.model.push(say("a"));
    await server.ok("thread/queue/add", { threadId, input: text("first words"), clientUserMessageId: "c" });
    await server.completed(await server.started(1));
    expect(server.asked(0)).toEqual(["first words"]);
    expect((await server.client.notification("item/started")).params.item).toMatchObject({ clientId: "c" });
  });
});
