/** thread/queue/*: submissions that wait for their thread. The head starts when the thread becomes idle. */
import { type AppParams, fromAppUserInput, type QueuedSubmission } from "@turnkit/protocol/app";
import { validators } from "@turnkit/protocol/validate";
import { RpcError } from "@turnkit/rpc";
import type { AppServer } from "../app-server.js";
import { emptyTurn } from "../events/event-projector.js";
import type { LoadedThread } from "../threads/loaded-thread.js";
import { SubmissionQueue } from "../threads/submission-queue.js";
import { requireUuid } from "../threads/thread-manager.js";
import type { Handlers } from "./handler.js";
import { pageOf } from "./page.js";
import { sessionCall } from "./session-call.js";
import { refuseOversize, refuseRemoteImages } from "./user-input-checks.js";

const queues = new WeakMap<AppServer, Map<string, Promise<SubmissionQueue>>>();
const dispatching = new WeakSet<LoadedThread>();

export const queueHandlers: Handlers = {
  async "thread/queue/add"(params, { server }) {
    const queue = await queueOf(params.threadId, server);
    checkInput(params.input);
    const queuedSubmission = await queue.add(params.input, params.clientUserMessageId);
    changed(params.threadId, server);
    return { queuedSubmission };
  },

  async "thread/queue/list"({ threadId, cursor, limit }, { server }) {
    const { data, nextCursor } = pageOf({
      rows: (await queueOf(threadId, server)).rows,
      cursor,
      limit,
      defaultLimit: 100,
      maxLimit: 100,
      cursorOf: ({ id }) => id,
      backwardsCursorOf: ({ id }) => id,
    });
    return { data, nextCursor };
  },

  async "thread/queue/update"({ threadId, queuedSubmissionId, input }, { server }) {
    const queue = await queueOf(threadId, server);
    checkInput(input);
    const queuedSubmission = await queue.update(queuedSubmissionId, input);
    changed(threadId, server);
    return { queuedSubmission };
  },

  async "thread/queue/delete"({ threadId, queuedSubmissionId }, { server }) {
    const deleted = await (await queueOf(threadId, server)).remove(queuedSubmissionId);
    if (deleted) changed(threadId, server);
    return { deleted };
  },

  async "thread/queue/reorder"({ threadId, queuedSubmissionIds }, { server }) {
    await (await queueOf(threadId, server)).reorder(queuedSubmissionIds);
    changed(threadId, server);
    return {};
  },

  async "thread/queue/start"({ threadId, queuedSubmissionId }, { server }) {
    const queue = await queueOf(threadId, server);
    const thread = server.threads.find(threadId);
    if (!thread) throw new RpcError(-32600, "resume the thread before starting a queued message");
    const row = queuedSubmissionId == null ? queue.rows[0] : queue.get(queuedSubmissionId);
    if (!row) throw new RpcError(-32600, "queue is empty");
    if (thread.activeTurnId !== null) throw new RpcError(-32600, "thread already has an active or pending turn");
    const release = thread.queue.hold();
    try {
      return { turn: emptyTurn(await start(thread, queue, row, server)) };
    } finally {
      release();
    }
  },
};

/** For a thread that was just opened: what an earlier process left waiting is dispatched like anything else. */
export async function adoptQueue(thread: LoadedThread, server: AppServer): Promise<void> {
  if (thread.ephemeral || !SubmissionQueue.exists(server.home, thread.id)) return;
  await queueOf(thread.id, server);
}

function checkInput(input: AppParams<"thread/queue/add">["input"]): void {
  if (input.length === 0) throw new RpcError(-32600, "only user input can be added to the user-message queue");
  refuseRemoteImages(input);
  refuseOversize(input);
}

async function queueOf(threadId: string, server: AppServer): Promise<SubmissionQueue> {
  requireUuid(threadId, "thread");
  const thread = server.threads.find(threadId);
  if (thread?.ephemeral) {
    throw new RpcError(-32600, `ephemeral thread does not support queued submissions: ${threadId}`);
  }
  if (!thread && !(await (await server.host()).store.find(threadId))) {
    throw new RpcError(-32600, `thread not found: ${threadId}`);
  }
  const open = queues.get(server) ?? new Map<string, Promise<SubmissionQueue>>();
  queues.set(server, open);
  const queue = open.get(threadId) ?? SubmissionQueue.open(server.home, threadId, validators.QueuedSubmission);
  open.set(threadId, queue);
  if (thread) watch(thread, await queue, server);
  return queue;
}

function changed(threadId: string, server: AppServer): void {
  const thread = server.threads.find(threadId);
  if (thread) server.afterReply(thread, () => thread.notify("thread/queue/changed", { threadId }));
  else setImmediate(() => server.notify(server.connections, "thread/queue/changed", { threadId }));
}

/** Dispatches the head whenever a turn ends, except after an interrupt: then the person decides. */
function watch(thread: LoadedThread, queue: SubmissionQueue, server: AppServer): void {
  if (dispatching.has(thread)) return;
  dispatching.add(thread);
  thread.session.subscribe(({ msg }) => {
    if (msg.type !== "task_complete") return;
    setImmediate(() => {
      const head = queue.rows[0];
      if (!head || thread.activeTurnId !== null || !server.threads.find(thread.id)) return;
      start(thread, queue, head, server).then(
        () => changed(thread.id, server),
        (error: unknown) => server.log(`queued submission was not started: ${String(error)}`),
      );
    });
  });
}

async function start(
  thread: LoadedThread,
  queue: SubmissionQueue,
  row: QueuedSubmission,
  server: AppServer,
): Promise<string> {
  const submission = await sessionCall("failed to start queued message", () =>
    thread.session.submit(
      { input: { UserInput: { content: row.input.map(fromAppUserInput), client_id: row.clientUserMessageId } } },
      "StartIfIdle",
    ),
  );
  if ("NotSubmitted" in submission) {
    const reason = JSON.stringify(submission.NotSubmitted.reason).replaceAll('"', "");
    throw new RpcError(-32603, `Core declined to start queued user message: ${reason}`);
  }
  await queue.remove(row.id);
  changed(thread.id, server);
  return "Started" in submission ? submission.Started.turn_id : submission.Steered.turn_id;
}
