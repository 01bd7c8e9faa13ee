/** Requests that list, search and read threads. */
import { type Static, Type } from "typebox";
import { anyOf, maybe, named, open, stringEnum } from "../define.js";
import { ThreadItem } from "./item.js";
import { SortDirection } from "./scalars.js";
import { Thread } from "./thread-model.js";
import { Turn, TurnItemsView } from "./turn-model.js";

export const ThreadItemEntry = open("ThreadItemEntry", {
  turnId: Type.String(),
  item: ThreadItem,
});
export type ThreadItemEntry = Static<typeof ThreadItemEntry>;

export const ThreadItemsListParams = open("ThreadItemsListParams", {
  threadId: Type.String(),
  turnId: maybe(Type.String()),
  cursor: maybe(Type.String()),
  limit: maybe(Type.Integer({ minimum: 0 })),
  sortDirection: maybe(SortDirection),
});
export type ThreadItemsListParams = Static<typeof ThreadItemsListParams>;

export const ThreadItemsListResponse = open("ThreadItemsListResponse", {
  data: Type.Array(ThreadItemEntry),
  nextCursor: maybe(Type.String()),
  backwardsCursor: maybe(Type.String()),
});
export type ThreadItemsListResponse = Static<typeof ThreadItemsListResponse>;

export const ThreadListCwdFilter = named("ThreadListCwdFilter", anyOf([Type.String(), Type.Array(Type.String())]));
export type ThreadListCwdFilter = Static<typeof ThreadListCwdFilter>;

export const ThreadSortKey = stringEnum("ThreadSortKey", [
  "created_at",
  "updated_at",
  "recency_at",
  "section_position",
]);
export type ThreadSortKey = Static<typeof ThreadSortKey>;

export const ThreadSourceKind = stringEnum("ThreadSourceKind", [
  "cli",
  "vscode",
  "exec",
  "appServer",
  "subAgent",
  "subAgentReview",
  "subAgentCompact",
  "subAgentThreadSpawn",
  "subAgentOther",
  "unknown",
]);
export type ThreadSourceKind = Static<typeof ThreadSourceKind>;

export const ThreadListParams = open("ThreadListParams", {
  cursor: maybe(Type.String()),
  limit: maybe(Type.Integer({ minimum: 0 })),
  sortKey: maybe(ThreadSortKey),
  sortDirection: maybe(SortDirection),
  modelProviders: maybe(Type.Array(Type.String())),
  sourceKinds: maybe(Type.Array(ThreadSourceKind)),
  archived: maybe(Type.Boolean()),
  sectionId: maybe(Type.String()),
  projectId: maybe(Type.String()),
  cwd: maybe(ThreadListCwdFilter),
  useStateDbOnly: Type.Optional(Type.Boolean()),
  searchTerm: maybe(Type.String()),
  parentThreadId: maybe(Type.String()),
  ancestorThreadId: maybe(Type.String()),
});
export type ThreadListParams = Static<typeof ThreadListParams>;

export const ThreadListResponse = open("ThreadListResponse", {
  data: Type.Array(Thread),
  nextCursor: maybe(Type.String()),
  backwardsCursor: maybe(Type.String()),
});
export type ThreadListResponse = Static<typeof ThreadListResponse>;

export const ThreadLoadedListParams = open("ThreadLoadedListParams", {
  cursor: maybe(Type.String()),
  limit: maybe(Type.Integer({ minimum: 0 })),
});
export type ThreadLoadedListParams = Static<typeof ThreadLoadedListParams>;

export const ThreadLoadedListResponse = open("ThreadLoadedListResponse", {
  data: Type.Array(Type.String()),
  nextCursor: maybe(Type.String()),
});
export type ThreadLoadedListResponse = Static<typeof ThreadLoadedListResponse>;

export const ThreadReadParams = open("ThreadReadParams", {
  threadId: Type.String(),
  includeTurns: Type.Optional(Type.Boolean()),
});
export type ThreadReadParams = Static<typeof ThreadReadParams>;

export const ThreadReadResponse = open("ThreadReadResponse", {
  thread: Thread,
});
export type ThreadReadResponse = Static<typeof ThreadReadResponse>;

export const ThreadSearchSortKey = stringEnum("ThreadSearchSortKey", ["created_at", "updated_at", "recency_at"]);
export type ThreadSearchSortKey = Static<typeof ThreadSearchSortKey>;

export const ThreadSearchParams = open("ThreadSearchParams", {
  cursor: maybe(Type.String()),
  limit: maybe(Type.Integer({ minimum: 0 })),
  sortKey: maybe(ThreadSearchSortKey),
  sortDirection: maybe(SortDirection),
  sourceKinds: maybe(Type.Array(ThreadSourceKind)),
  archived: maybe(Type.Boolean()),
  searchTerm: Type.String(),
});
export type ThreadSearchParams = Static<typeof ThreadSearchParams>;

export const ThreadSearchResult = open("ThreadSearchResult", {
  thread: Thread,
  snippet: Type.String(),
});
export type ThreadSearchResult = Static<typeof ThreadSearchResult>;

export const ThreadSearchResponse = open("ThreadSearchResponse", {
  data: Type.Array(ThreadSearchResult),
  nextCursor: maybe(Type.String()),
  backwardsCursor: maybe(Type.String()),
});
export type ThreadSearchResponse = Static<typeof ThreadSearchResponse>;

export const ThreadTurnsListParams = open("ThreadTurnsListParams", {
  threadId: Type.String(),
  cursor: maybe(Type.String()),
  limit: maybe(Type.Integer({ minimum: 0 })),
  sortDirection: maybe(SortDirection),
  itemsView: maybe(TurnItemsView),
});
export type ThreadTurnsListParams = Static<typeof ThreadTurnsListParams>;

export const ThreadTurnsListResponse = open("ThreadTurnsListResponse", {
  data: Type.Array(Turn),
  nextCursor: maybe(Type.String()),
  backwardsCursor: maybe(Type.String()),
});
export type ThreadTurnsListResponse = Static<typeof ThreadTurnsListResponse>;
