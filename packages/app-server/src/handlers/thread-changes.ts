/** Requests that change a thread without starting a turn: name, archive, settings, background terminals, history. */
import type { AppResult } from "@turnkit/protocol/app";
import { RpcError } from "@turnkit/rpc";
import type { AppServer } from "../app-server.js";
import type { ThreadRecord, ThreadStore } from "../ports.js";
import { requireUuid } from "../threads/thread-manager.js";
import { toLoadedThread, toThread } from "../threads/thread-view.js";
import type { HandlerContext, Handlers } from "./handler.js";
import { sessionCall } from "./session-call.js";
import { toOverrides } from "./settings-overrides.js";
import { readTurns } from "./turns.js";

export const changeHandlers: Handlers = {
  async "thread/name/set"({ threadId, name }, context) {
    const { server } = context;
    const trimmed = name.trim();
    if (trimmed === "") throw new RpcError(-32600, "thread name must not be empty");
    await (await stored(threadId, server)).store.rename(threadId, trimmed);
    const thread = server.threads.find(threadId);
    if (thread) thread.record = { ...thread.record, name: trimmed };
    tellAll(context, "thread/name/updated", { threadId, threadName: trimmed });
    return {};
  },

  async "thread/archive"({ threadId }, context) {
    const { server } = context;
    const { store } = await stored(threadId, server);
    const thread = server.threads.find(threadId);
    if (thread) await server.threads.unload(thread);
    await sessionCall("failed to archive thread", () => store.archive(threadId));
    tellAll(context, "thread/archived", { threadId });
    return {};
  },

  async "thread/unarchive"({ threadId }, context) {
    requireUuid(threadId, "thread");
    const { store } = await context.server.host();
    const record = await sessionCall("failed to unarchive thread", () => store.unarchive(threadId));
    tellAll(context, "thread/unarchived", { threadId });
    return { thread: notLoadedThread(record) };
  },

  async "thread/delete"({ threadId }, context) {
    const { server } = context;
    const { store } = await stored(threadId, server);
    const thread = server.threads.find(threadId);
    if (thread) await server.threads.unload(thread);
    await sessionCall("failed to delete thread", () => store.remove(threadId));
    tellAll(context, "thread/deleted", { threadId });
    return {};
  },

  async "thread/rollback"({ threadId, numTurns }, { server, connection }) {
    const thread = server.threads.get(threadId);
    connection.notify("deprecationNotice", {
      summary: "thread/rollback is deprecated and will be removed soon",
      details: null,
    });
    await sessionCall("failed to roll back", () => thread.session.rollback(numTurns));
    const turns = await readTurns(server, thread.record, thread);
    return { thread: { ...toLoadedThread(thread, turns), canAcceptDirectInput: null } };
  },

  async "thread/settings/update"(params, { server }) {
    const thread = server.threads.get(params.threadId);
    const overrides = toOverrides(params);
    if (overrides) {
      await sessionCall("failed to update thread settings", () => thread.session.updateSettings(overrides));
    }
    return {};
  },

  async "thread/metadata/update"({ threadId, gitInfo, projectId }, { server }) {
    if (projectId != null) throw new RpcError(-32600, "projects are not supported");
    const { record } = await stored(threadId, server);
    const thread = server.threads.find(threadId);
    if (gitInfo == null) return { thread: thread ? toLoadedThread(thread, []) : notLoadedThread(record) };
    const merged = { sha: null, branch: null, originUrl: null, ...record.gitInfo, ...dropUndefined(gitInfo) };
    if (thread) thread.record = { ...thread.record, gitInfo: merged };
    return { thread: thread ? toLoadedThread(thread, []) : notLoadedThread({ ...record, gitInfo: merged }) };
  },

  "thread/backgroundTerminals/list"({ threadId }, { server }) {
    const rows = server.threads.get(threadId).session.backgroundTerminals();
    return {
      data: rows.map(({ itemId, processId, command, cwd }) => ({
        itemId,
        processId,
        command,
        cwd,
        osPid: null,
        cpuPercent: null,
        rssKb: null,
      })),
      nextCursor: null,
    } satisfies AppResult<"thread/backgroundTerminals/list">;
  },

  async "thread/backgroundTerminals/terminate"({ threadId, processId }, { server }) {
    const terminated = await server.threads.get(threadId).session.terminateBackgroundTerminal(processId);
    return { terminated };
  },

  async "thread/backgroundTerminals/clean"({ threadId }, { server }) {
    await server.threads.get(threadId).session.cleanBackgroundTerminals();
    return {};
  },

  "thread/increment_elicitation"({ threadId }, { server }) {
    const count = server.threads.get(threadId).session.incrementElicitation();
    return { count, paused: count > 0 };
  },

  async "thread/decrement_elicitation"({ threadId }, { server }) {
    const thread = server.threads.get(threadId);
    const count = await sessionCall("failed to decrement", async () => thread.session.decrementElicitation());
    return { count, paused: count > 0 };
  },
};

function tellAll({ server }: HandlerContext, method: string, params: Record<string, unknown>): void {
  setImmediate(() => server.notify(server.connections, method, params));
}

function notLoadedThread(record: ThreadRecord) {
  return toThread(record, { status: { type: "notLoaded" }, turns: [], canAcceptDirectInput: null, ephemeral: false });
}

/** A thread with a file. @throws {RpcError} no such thread */
async function stored(threadId: string, server: AppServer): Promise<{ store: ThreadStore; record: ThreadRecord }> {
  requireUuid(threadId, "thread");
  const { store } = await server.host();
  const record = server.threads.find(threadId)?.record ?? (await store.find(threadId));
  if (!record) throw new RpcError(-32600, `no rollout found for thread id ${threadId}`);
  return { store, record };
}

function dropUndefined<Value extends object>(value: Value): Partial<Value> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Partial<Value>;
}
