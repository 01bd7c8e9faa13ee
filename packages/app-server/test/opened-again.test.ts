/** What a thread still has when it is opened again, and what its forks take from it. */
import { message } from "@turnkit/core/scripted-model";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connect, folders } from "./composed-server.js";

type Server = Awaited<ReturnType<typeof connect>>;
let place: Awaited<ReturnType<typeof folders>>;
let server: Server;
let threadId: string;

beforeAll(async () => {
  place = await folders("", () => ({ items: [message("said")] }));
  server = await connect(place);
  threadId = await server.thread();
  await server.ok("thread/settings/update", {
    threadId,
    model: "gpt-5",
    effort: "high",
    approvalPolicy: "on-request",
    sandboxPolicy: { type: "readOnly", networkAccess: false },
  });
  await server.turn(threadId, "prompt");
});
afterAll(() => place[Symbol.asyncDispose]());

/** Opens the thread again and tells what it goes on with. */
async function openedAgain(params: object = {}) {
  const closed = server.client.story.filter((method) => method === "thread/closed").length;
  await server.ok("thread/unsubscribe", { threadId });
  await server.client.notification("thread/closed", closed + 1);
  const opened = await server.ok("thread/resume", { threadId, ...params });
  return [opened.model, opened.reasoningEffort, opened.approvalPolicy, opened.sandbox.type];
}

it("goes on with its model and approval policy, in the sandbox of the configuration", async () => {
  expect(await openedAgain()).toEqual(["gpt-5", "high", "on-request", "dangerFullAccess"]);
});

it("takes another approval policy or sandbox that is asked for", async () => {
  expect(await openedAgain({ approvalPolicy: "never", sandbox: "read-only" })).toMatchObject({
    2: "never",
    3: "readOnly",
  });
  expect(await openedAgain({ config: { approval_policy: "never" } })).toMatchObject({ 2: "never" });
});

it("keeps its approval policy in forks", async () => {
  const { approvalPolicy } = await server.ok("thread/fork", { threadId });
  expect(approvalPolicy).toBe("on-request");
});

it("takes another model that is asked for", async () => {
  expect(await openedAgain({ model: "gpt-5.4" })).toEqual(["gpt-5.4", null, "on-request", "dangerFullAccess"]);
  expect(await openedAgain({ config: { model_reasoning_effort: "low" } })).toEqual([
    "gpt-5.4",
    "low",
    "on-request",
    "dangerFullAccess",
  ]);
});

it("gives its name to forks", async () => {
  await server.ok("thread/name/set", { threadId, name: "Named" });
  const { thread: fork } = await server.ok("thread/fork", { threadId });
  const { thread: ephemeral } = await server.ok("thread/fork", { threadId, ephemeral: true });
  expect([fork.name, ephemeral.name]).toEqual(["Named", "Named"]);
  const { data } = await server.ok("thread/list", {});
  expect(data.find(({ id }: { id: string }) => id === fork.id)?.name).toBe("Named");
});

it("a relative folder is one below its own", async () => {
  await server.ok("thread/settings/update", { threadId, cwd: "below" });
  await expect.poll(async () => (await server.ok("thread/read", { threadId })).thread.cwd).toBe(`${place.cwd}/below`);
});
