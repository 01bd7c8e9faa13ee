/** Requests that change a thread without starting a turn. */
import { type Static, Type } from "typebox";
import { maybe, open, stringEnum } from "../define.js";
import { Thread } from "./thread-model.js";

export const ThreadArchiveParams = open("ThreadArchiveParams", {
  threadId: Type.String(),
});
export type ThreadArchiveParams = Static<typeof ThreadArchiveParams>;

export const ThreadArchiveResponse = open("ThreadArchiveResponse", {});
export type ThreadArchiveResponse = Static<typeof ThreadArchiveResponse>;

export const ThreadCompactStartParams = open("ThreadCompactStartParams", {
  threadId: Type.String(),
});
export type ThreadCompactStartParams = Static<typeof ThreadCompactStartParams>;

export const ThreadCompactStartResponse = open("ThreadCompactStartResponse", {});
export type ThreadCompactStartResponse = Static<typeof ThreadCompactStartResponse>;

export const ThreadDecrementElicitationParams = open("ThreadDecrementElicitationParams", {
  threadId: Type.String(),
});
export type ThreadDecrementElicitationParams = Static<typeof ThreadDecrementElicitationParams>;

export const ThreadDecrementElicitationResponse = open("ThreadDecrementElicitationResponse", {
  count: Type.Integer(),
  paused: Type.Boolean(),
});
export type ThreadDecrementElicitationResponse = Static<typeof ThreadDecrementElicitationResponse>;

export const ThreadDeleteParams = open("ThreadDeleteParams", {
  threadId: Type.String(),
});
export type ThreadDeleteParams = Static<typeof ThreadDeleteParams>;

export const ThreadDeleteResponse = open("ThreadDeleteResponse", {});
export type ThreadDeleteResponse = Static<typeof ThreadDeleteResponse>;

export const ThreadIncrementElicitationParams = open("ThreadIncrementElicitationParams", {
  threadId: Type.String(),
});
export type ThreadIncrementElicitationParams = Static<typeof ThreadIncrementElicitationParams>;

export const ThreadIncrementElicitationResponse = open("ThreadIncrementElicitationResponse", {
  count: Type.Integer(),
  paused: Type.Boolean(),
});
export type ThreadIncrementElicitationResponse = Static<typeof ThreadIncrementElicitationResponse>;

export const ThreadInjectItemsParams = open("ThreadInjectItemsParams", {
  threadId: Type.String(),
  items: Type.Array(Type.Unknown()),
});
export type ThreadInjectItemsParams = Static<typeof ThreadInjectItemsParams>;

export const ThreadInjectItemsResponse = open("ThreadInjectItemsResponse", {});
export type ThreadInjectItemsResponse = Static<typeof ThreadInjectItemsResponse>;

export const ThreadMetadataGitInfoUpdateParams = open("ThreadMetadataGitInfoUpdateParams", {
  sha: maybe(Type.String()),
  branch: maybe(Type.String()),
  originUrl: maybe(Type.String()),
});
export type ThreadMetadataGitInfoUpdateParams = Static<typeof ThreadMetadataGitInfoUpdateParams>;

export const ThreadMetadataUpdateParams = open("ThreadMetadataUpdateParams", {
  threadId: Type.String(),
  projectId: maybe(Type.String()),
  gitInfo: maybe(ThreadMetadataGitInfoUpdateParams),
});
export type ThreadMetadataUpdateParams = Static<typeof ThreadMetadataUpdateParams>;

export const ThreadMetadataUpdateResponse = open("ThreadMetadataUpdateResponse", {
  thread: Thread,
});
export type ThreadMetadataUpdateResponse = Static<typeof ThreadMetadataUpdateResponse>;

export const ThreadRollbackParams = open("ThreadRollbackParams", {
  threadId: Type.String(),
  numTurns: Type.Integer({ minimum: 0 }),
});
export type ThreadRollbackParams = Static<typeof ThreadRollbackParams>;

export const ThreadRollbackResponse = open("ThreadRollbackResponse", {
  thread: Thread,
});
export type ThreadRollbackResponse = Static<typeof ThreadRollbackResponse>;

export const ThreadSetNameParams = open("ThreadSetNameParams", {
  threadId: Type.String(),
  name: Type.String(),
});
export type ThreadSetNameParams = Static<typeof ThreadSetNameParams>;

export const ThreadSetNameResponse = open("ThreadSetNameResponse", {});
export type ThreadSetNameResponse = Static<typeof ThreadSetNameResponse>;

export const ThreadShellCommandParams = open("ThreadShellCommandParams", {
  threadId: Type.String(),
  command: Type.String(),
});
export type ThreadShellCommandParams = Static<typeof ThreadShellCommandParams>;

export const ThreadShellCommandResponse = open("ThreadShellCommandResponse", {});
export type ThreadShellCommandResponse = Static<typeof ThreadShellCommandResponse>;

export const ThreadUnarchiveParams = open("ThreadUnarchiveParams", {
  threadId: Type.String(),
});
export type ThreadUnarchiveParams = Static<typeof ThreadUnarchiveParams>;

export const ThreadUnarchiveResponse = open("ThreadUnarchiveResponse", {
  thread: Thread,
});
export type ThreadUnarchiveResponse = Static<typeof ThreadUnarchiveResponse>;

export const ThreadUnsubscribeParams = open("ThreadUnsubscribeParams", {
  threadId: Type.String(),
});
export type ThreadUnsubscribeParams = Static<typeof ThreadUnsubscribeParams>;

export const ThreadUnsubscribeStatus = stringEnum("ThreadUnsubscribeStatus", [
  "notLoaded",
  "notSubscribed",
  "unsubscribed",
]);
export type ThreadUnsubscribeStatus = Static<typeof ThreadUnsubscribeStatus>;

export const ThreadUnsubscribeResponse = open("ThreadUnsubscribeResponse", {
  status: ThreadUnsubscribeStatus,
});
export type ThreadUnsubscribeResponse = Static<typeof ThreadUnsubscribeResponse>;
