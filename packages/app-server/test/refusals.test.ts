/** What clients are told of requests that cannot be served, in the codes and words of the reference. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { message } from "@turnkit/core/scripted-model";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, folders } from "./composed-server.js";

const UNKNOWN = "01900000-0000-7000-8000-000000000000";
const NOT_A_UUID =
  "invalid character: expected an optional prefix of `urn:uuid:` followed by [0-9a-fA-F-], found `n` at 1";
const NO_QUEUE = `failed to read thread: invalid thread-store request: no rollout found for thread id ${UNKNOWN}`;

type Server = Awaited<ReturnType<typeof connect>>;
let place: Awaited<ReturnType<typeof folders>>;
let server: Server;
let thread: string;

beforeAll(async () => {
  place = await folders("", () => ({ items: [message("said")] }));
  server = await connect(place);
  thread = await server.thread();
  await server.turn(thread, "prompt");
  mkdirSync(join(place.cwd, "full", "inside"), { recursive: true });
  writeFileSync(join(place.cwd, "file"), "text");
});
afterAll(() => place[Symbol.asyncDispose]());

async function refusal(method: string, params: object): Promise<[number, string]> {
  const { error } = await server.client.request(method, params);
  return [error?.code as number, error?.message as string];
}

describe("threads", () => {
  it.each([
    ["thread/archive", { threadId: "nope" }, -32600, `invalid session id: ${NOT_A_UUID}`],
    ["thread/unarchive", { threadId: "nope" }, -32600, `invalid session id: ${NOT_A_UUID}`],
    ["thread/unarchive", { threadId: UNKNOWN }, -32600, `no archived rollout found for thread id ${UNKNOWN}`],
    ["thread/metadata/update", { threadId: "nope" }, -32600, `invalid thread id: ${NOT_A_UUID}`],
    ["thread/queue/list", { threadId: UNKNOWN }, -32603, NO_QUEUE],
    ["thread/queue/start", { threadId: UNKNOWN }, -32603, NO_QUEUE],
    ["experimentalFeature/list", { threadId: UNKNOWN }, -32600, `thread not found: ${UNKNOWN}`],
    ["experimentalFeature/list", { cursor: "999" }, -32600, "cursor 999 exceeds total feature flags 4"],
    ["permissionProfile/list", { cursor: "x" }, -32600, "invalid cursor: x"],
    ["thread/loaded/list", { cursor: "x" }, -32600, "invalid cursor: x"],
  ])("%s %j", async (method, params, code, words) => {
    expect(await refusal(method, params)).toEqual([code, words]);
  });

  it("terminals: a process id is a number of 32 bits, and is looked at first", async () => {
    const terminate = (processId: string, threadId = UNKNOWN) =>
      refusal("thread/backgroundTerminals/terminate", { threadId, processId });
    const prefix = "invalid background terminal process id: ";
    expect(await terminate("x")).toEqual([-32600, `${prefix}invalid digit found in string`]);
    expect(await terminate("")).toEqual([-32600, `${prefix}cannot parse integer from empty string`]);
    expect(await terminate("99999999999")).toEqual([-32600, `${prefix}number too large to fit in target type`]);
    expect(await terminate("-99999999999")).toEqual([-32600, `${prefix}number too small to fit in target type`]);
    expect(await terminate("7")).toEqual([-32600, `thread not found: ${UNKNOWN}`]);
    expect(await server.ok("thread/backgroundTerminals/terminate", { threadId: thread, processId: "+7" })).toEqual({
      terminated: false,
    });
    expect(await refusal("thread/backgroundTerminals/list", { threadId: thread, cursor: "x" })).toEqual([
      -32600,
      "invalid cursor: invalid digit found in string",
    ]);
  });

  it("loaded threads after a cursor that is any id", async () => {
    expect(await server.ok("thread/loaded/list", { cursor: UNKNOWN })).toEqual({ data: [thread], nextCursor: null });
    expect(await server.ok("thread/loaded/list", { cursor: thread })).toEqual({ data: [], nextCursor: null });
  });

  it("name what is not there yet of a thread without a turn", async () => {
    const threadId = await server.thread();
    const words = (what: string) =>
      `thread ${threadId} is not materialized yet; ${what} is unavailable before first user message`;
    expect(await refusal("thread/turns/list", { threadId })).toEqual([-32600, words("thread/turns/list")]);
    expect(await refusal("thread/read", { threadId, includeTurns: true })).toEqual([-32600, words("includeTurns")]);
    await server.ok("thread/unsubscribe", { threadId });
  });

  it("an archived thread is taken out before it is opened", async () => {
    const threadId = await server.thread();
    await server.turn(threadId, "prompt");
    await server.ok("thread/archive", { threadId });
    const words = `session ${threadId} is archived. Run \`turnkit unarchive ${threadId}\` to unarchive it first.`;
    expect(await refusal("thread/resume", { threadId })).toEqual([-32600, words]);
    expect(await refusal("thread/fork", { threadId })).toEqual([-32600, words]);
    await server.ok("thread/unarchive", { threadId });
    await server.ok("thread/resume", { threadId });
  });

  it("git information of which nothing is left is none", async () => {
    const update = (branch: string | null) =>
      server.ok("thread/metadata/update", { threadId: thread, gitInfo: { branch } });
    expect((await update("main")).thread.gitInfo).toEqual({ sha: null, branch: "main", originUrl: null });
    expect((await update(null)).thread.gitInfo).toBeNull();
  });

  it("an ephemeral fork has no file, and a new folder is the thread's", async () => {
    const { thread: fork } = await server.ok("thread/fork", { threadId: thread, ephemeral: true });
    expect(fork.path).toBeNull();
    const folder = join(place.cwd, "full");
    await server.ok("thread/settings/update", { threadId: fork.id, cwd: folder });
    await expect.poll(async () => (await server.ok("thread/read", { threadId: fork.id })).thread.cwd).toBe(folder);
  });
});

describe("permission profiles", () => {
  const words = {
    builtIn: "failed to load configuration: default_permissions refers to unknown built-in profile `:x`",
    own: "failed to load configuration: default_permissions requires a `[permissions]` table",
  };

  it("choose the sandbox of a thread, by the ids that are listed", async () => {
    const { data } = await server.ok("permissionProfile/list", {});
    const ids = data.map(({ id }: { id: string }) => id);
    expect(ids).toEqual([":read-only", ":workspace", ":danger-full-access"]);
    const types = [];
    for (const id of ids) {
      const { sandbox, activePermissionProfile } = await server.ok("thread/start", { permissions: id });
      expect(activePermissionProfile).toEqual({ id, extends: null });
      types.push(sandbox.type);
    }
    expect(types).toEqual(["readOnly", "workspaceWrite", "dangerFullAccess"]);
  });

  it("may be changed; another kind of sandbox ends them", async () => {
    const threadId = await server.thread();
    const settings = (count: number) => server.client.notification("thread/settings/updated", count);
    const before = server.client.story.filter((method) => method === "thread/settings/updated").length;
    await server.ok("thread/settings/update", { threadId, permissions: ":read-only" });
    expect((await settings(before + 1)).params.threadSettings).toMatchObject({
      sandboxPolicy: { type: "readOnly", networkAccess: false },
      activePermissionProfile: { id: ":read-only", extends: null },
    });
    await server.ok("thread/settings/update", { threadId, sandboxPolicy: { type: "dangerFullAccess" } });
    expect((await settings(before + 2)).params.threadSettings).toMatchObject({ activePermissionProfile: null });
  });

  it.each([
    [":x", words.builtIn],
    ["x", words.own],
  ])("%s is not known", async (permissions, expected) => {
    expect(await refusal("thread/start", { permissions })).toEqual([-32600, expected]);
    expect(await refusal("thread/settings/update", { threadId: thread, permissions })).toEqual([-32600, expected]);
    const input = [{ type: "text", text: "x", text_elements: [] }];
    expect(await refusal("turn/start", { threadId: thread, input, permissions })).toEqual([-32600, expected]);
  });
});

describe("files", () => {
  const at = (...names: string[]) => join(place.cwd, ...names);

  it.each([
    ["fs/readFile", () => ({ path: at("none") }), -32603, "No such file or directory (os error 2)"],
    ["fs/readDirectory", () => ({ path: at("file") }), -32603, "Not a directory (os error 20)"],
    ["fs/createDirectory", () => ({ path: at("file") }), -32603, "File exists (os error 17)"],
    ["fs/remove", () => ({ path: at("full"), recursive: false }), -32603, "Directory not empty (os error 39)"],
    ["fs/remove", () => ({ path: at("none"), force: false }), -32603, "No such file or directory (os error 2)"],
    [
      "fs/copy",
      () => ({ sourcePath: at("full"), destinationPath: at("full", "x"), recursive: true }),
      -32600,
      "fs/copy cannot copy a directory to itself or one of its descendants",
    ],
    [
      "fs/writeFile",
      () => ({ path: at("new"), dataBase64: "!!" }),
      -32600,
      "fs/writeFile requires valid base64 dataBase64",
    ],
  ])("%s: %#", async (method, params, code, words) => {
    expect(await refusal(method, params())).toEqual([code, words]);
  });

  it("a folder is not read as a file; an empty one is removed", async () => {
    expect(await refusal("fs/readFile", { path: at("full") })).toEqual([
      -32600,
      `path \`${at("full")}\` is not a file`,
    ]);
    mkdirSync(at("empty"));
    expect(await server.ok("fs/remove", { path: at("empty"), recursive: false })).toEqual({});
  });
});
