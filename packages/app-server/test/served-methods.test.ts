/** Which methods of the protocol are served, each by one call on a real server; every other one says that it is not. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { message } from "@turnkit/core/scripted-model";
import { AppMethods, appRequestOrder } from "@turnkit/protocol/app";
import { methodValidators } from "@turnkit/protocol/validate";
import { beforeAll, describe, expect, it } from "vitest";
import { connect, folders, text } from "./composed-server.js";

type Server = Awaited<ReturnType<typeof connect>>;
interface Scene {
  readonly server: Server;
  readonly folder: string;
  /** Has a turn; does nothing. */
  readonly thread: string;
  /** A turn of it waits for the model. */
  readonly busy: { readonly threadId: string; readonly turnId: string };
  /** Waits in the queue of the busy thread. */
  readonly queued: string;
}
type Params = (scene: Scene) => object | Promise<object>;

const onThread: Params = ({ thread }) => ({ threadId: thread });
const onFresh: Params = async ({ server }) => ({ threadId: await server.thread() });
const nothing: Params = () => ({});
const base64 = Buffer.from("text").toString("base64");

/** A thread with a turn, for what would disturb the others. */
async function withTurn({ server }: Scene): Promise<{ readonly threadId: string }> {
  const threadId = await server.thread();
  await server.turn(threadId, "prompt");
  return { threadId };
}

const served: Readonly<Record<string, Params>> = {
  "thread/start": ({ folder }) => ({ cwd: folder }),
  "thread/resume": onThread,
  "thread/fork": onThread,
  "thread/read": ({ thread }) => ({ threadId: thread, includeTurns: true }),
  "thread/list": nothing,
  "thread/loaded/list": nothing,
  "thread/turns/list": onThread,
  "thread/items/list": onThread,
  "thread/search": () => ({ searchTerm: "prompt" }),
  "thread/name/set": ({ thread }) => ({ threadId: thread, name: "Name" }),
  "thread/archive": withTurn,
  "thread/unarchive": async (scene) => {
    const { threadId } = await withTurn(scene);
    await scene.server.ok("thread/archive", { threadId });
    return { threadId };
  },
  "thread/delete": withTurn,
  "thread/unsubscribe": onFresh,
  "thread/rollback": async (scene) => ({ ...(await withTurn(scene)), numTurns: 1 }),
  "thread/compact/start": onFresh,
  "thread/shellCommand": async (scene) => ({ ...(await onFresh(scene)), command: "true" }),
  "thread/settings/update": ({ thread }) => ({ threadId: thread, effort: "high" }),
  "thread/inject_items": async (scene) => ({
    ...(await onFresh(scene)),
    items: [{ type: "message", role: "user", content: [{ type: "input_text", text: "x" }] }],
  }),
  "thread/metadata/update": ({ thread }) => ({ threadId: thread, gitInfo: { branch: "main" } }),
  "thread/backgroundTerminals/list": onThread,
  "thread/backgroundTerminals/terminate": ({ thread }) => ({ threadId: thread, processId: "12345" }),
  "thread/backgroundTerminals/clean": onThread,
  "thread/queue/add": ({ busy }) => ({ threadId: busy.threadId, input: text("x"), clientUserMessageId: "c" }),
  "thread/queue/list": ({ busy }) => ({ threadId: busy.threadId }),
  "thread/queue/update": ({ busy, queued }) => ({
    threadId: busy.threadId,
    queuedSubmissionId: queued,
    input: text("y"),
  }),
  "thread/queue/reorder": async ({ server, busy }) => {
    const { data } = await server.ok("thread/queue/list", { threadId: busy.threadId });
    return { threadId: busy.threadId, queuedSubmissionIds: data.map(({ id }: { id: string }) => id).reverse() };
  },
  "thread/queue/delete": ({ busy }) => ({ threadId: busy.threadId, queuedSubmissionId: "none" }),
  "thread/queue/start": async ({ server }) => {
    const threadId = await server.thread();
    const { turn } = await server.ok("turn/start", { threadId, input: text("hold me") });
    await server.ok("thread/queue/add", { threadId, input: text("x"), clientUserMessageId: "c" });
    await server.ok("turn/interrupt", { threadId, turnId: turn.id });
    return { threadId };
  },
  "thread/increment_elicitation": onThread,
  "thread/decrement_elicitation": onThread,
  "turn/start": async (scene) => ({ ...(await onFresh(scene)), input: text("x") }),
  "turn/steer": ({ busy }) => ({ threadId: busy.threadId, expectedTurnId: busy.turnId, input: text("x") }),
  "turn/interrupt": ({ busy }) => busy,
  "model/list": nothing,
  "config/read": nothing,
  "configRequirements/read": () => null as never,
  "account/read": nothing,
  "skills/list": nothing,
  "hooks/list": nothing,
  "plugin/list": nothing,
  "mcpServerStatus/list": nothing,
  "collaborationMode/list": nothing,
  "experimentalFeature/list": nothing,
  "permissionProfile/list": nothing,
  "modelProvider/capabilities/read": nothing,
  "fs/readFile": ({ folder }) => ({ path: join(folder, "file") }),
  "fs/writeFile": ({ folder }) => ({ path: join(folder, "written"), dataBase64: base64 }),
  "fs/createDirectory": ({ folder }) => ({ path: join(folder, "made") }),
  "fs/getMetadata": ({ folder }) => ({ path: join(folder, "file") }),
  "fs/readDirectory": ({ folder }) => ({ path: folder }),
  "fs/remove": ({ folder }) => ({ path: join(folder, "gone") }),
  "fs/copy": ({ folder }) => ({ sourcePath: join(folder, "file"), destinationPath: join(folder, "copy") }),
  "fs/watch": ({ folder }) => ({ watchId: "w", path: join(folder, "file") }),
  "fs/unwatch": () => ({ watchId: "w" }),
  "server/diagnostics": nothing,
  "environment/add": () => ({ environmentId: "far", execServerUrl: "ws://127.0.0.1:9" }),
  "environment/info": () => ({ environmentId: "local" }),
  "environment/status": () => ({ environmentId: "local" }),
};

/** Served too, and shown to be where their subject is tested. */
const elsewhere = [
  "initialize",
  "fuzzyFileSearch",
  "mcpServer/oauth/login",
  "config/mcpServer/reload",
  "mcpServer/resource/read",
  "mcpServer/tool/call",
];

const validators = methodValidators(AppMethods.clientRequests);
const replies = new Map<string, { readonly result?: unknown; readonly error?: unknown }>();
const others = appRequestOrder.filter((method) => !(method in served) && !elsewhere.includes(method));

// One server for all: a start for each of a hundred methods would take minutes.
beforeAll(async () => {
  await using place = await folders("", (request) => ({
    items: [message("answer")],
    hold: JSON.stringify(request).includes("hold me"),
  }));
  mkdirSync(join(place.cwd, "gone"));
  writeFileSync(join(place.cwd, "file"), "text");
  await using server = await connect(place);
  const thread = await server.thread();
  await server.turn(thread, "prompt");
  const threadId = await server.thread();
  const { turn } = await server.ok("turn/start", { threadId, input: text("hold me") });
  const { queuedSubmission } = await server.ok("thread/queue/add", {
    threadId,
    input: text("first"),
    clientUserMessageId: "c",
  });
  const scene: Scene = {
    server,
    folder: place.cwd,
    thread,
    busy: { threadId, turnId: turn.id },
    queued: queuedSubmission.id,
  };
  for (const [method, params] of Object.entries(served)) {
    const given = await params(scene);
    replies.set(method, await server.client.request(method, given ?? undefined));
  }
  const plausible = { threadId: thread, objective: "x", target: { type: "uncommittedChanges" } };
  for (const method of others) replies.set(method, await server.client.request(method, plausible));
}, 120_000);

describe("a method that is served", () => {
  it.each(Object.keys(served))("%s", (method) => {
    const { result, error } = replies.get(method) ?? {};
    expect(error).toBeUndefined();
    expect(validators(method)?.result(result)).toEqual([]);
  });
});

describe("a method that is not served", () => {
  it.each(others)("%s", (method) => {
    expect(replies.get(method)?.error).toEqual({
      code: -32601,
      message: `${method} is not supported by this server`,
    });
  });
});

it("is one of the protocol's", () => {
  expect([...Object.keys(served), ...elsewhere].filter((method) => !appRequestOrder.includes(method as never))).toEqual(
    [],
  );
  expect(others.length).toBeGreaterThan(50);
});
