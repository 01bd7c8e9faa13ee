/**
 * The events of `exec --json`: a head, every notification of the app protocol as it came, and a result.
 * The shapes of the notifications are those of the published schemas; the version counts changes of the frame.
 */
import type { AppResult } from "@turnkit/protocol/app";
import type { ServerNotification } from "../../client/app-connection.js";

export const EVENTS_VERSION = 1;

export interface EventWriter {
  started(thread: AppResult<"thread/start">): void;
  notification(notification: ServerNotification): void;
  ended(result: {
    readonly status: string;
    readonly message: string;
    readonly error: string | null;
    readonly exitCode: number;
  }): void;
}

export function jsonEvents(write: (line: string) => void): EventWriter {
  const line = (value: Readonly<Record<string, unknown>>): void =>
    write(JSON.stringify({ version: EVENTS_VERSION, ...value }));
  return {
    started: (opened) =>
      line({
        type: "session",
        threadId: opened.thread.id,
        model: opened.model,
        modelProvider: opened.modelProvider,
        cwd: opened.cwd,
        sessionFile: opened.thread.path ?? null,
      }),
    notification: ({ method, params }) => line({ type: "notification", method, params }),
    ended: (result) => line({ type: "result", ...result }),
  };
}
