import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { FileQueues } from "../src/host/file-queues.js";
import { createInProcessAppServer } from "../src/in-process.js";
import { FakeHost, type FakeSession } from "./fake-host.js";
import { RawClient } from "./raw-client.js";

const text = (words: string) => [{ type: "text", text: words, text_elements: [] }];

async function start() {
  const home = mkdtempSync(join(tmpdir(), "queue-"));
  const host = new FakeHost();
  host.queues = new FileQueues(home, () => {});
  const server = createInProcessAppServer({ home, host: async () => host.host });
  const client = new RawClient(server.transport);
  await client.hello();
  const { result } = await client.request("thread/start", {});
  const threadId = result.thread.id as string;
  const add = async (words: string) => {
    const { result: added } = await client.request("thread/queue/add", {
      threadId,
      input: text(words),
      clientUserMessageId: `client-${words}`,
    });
    return added.queuedSubmission.id as string;
  };
  const list = async () =>
    (await client.request("thread/queue/list", { threadId })).result.data.map(
      (row: { input: { text: string }[] }) => row.input[0]?.text,
    );
  return {
    home,
    client,
    threadId,
    session: host.sessions[0] as FakeSession,
    add,
    list,
    [Symbol.asyncDispose]: () => server.close(),
  };
}

it("keeps submissions in order, changes them, and survives in a file", async () => {
  await using setup = await start();
  const { client, threadId, session, add, list, home } = setup;
  session.startTurn();
  const [one, two, three] = [await add("one"), await add("two"), await add("three")];
  await client.request("thread/queue/update", { threadId, queuedSubmissionId: two, input: text("second") });
  await client.request("thread/queue/reorder", { threadId, queuedSubmissionIds: [three, one, two] });
  expect(await list()).toEqual(["three", "one", "second"]);
  expect((await client.request("thread/queue/delete", { threadId, queuedSubmissionId: one })).result).toEqual({
    deleted: true,
  });
  expect((await client.request("thread/queue/delete", { threadId, queuedSubmissionId: one })).result).toEqual({
    deleted: false,
  });
  const order = JSON.parse(readFileSync(join(home, "queues", threadId, "order"), "utf8"));
  expect(order).toEqual([three, one, two]);
  await client.notification("thread/queue/changed", 6);
});

it.each([
  [
    "thread/queue/add",
    { input: [], clientUserMessageId: "c" },
    "only user input can be added to the user-message queue",
  ],
  ["thread/queue/update", { queuedSubmissionId: "x", input: text("y") }, "queued submission not found: x"],
  [
    "thread/queue/reorder",
    { queuedSubmissionIds: ["x"] },
    "queue reorder must include every queued submission exactly once",
  ],
  ["thread/queue/list", { cursor: "bogus" }, "invalid queue pagination cursor: invalid digit found in string"],
  ["thread/queue/start", {}, "queue is empty"],
])("%s refuses %j", async (method, params, message) => {
  await using setup = await start();
  const { error } = await setup.client.request(method, { threadId: setup.threadId, ...params });
  expect(error).toEqual({ code: -32600, message });
});

it("holds a hundred and no more", async () => {
  await using setup = await start();
  setup.session.startTurn();
  for (let index = 0; index < 100; index += 1) await setup.add(String(index));
  const { error } = await setup.client.request("thread/queue/add", {
    threadId: setup.threadId,
    input: text("x"),
    clientUserMessageId: "c",
  });
  expect(error.message).toBe("queue cannot contain more than 100 submissions");
});

it("starts the head when a turn completes, but leaves it to the person after an interrupt", async () => {
  await using setup = await start();
  const { client, threadId, session, add, list } = setup;
  await client.request("turn/start", { threadId, input: text("first") });
  await add("queued");
  await add("later");
  session.complete();
  await client.notification("turn/started", 2);
  await expect.poll(list, { timeout: 20_000 }).toEqual(["later"]);
  expect(session.submissions.at(-1)).toEqual({
    input: { UserInput: { content: text("queued"), client_id: "client-queued" } },
  });
  await client.request("turn/interrupt", { threadId, turnId: "turn-2" });
  await client.notification("turn/completed", 2);
  expect(await list()).toEqual(["later"]);
  const started = await client.request("thread/queue/start", { threadId });
  expect(started.result.turn).toMatchObject({ id: "turn-3", status: "inProgress" });
  expect(await list()).toEqual([]);
  const busy = await client.request("thread/queue/start", { threadId });
  expect(busy.error.message).toBe("queue is empty");
});
