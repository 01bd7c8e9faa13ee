/** Submissions that wait until a thread is idle. */
import { type Static, Type } from "typebox";
import { maybe, open } from "../define.js";
import { Turn } from "./turn-model.js";
import { AppUserInput } from "./user-input.js";

export const QueuedSubmission = open("QueuedSubmission", {
  id: Type.String(),
  input: Type.Array(AppUserInput),
  clientUserMessageId: Type.String(),
});
export type QueuedSubmission = Static<typeof QueuedSubmission>;

export const ThreadQueueAddParams = open("ThreadQueueAddParams", {
  threadId: Type.String(),
  input: Type.Array(AppUserInput),
  clientUserMessageId: Type.String(),
});
export type ThreadQueueAddParams = Static<typeof ThreadQueueAddParams>;

export const ThreadQueueAddResponse = open("ThreadQueueAddResponse", {
  queuedSubmission: QueuedSubmission,
});
export type ThreadQueueAddResponse = Static<typeof ThreadQueueAddResponse>;

export const ThreadQueueChangedNotification = open("ThreadQueueChangedNotification", {
  threadId: Type.String(),
});
export type ThreadQueueChangedNotification = Static<typeof ThreadQueueChangedNotification>;

export const ThreadQueueDeleteParams = open("ThreadQueueDeleteParams", {
  threadId: Type.String(),
  queuedSubmissionId: Type.String(),
});
export type ThreadQueueDeleteParams = Static<typeof ThreadQueueDeleteParams>;

export const ThreadQueueDeleteResponse = open("ThreadQueueDeleteResponse", {
  deleted: Type.Boolean(),
});
export type ThreadQueueDeleteResponse = Static<typeof ThreadQueueDeleteResponse>;

export const ThreadQueueListParams = open("ThreadQueueListParams", {
  threadId: Type.String(),
  cursor: maybe(Type.String()),
  limit: maybe(Type.Integer({ minimum: 0 })),
});
export type ThreadQueueListParams = Static<typeof ThreadQueueListParams>;

export const ThreadQueueListResponse = open("ThreadQueueListResponse", {
  data: Type.Array(QueuedSubmission),
  nextCursor: maybe(Type.String()),
});
export type ThreadQueueListResponse = Static<typeof ThreadQueueListResponse>;

export const ThreadQueueReorderParams = open("ThreadQueueReorderParams", {
  threadId: Type.String(),
  queuedSubmissionIds: Type.Array(Type.String()),
});
export type ThreadQueueReorderParams = Static<typeof ThreadQueueReorderParams>;

export const ThreadQueueReorderResponse = open("ThreadQueueReorderResponse", {});
export type ThreadQueueReorderResponse = Static<typeof ThreadQueueReorderResponse>;

export const ThreadQueueStartParams = open("ThreadQueueStartParams", {
  threadId: Type.String(),
  queuedSubmissionId: maybe(Type.String()),
});
export type ThreadQueueStartParams = Static<typeof ThreadQueueStartParams>;

export const ThreadQueueStartResponse = open("ThreadQueueStartResponse", {
  turn: Turn,
});
export type ThreadQueueStartResponse = Static<typeof ThreadQueueStartResponse>;

export const ThreadQueueUpdateParams = open("ThreadQueueUpdateParams", {
  threadId: Type.String(),
  queuedSubmissionId: Type.String(),
  input: Type.Array(AppUserInput),
});
export type ThreadQueueUpdateParams = Static<typeof ThreadQueueUpdateParams>;

export const ThreadQueueUpdateResponse = open("ThreadQueueUpdateResponse", {
  queuedSubmission: QueuedSubmission,
});
export type ThreadQueueUpdateResponse = Static<typeof ThreadQueueUpdateResponse>;
