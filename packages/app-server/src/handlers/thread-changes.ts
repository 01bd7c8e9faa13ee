/** Requests that change a thread without starting a turn: name, archive, settings, background terminals, history. */

import type { ResponseItem } from "@turnkit/protocol";
import { RpcErrorCode } from "@turnkit/protocol";
import type { AppGitInfo, AppParams, AppResult } from "@turnkit/protocol/app";
import { validate } from "@turnkit/protocol/validate";
import { RpcError } from "@turnkit/rpc";
import type { ThreadRecord, ThreadStore } from "../ports.js";
import type { LoadedThread } from "../threads/loaded-thread.js";
import { requireUuid } from "../threads/thread-manager.js";
import { toLoadedThread, toThread } from "../threads/thread-view.js";
import type { HandlerContext, Handlers, ServerContext } from "./handler.js";
import { sessionCall } from "./session-call.js";
import { toOverrides } from "./settings-overrides.js";
import { readTurns } from "./turns.js";

export const changeHandlers: Handlers = {
  async "thread/name/set"({ threadId, name }, context) {
    const { server } = context;
    const trimmed = name.trim();
    if (trimmed === "") throw new RpcError(RpcErrorCode.invalidRequest, "thread name must not be empty");
    await (await stored(threadId, server)).store.rename(threadId, trimmed);
    const thread = server.threads.find(threadId);
    if (thread) thread.record = { ...thread.record, name: trimmed };
    tellAll(context, "thread/name/updated", { threadId, threadName: trimmed });
    return {};
  },

  async "thread/archive"({ threadId }, context) {
    const { server } = context;
    requireUuid(threadId, "session");
    const { store } = await stored(threadId, server);
    const thread = server.threads.find(threadId);
    if (thread) await server.threads.unload(thread);
    await sessionCall("failed to archive thread", () => store.archive(threadId));
    tellAll(context, "thread/archived", { threadId });
    return {};
  },

  async "thread/unarchive"({ threadId }, context) {
    requireUuid(threadId, "session");
    const { store } = await context.server.host();
    const record = await sessionCall("failed to unarchive thread", () => store.unarchive(threadId)).catch((error) => {
      const words = `no rollout found for thread id ${threadId}`;
      if ((error as Error).message !== words) throw error;
      throw new RpcError(RpcErrorCode.invalidRequest, words.replace("no", "no archived"));
    });
    tellAll(context, "thread/unarchived", { threadId });
    return { thread: notLoadedThread(record) };
  },

  async "thread/delete"({ threadId }, context) {
    const { server } = context;
    const { store } = await stored(threadId, server);
    const thread = server.threads.find(threadId);
    if (thread) await server.threads.unload(thread);
    await sessionCall("failed to delete thread", () => store.remove(threadId));
    await (await server.host()).queues.remove(threadId);
    tellAll(context, "thread/deleted", { threadId });
    return {};
  },

  async "thread/compact/start"({ threadId }, { server }) {
    const thread = server.threads.get(threadId);
    await beforeItsEvents(thread, () => sessionCall("failed to start compaction", () => thread.session.compact()));
    return {};
  },

  async "thread/shellCommand"({ threadId, command }, { server }) {
    const thread = server.threads.get(threadId);
    if (command.trim() === "") throw new RpcError(RpcErrorCode.invalidRequest, "command must not be empty");
    await beforeItsEvents(thread, () =>
      sessionCall("failed to run shell command", () => thread.session.runShellCommand(command)),
    );
    return {};
  },

  async "thread/inject_items"({ threadId, items }, { server }) {
    const thread = server.threads.get(threadId);
    if (items.length === 0) throw new RpcError(RpcErrorCode.invalidRequest, "items must not be empty");
    const checked = items.map(responseItem);
    await sessionCall("failed to inject items", () => thread.session.injectItems(checked));
    return {};
  },

  async "thread/rollback"({ threadId, numTurns }, { server, connection }) {
    const thread = server.threads.get(threadId);
    connection.notify("deprecationNotice", {
      summary: "thread/rollback is deprecated and will be removed soon",
      details: null,
    });
    if (numTurns < 1) throw new RpcError(RpcErrorCode.invalidRequest, "numTurns must be >= 1");
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
    requireUuid(threadId, "thread");
    if (gitInfo == null && projectId == null)
      throw new RpcError(RpcErrorCode.invalidRequest, "thread metadata update must include at least one field");
    const change = gitChange(gitInfo ?? null);
    const { record, store } = await stored(threadId, server);
    const thread = server.threads.find(threadId);
    if (thread?.ephemeral)
      throw new RpcError(
        RpcErrorCode.invalidRequest,
        `ephemeral thread does not support metadata updates: ${threadId}`,
      );
    if (projectId != null) throw new RpcError(RpcErrorCode.invalidRequest, `project not found: ${projectId}`);
    const merged = { sha: null, branch: null, originUrl: null, ...record.gitInfo, ...change };
    await sessionCall("failed to update thread metadata", () => store.setGitInfo(threadId, merged));
    if (thread) thread.record = { ...thread.record, gitInfo: merged };
    const shown = thread ? toLoadedThread(thread, []) : notLoadedThread({ ...record, gitInfo: merged });
    return { thread: { ...shown, canAcceptDirectInput: null } };
  },

  "thread/backgroundTerminals/list"({ threadId, cursor, limit }, { server }) {
    const terminals = server.threads.get(threadId).session.backgroundTerminals();
    if (cursor != null && !/^\+?\d+$/.test(cursor))
      throw new RpcError(RpcErrorCode.invalidRequest, "invalid cursor: invalid digit found in string");
    const start = Number(cursor ?? 0);
    const rows = terminals.slice(start, start + Math.max(1, limit ?? terminals.length));
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
    const problem = integerProblem(processId);
    if (problem !== null)
      throw new RpcError(RpcErrorCode.invalidRequest, `invalid background terminal process id: ${problem}`);
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
async function stored(threadId: string, server: ServerContext): Promise<{ store: ThreadStore; record: ThreadRecord }> {
  requireUuid(threadId, "thread");
  const { store } = await server.host();
  const record = server.threads.find(threadId)?.record ?? (await store.find(threadId));
  if (!record) throw new RpcError(RpcErrorCode.invalidRequest, `no rollout found for thread id ${threadId}`);
  return { store, record };
}

/** What is told of the thread because of the call comes after its reply. */
async function beforeItsEvents(thread: LoadedThread, call: () => Promise<unknown>): Promise<void> {
  const release = thread.queue.hold();
  try {
    await call();
  } finally {
    release();
  }
}

/** An item of a kind that nobody here knows is carried without meaning. @throws {RpcError} */
function responseItem(item: unknown, index: number): ResponseItem {
  const checked = validate("ResponseItem", item);
  if (checked.ok) return checked.value;
  const issue = checked.issues[0];
  const type = (item as { readonly type?: unknown } | null)?.type;
  if (typeof type === "string" && issue?.path === "type") return { type: "other" };
  const rule = `${issue?.path ?? ""} ${issue?.message ?? "is not valid"}`.trim();
  throw new RpcError(RpcErrorCode.invalidRequest, `items[${index}] is not a valid response item: ${rule}`);
}

/** null takes a value away; what is not named stays. @throws {RpcError} */
/** null: a signed number of 32 bits. */
function integerProblem(text: string): string | null {
  if (text === "") return "cannot parse integer from empty string";
  if (!/^[-+]?\d+$/.test(text)) return "invalid digit found in string";
  if (Number(text) > 2 ** 31 - 1) return "number too large to fit in target type";
  return Number(text) < -(2 ** 31) ? "number too small to fit in target type" : null;
}

function gitChange(given: AppParams<"thread/metadata/update">["gitInfo"] | null): Partial<AppGitInfo> {
  if (given == null) return {};
  const change: Record<string, string | null> = {};
  for (const name of ["sha", "branch", "originUrl"] as const) {
    const value = given[name];
    if (value === undefined) continue;
    if (value !== null && value.trim() === "")
      throw new RpcError(RpcErrorCode.invalidRequest, `gitInfo.${name} must not be empty`);
    change[name] = value === null ? null : value.trim();
  }
  if (Object.keys(change).length === 0)
    throw new RpcError(RpcErrorCode.invalidRequest, "gitInfo must include at least one field");
  return change;
}
