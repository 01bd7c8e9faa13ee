/** thread/start, thread/resume, thread/fork, thread/unsubscribe: who follows which thread. */
import { basename, dirname } from "node:path";
import { ARCHIVED_FOLDER } from "@turnkit/core/rollout";
import { RpcErrorCode } from "@turnkit/protocol";
import type { AppParams, AppResult, Turn } from "@turnkit/protocol/app";
import { RpcError } from "@turnkit/rpc";
import { toTokenUsage } from "../events/settings.js";
import type { ThreadOptions, ThreadOrigin, ThreadRecord } from "../ports.js";
import type { LoadedThread } from "../threads/loaded-thread.js";
import { requireUuid } from "../threads/thread-manager.js";
import { type OpeningParams, toLoadedThread, toOpened } from "../threads/thread-view.js";
import type { HandlerContext, Handlers, ServerContext } from "./handler.js";
import { sessionCall } from "./session-call.js";
import { adoptQueue } from "./thread-queue.js";
import { readTurns } from "./turns.js";

export const openingHandlers: Handlers = {
  async "thread/start"(params, context) {
    if (params.historyMode === "paginated") {
      throw new RpcError(
        RpcErrorCode.invalidRequest,
        "historyMode `paginated` is not supported; leave it out or use `legacy`",
      );
    }
    const thread = await open(context, { kind: "new" }, toOptions(params, context));
    follow(thread, context);
    announce(thread, context.server);
    return toOpened(thread, []);
  },

  async "thread/resume"(params, context) {
    const { server } = context;
    const running = params.path == null ? undefined : await runningAt(params.path, params.threadId, server);
    if (running) return rejoin(running, params, context);
    const byId = params.path == null ? server.threads.find(params.threadId) : undefined;
    if (byId) return rejoin(byId, params, context);
    const { origin, record } = await resumeOrigin(params, server);
    if (record) {
      const loaded = server.threads.find(record.id);
      if (loaded) return rejoin(loaded, params, context);
    }
    const thread = await open(context, origin, toOptions(params, context));
    follow(thread, context);
    server.notify(server.connections, "thread/status/changed", { threadId: thread.id, status: thread.status });
    server.afterReply(thread, () => warn(thread));
    await adoptQueue(thread, server);
    return resumed(thread, params, context);
  },

  async "thread/fork"(params, context) {
    const { server } = context;
    const source = await forkSource(params, server);
    if (source.path === null)
      throw new RpcError(RpcErrorCode.invalidRequest, `thread ${source.id} has no rollout to fork from`);
    await server.threads.find(source.id)?.session.flush();
    const lastTurnId = await lastForkedTurn(params, source.path, server);
    const thread = await open(context, { kind: "fork", path: source.path, lastTurnId }, toOptions(params, context));
    if (source.name !== null) {
      thread.record = { ...thread.record, name: source.name };
      const { store } = await server.host();
      if (!thread.ephemeral) await sessionCall("failed to name fork", () => store.rename(thread.id, source.name));
    }
    follow(thread, context);
    announce(thread, server);
    const turns = params.excludeTurns ? [] : await readTurns(server, thread.record, thread);
    thread.forgetOpenedTurns();
    server.afterReply(thread, () => sendTokenUsage(thread, turns, context));
    return toOpened(thread, turns);
  },

  "thread/unsubscribe"({ threadId }, { server, connection }) {
    requireUuid(threadId, "thread");
    const thread = server.threads.find(threadId);
    if (!thread) return { status: "notLoaded" };
    if (!thread.subscribers.delete(connection)) return { status: "notSubscribed" };
    server.watchFollowers(thread);
    if (thread.subscribers.size === 0 && thread.activeTurnId === null) {
      server.afterReply(thread, () => {
        if (thread.subscribers.size > 0 || thread.activeTurnId !== null) return;
        void server.threads.unload(thread).then(() => {
          server.notify(server.connections, "thread/closed", { threadId });
        });
      });
    }
    return { status: "unsubscribed" };
  },
};

async function open(context: HandlerContext, origin: ThreadOrigin, options: ThreadOptions): Promise<LoadedThread> {
  const { server } = context;
  return sessionCall("failed to open thread", async () => server.threads.open(await server.host(), origin, options));
}

/** A client that left meanwhile follows nothing; what it opened waits for another one. */
function follow(thread: LoadedThread, { connection, server }: HandlerContext): void {
  if (!connection.closed) thread.subscribers.add(connection);
  server.watchFollowers(thread);
}

/** Every client learns of a new thread, after the one that asked has its reply. */
function announce(thread: LoadedThread, server: ServerContext): void {
  thread.announced = new Promise((resolve) => {
    server.afterReply(thread, () => {
      warn(thread);
      server.notify(server.connections, "thread/started", { thread: toLoadedThread(thread, []) });
      resolve();
    });
  });
}

function warn(thread: LoadedThread): void {
  for (const message of thread.warnings) thread.notify("warning", { threadId: thread.id, message });
}

/** A resume of a thread that already runs: the client follows it from now on and sees what is still asked. */
async function rejoin(
  thread: LoadedThread,
  params: AppParams<"thread/resume">,
  context: HandlerContext,
): Promise<AppResult<"thread/resume">> {
  if (params.path != null && thread.record.path !== null && params.path !== thread.record.path) {
    throw new RpcError(
      RpcErrorCode.invalidRequest,
      `cannot resume running thread ${thread.id} with stale path: requested \`${params.path}\`, active \`${thread.record.path}\``,
    );
  }
  follow(thread, context);
  return resumed(thread, params, context);
}

async function resumed(
  thread: LoadedThread,
  params: AppParams<"thread/resume">,
  context: HandlerContext,
): Promise<AppResult<"thread/resume">> {
  const turns = params.excludeTurns ? [] : await readTurns(context.server, thread.record, thread);
  thread.forgetOpenedTurns();
  context.server.afterReply(thread, () => {
    sendTokenUsage(thread, turns, context);
    context.connection.notify("thread/goal/cleared", { threadId: thread.id });
    thread.replayRequests(context.connection);
  });
  return {
    ...toOpened(thread, turns),
    initialTurnsPage: null,
    turnsBackwardsCursor: null,
    itemsBackwardsCursor: null,
  };
}

function sendTokenUsage(thread: LoadedThread, turns: readonly Turn[], { connection }: HandlerContext): void {
  const { tokenUsage } = thread.session.snapshot();
  const turnId = thread.activeTurnId ?? turns.at(-1)?.id;
  if (!tokenUsage || turnId === undefined) return;
  connection.notify("thread/tokenUsage/updated", { threadId: thread.id, turnId, tokenUsage: toTokenUsage(tokenUsage) });
}

/** With a path the id only matters for a thread that runs from another file. */
async function runningAt(path: string, threadId: string, server: ServerContext): Promise<LoadedThread | undefined> {
  const byPath = server.threads.all().find((thread) => thread.record.path === path);
  return byPath ?? server.threads.find(threadId);
}

async function resumeOrigin(
  params: AppParams<"thread/resume">,
  server: ServerContext,
): Promise<{ origin: ThreadOrigin; record: ThreadRecord | null }> {
  if (params.history != null) return { origin: { kind: "items", items: params.history }, record: null };
  const { store } = await server.host();
  if (params.path != null) {
    const record = await sessionCall("failed to read rollout", () => store.read(params.path as string));
    if (!record) {
      throw new RpcError(
        RpcErrorCode.invalidRequest,
        `failed to resolve rollout path \`${params.path}\`: file does not exist`,
      );
    }
    return { origin: { kind: "resume", path: params.path }, record };
  }
  requireUuid(params.threadId, "session");
  const record = await store.find(params.threadId);
  if (!record?.path)
    throw new RpcError(RpcErrorCode.invalidRequest, `no rollout found for thread id ${params.threadId}`);
  refuseArchived(record);
  return { origin: { kind: "resume", path: record.path }, record };
}

async function forkSource(params: AppParams<"thread/fork">, server: ServerContext): Promise<ThreadRecord> {
  const { store } = await server.host();
  if (params.path != null) {
    const record = await sessionCall("failed to read rollout", () => store.read(params.path as string));
    if (record) return record;
    throw new RpcError(
      RpcErrorCode.invalidRequest,
      `failed to resolve rollout path \`${params.path}\`: file does not exist`,
    );
  }
  requireUuid(params.threadId, "session");
  const loaded = server.threads.find(params.threadId)?.record;
  const record = loaded ?? (await store.find(params.threadId));
  if (!record) throw new RpcError(RpcErrorCode.invalidRequest, `no rollout found for thread id ${params.threadId}`);
  refuseArchived(record);
  return record;
}

/** What was put away is taken out first; a file that is named by its path is opened all the same. */
function refuseArchived({ id, path }: ThreadRecord): void {
  if (path === null || basename(dirname(path)) !== ARCHIVED_FOLDER) return;
  throw new RpcError(
    RpcErrorCode.invalidRequest,
    `session ${id} is archived. Run \`turnkit unarchive ${id}\` to unarchive it first.`,
  );
}

async function lastForkedTurn(
  params: AppParams<"thread/fork">,
  path: string,
  server: ServerContext,
): Promise<string | null> {
  if (params.lastTurnId == null && params.beforeTurnId == null) return null;
  const turns = await (await server.host()).store.turns(path);
  if (params.lastTurnId != null) {
    if (turns.some(({ id }) => id === params.lastTurnId)) return params.lastTurnId;
    throw new RpcError(
      RpcErrorCode.invalidRequest,
      `lastTurnId '${params.lastTurnId}' was not found in the source thread`,
    );
  }
  const index = turns.findIndex(({ id }) => id === params.beforeTurnId);
  if (index < 0)
    throw new RpcError(
      RpcErrorCode.invalidRequest,
      `beforeTurnId '${params.beforeTurnId}' was not found in the source thread`,
    );
  const before = turns[index - 1];
  if (!before)
    throw new RpcError(
      RpcErrorCode.invalidRequest,
      `beforeTurnId '${params.beforeTurnId}' is the first turn of the source thread`,
    );
  return before.id;
}

function toOptions(params: OpeningParams, { connection }: HandlerContext): ThreadOptions {
  const environments = ("environments" in params ? params.environments : undefined) ?? [];
  if (environments.length > 1)
    throw new RpcError(RpcErrorCode.invalidRequest, "a thread runs in one environment: environments has more");
  if (params.permissions != null && params.sandbox != null)
    throw new RpcError(RpcErrorCode.invalidRequest, "`permissions` cannot be combined with `sandbox`");
  return {
    environmentId: environments[0]?.environmentId,
    cwd: environments[0]?.cwd ?? params.cwd ?? undefined,
    model: params.model ?? undefined,
    modelProvider: params.modelProvider ?? undefined,
    serviceTier: params.serviceTier,
    approvalPolicy: params.approvalPolicy ?? undefined,
    sandbox: params.sandbox ?? undefined,
    permissions: params.permissions ?? undefined,
    workspaceRoots: ("runtimeWorkspaceRoots" in params ? params.runtimeWorkspaceRoots : undefined) ?? undefined,
    personality: ("personality" in params ? params.personality : undefined) ?? undefined,
    baseInstructions: params.baseInstructions ?? undefined,
    developerInstructions: params.developerInstructions ?? undefined,
    ephemeral: ("ephemeral" in params ? params.ephemeral : undefined) ?? false,
    config: params.config ?? {},
    clientName: connection.client?.name ?? "unknown",
    startSource: ("sessionStartSource" in params ? params.sessionStartSource : undefined) ?? undefined,
    threadSource: ("threadSource" in params ? params.threadSource : undefined) ?? null,
  };
}
