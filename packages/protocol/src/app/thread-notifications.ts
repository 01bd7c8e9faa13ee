/** Notifications about a thread's life. */
import { type Static, Type } from "typebox";
import { maybe, open } from "../define.js";
import { Thread, ThreadStatus } from "./thread-model.js";

export const ThreadArchivedNotification = open("ThreadArchivedNotification", {
  threadId: Type.String(),
});
export type ThreadArchivedNotification = Static<typeof ThreadArchivedNotification>;

export const ThreadClosedNotification = open("ThreadClosedNotification", {
  threadId: Type.String(),
});
export type ThreadClosedNotification = Static<typeof ThreadClosedNotification>;

export const ThreadDeletedNotification = open("ThreadDeletedNotification", {
  threadId: Type.String(),
});
export type ThreadDeletedNotification = Static<typeof ThreadDeletedNotification>;

export const ThreadNameUpdatedNotification = open("ThreadNameUpdatedNotification", {
  threadId: Type.String(),
  threadName: maybe(Type.String()),
});
export type ThreadNameUpdatedNotification = Static<typeof ThreadNameUpdatedNotification>;

export const ThreadStartedNotification = open("ThreadStartedNotification", {
  thread: Thread,
});
export type ThreadStartedNotification = Static<typeof ThreadStartedNotification>;

export const ThreadStatusChangedNotification = open("ThreadStatusChangedNotification", {
  threadId: Type.String(),
  status: ThreadStatus,
});
export type ThreadStatusChangedNotification = Static<typeof ThreadStatusChangedNotification>;

export const ThreadUnarchivedNotification = open("ThreadUnarchivedNotification", {
  threadId: Type.String(),
});
export type ThreadUnarchivedNotification = Static<typeof ThreadUnarchivedNotification>;
