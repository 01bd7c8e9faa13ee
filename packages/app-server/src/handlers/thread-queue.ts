/** thread/queue/*: submissions that wait for their thread. The head is sent when the thread is idle. */

import type { QueueDispatcher, QueuedInput } from "@turnkit/core/queue";
import { RpcErrorCode } from "@turnkit/protocol";
import { type AppParams, fromAppUserInput, type QueuedSubmission, toAppUserInput } from "@turnkit/protocol/app";
import { RpcError } from "@turnkit/rpc";
import { emptyTurn } from "../events/event-projector.js";
import type { ThreadQueues } from "../ports.js";
import type { LoadedThread } from "../threads/loaded-thread.js";
import { requireUuid } from "../threads/thread-manager.js";
import type { Handlers, ServerContext } from "./handler.js";
import { sessionCall } from "./session-call.js";
import { debugReason } from "./turn.js";
import { refuseOversize, refuseRemoteImages } from "./user-input-checks.js";

const defaultLimit = 25;
const maxLimit = 100;

const dispatchers = new WeakMap<LoadedThread, QueueDispatcher>();

export const queueHandlers: Handlers = {
  async "thread/queue/add"({ threadId, input, clientUserMessageId }, { server }) {
    const { queue, dispatcher } = await queueOf(threadId, server);
    refuseInput(input);
    const row = await sessionCall("failed to queue message", () =>
      queue.add(input.map(fromAppUserInput), clientUserMessageId),
    );
    changed(threadId, server);
    // Sent after the reply, when the thread has nothing else to do.
    setImmediate(() => dispatcher?.wake());
    return { queuedSubmission: submissionOf(row) };
  },

  async "thread/queue/list"({ threadId, cursor, limit }, { server }) {
    const { queue } = await queueOf(threadId, server);
    const start = cursor == null ? 0 : offsetOf(cursor);
    const rows = await sessionCall("failed to read queue", () => queue.list());
    const end = start + Math.min(Math.max(1, limit ?? defaultLimit), maxLimit);
    return {
      data: rows.slice(start, end).map(submissionOf),
      nextCursor: end < rows.length ? String(end) : null,
    };
  },

  async "thread/queue/update"({ threadId, queuedSubmissionId, input }, { server }) {
    const { queue } = await queueOf(threadId, server);
    refuseInput(input);
    const row = await sessionCall("failed to update queued message", () =>
      queue.update(queuedSubmissionId, input.map(fromAppUserInput)),
    );
    changed(threadId, server);
    return { queuedSubmission: submissionOf(row) };
  },

  async "thread/queue/delete"({ threadId, queuedSubmissionId }, { server }) {
    const { queue } = await queueOf(threadId, server);
    const deleted = await sessionCall("failed to delete queued message", () => queue.remove(queuedSubmissionId));
    if (deleted) changed(threadId, server);
    return { deleted };
  },

  async "thread/queue/reorder"({ threadId, queuedSubmissionIds }, { server }) {
    const { queue } = await queueOf(threadId, server);
    await sessionCall("failed to reorder queue", () => queue.reorder(queuedSubmissionIds));
    changed(threadId, server);
    return {};
  },

  async "thread/queue/start"({ threadId, queuedSubmissionId }, { server }) {
    const { dispatcher } = await queueOf(threadId, server);
    const thread = server.threads.find(threadId);
    if (!thread || !dispatcher)
      throw new RpcError(RpcErrorCode.invalidRequest, "resume the thread before starting a queued message");
    const release = thread.queue.hold();
    try {
      return { turn: emptyTurn(await startTurn(dispatcher, queuedSubmissionId ?? null)) };
    } finally {
      release();
    }
  },
};

async function startTurn(dispatcher: QueueDispatcher, id: string | null): Promise<string> {
  return await sessionCall("failed to start queued message", async () => {
    try {
      return await dispatcher.start(id);
    } catch (error) {
      const refusal = error as { readonly name?: unknown; readonly reason?: Parameters<typeof debugReason>[0] };
      if (refusal.name !== "QueueRefusal" || refusal.reason === undefined) throw error;
      throw new RpcError(
        RpcErrorCode.internalError,
        `Core declined to start queued user message: ${debugReason(refusal.reason)}`,
      );
    }
  });
}

/** For a thread that was just opened: what an earlier process left waiting is sent like anything else. */
export async function adoptQueue(thread: LoadedThread, server: ServerContext): Promise<void> {
  if (thread.ephemeral) return;
  const { queues } = await server.host();
  if (queues.isEmpty(thread.id)) return;
  const dispatcher = dispatcherOf(thread, queues, server);
  server.afterReply(thread, () => dispatcher.wake());
}

function refuseInput(input: AppParams<"thread/queue/add">["input"]): void {
  if (input.length === 0)
    throw new RpcError(RpcErrorCode.invalidRequest, "only user input can be added to the user-message queue");
  refuseRemoteImages(input);
  refuseOversize(input);
}

async function queueOf(threadId: string, server: ServerContext) {
  requireUuid(threadId, "thread");
  const thread = server.threads.find(threadId);
  if (thread?.ephemeral)
    throw new RpcError(
      RpcErrorCode.invalidRequest,
      `ephemeral thread does not support queued submissions: ${threadId}`,
    );
  const { store, queues } = await server.host();
  if (!thread && !(await store.find(threadId)))
    throw new RpcError(
      RpcErrorCode.internalError,
      `failed to read thread: invalid thread-store request: no rollout found for thread id ${threadId}`,
    );
  return { queue: queues.of(threadId), dispatcher: thread && dispatcherOf(thread, queues, server) };
}

function dispatcherOf(thread: LoadedThread, queues: ThreadQueues, server: ServerContext): QueueDispatcher {
  const known = dispatchers.get(thread);
  if (known) return known;
  const made = queues.dispatch({
    session: thread.session,
    held: thread.wasInterrupted,
    changed: () => changed(thread.id, server),
  });
  dispatchers.set(thread, made);
  return made;
}

function submissionOf({ id, content, clientId }: QueuedInput): QueuedSubmission {
  return { id, input: content.map(toAppUserInput), clientUserMessageId: clientId };
}

function offsetOf(cursor: string): number {
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor);
  throw new RpcError(RpcErrorCode.invalidRequest, "invalid queue pagination cursor: invalid digit found in string");
}

/** Whoever follows the thread is told, after the reply that is being made. */
function changed(threadId: string, server: ServerContext): void {
  const thread = server.threads.find(threadId);
  if (thread) server.afterReply(thread, () => thread.notify("thread/queue/changed", { threadId }));
  else setImmediate(() => server.notify(server.connections, "thread/queue/changed", { threadId }));
}
