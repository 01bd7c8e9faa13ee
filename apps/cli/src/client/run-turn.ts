/**
 * One turn without an interface: starts it, hands on what happens, answers what is asked, and waits for its end.
 */
import type { AppParams, Turn } from "@turnkit/protocol/app";
import { messageOf } from "../exit.js";
import type { AppConnection, ServerNotification, ServerRequest } from "./app-connection.js";

export interface TurnOutcome {
  readonly turn: Turn;
  /** The last message of the agent; "" when there was none. */
  readonly message: string;
}

export interface RunTurnOptions {
  readonly connection: AppConnection;
  readonly start: AppParams<"turn/start">;
  readonly onNotification: (notification: ServerNotification) => void;
  /** Answers a request of the server; a rejection is an error answer. */
  readonly onRequest: (request: ServerRequest) => Promise<unknown>;
  /** Aborted: the turn is interrupted and then ends by itself. */
  readonly signal: AbortSignal;
}

/** @throws {Error} the turn could not be started, or the connection ended */
export async function runTurn({
  connection,
  start,
  onNotification,
  onRequest,
  signal,
}: RunTurnOptions): Promise<TurnOutcome> {
  let message = "";
  const ended = deferred<TurnOutcome>();
  const started = deferred<string>();
  const { threadId } = start;
  connection.onRequest(onRequest);
  connection.onClose((reason) => ended.reject(new Error(`the connection to the server ended: ${reason}`)));
  connection.onNotification((notification) => {
    const { method, params } = notification;
    if ("threadId" in params && params.threadId && params.threadId !== threadId) return;
    onNotification(notification);
    if (method === "turn/started") started.resolve(params.turn.id);
    if (method === "item/completed" && params.item.type === "agentMessage") message = params.item.text;
    if (method === "turn/completed") ended.resolve({ turn: params.turn, message });
  });
  const interrupt = (): void => {
    void started.promise
      .then((turnId) => connection.request("turn/interrupt", { threadId, turnId }))
      // The turn may have ended in the meantime; its end is what counts.
      .catch((error: unknown) => onNotification(warning(threadId, messageOf(error))));
  };
  signal.addEventListener("abort", interrupt, { once: true });
  try {
    await connection.request("turn/start", start);
    return await ended.promise;
  } finally {
    signal.removeEventListener("abort", interrupt);
  }
}

const warning = (threadId: string, message: string): ServerNotification => ({
  method: "warning",
  params: { threadId, message },
});

interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
}

function deferred<T>(): Deferred<T> {
  let resolve!: (value: T) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
