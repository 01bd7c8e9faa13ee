/** Notifications about the items of a running turn. */
import { type Static, Type } from "typebox";
import { open } from "../define.js";
import { RequestId } from "../rpc/request-id.js";
import { ThreadItem } from "./item.js";
import { FileUpdateChange } from "./item-parts.js";

export const AgentMessageDeltaNotification = open("AgentMessageDeltaNotification", {
  threadId: Type.String(),
  turnId: Type.String(),
  itemId: Type.String(),
  delta: Type.String(),
});
export type AgentMessageDeltaNotification = Static<typeof AgentMessageDeltaNotification>;

export const CommandExecutionOutputDeltaNotification = open("CommandExecutionOutputDeltaNotification", {
  threadId: Type.String(),
  turnId: Type.String(),
  itemId: Type.String(),
  delta: Type.String(),
});
export type CommandExecutionOutputDeltaNotification = Static<typeof CommandExecutionOutputDeltaNotification>;

export const FileChangeOutputDeltaNotification = open("FileChangeOutputDeltaNotification", {
  threadId: Type.String(),
  turnId: Type.String(),
  itemId: Type.String(),
  delta: Type.String(),
});
export type FileChangeOutputDeltaNotification = Static<typeof FileChangeOutputDeltaNotification>;

export const FileChangePatchUpdatedNotification = open("FileChangePatchUpdatedNotification", {
  threadId: Type.String(),
  turnId: Type.String(),
  itemId: Type.String(),
  changes: Type.Array(FileUpdateChange),
});
export type FileChangePatchUpdatedNotification = Static<typeof FileChangePatchUpdatedNotification>;

export const ItemCompletedNotification = open("ItemCompletedNotification", {
  item: ThreadItem,
  threadId: Type.String(),
  turnId: Type.String(),
  completedAtMs: Type.Integer(),
});
export type ItemCompletedNotification = Static<typeof ItemCompletedNotification>;

export const ItemStartedNotification = open("ItemStartedNotification", {
  item: ThreadItem,
  threadId: Type.String(),
  turnId: Type.String(),
  startedAtMs: Type.Integer(),
});
export type ItemStartedNotification = Static<typeof ItemStartedNotification>;

export const McpToolCallProgressNotification = open("McpToolCallProgressNotification", {
  threadId: Type.String(),
  turnId: Type.String(),
  itemId: Type.String(),
  message: Type.String(),
});
export type McpToolCallProgressNotification = Static<typeof McpToolCallProgressNotification>;

export const PlanDeltaNotification = open("PlanDeltaNotification", {
  threadId: Type.String(),
  turnId: Type.String(),
  itemId: Type.String(),
  delta: Type.String(),
});
export type PlanDeltaNotification = Static<typeof PlanDeltaNotification>;

export const ReasoningSummaryPartAddedNotification = open("ReasoningSummaryPartAddedNotification", {
  threadId: Type.String(),
  turnId: Type.String(),
  itemId: Type.String(),
  summaryIndex: Type.Integer(),
});
export type ReasoningSummaryPartAddedNotification = Static<typeof ReasoningSummaryPartAddedNotification>;

export const ReasoningSummaryTextDeltaNotification = open("ReasoningSummaryTextDeltaNotification", {
  threadId: Type.String(),
  turnId: Type.String(),
  itemId: Type.String(),
  delta: Type.String(),
  summaryIndex: Type.Integer(),
});
export type ReasoningSummaryTextDeltaNotification = Static<typeof ReasoningSummaryTextDeltaNotification>;

export const ReasoningTextDeltaNotification = open("ReasoningTextDeltaNotification", {
  threadId: Type.String(),
  turnId: Type.String(),
  itemId: Type.String(),
  delta: Type.String(),
  contentIndex: Type.Integer(),
});
export type ReasoningTextDeltaNotification = Static<typeof ReasoningTextDeltaNotification>;

export const ServerRequestResolvedNotification = open("ServerRequestResolvedNotification", {
  threadId: Type.String(),
  requestId: RequestId,
});
export type ServerRequestResolvedNotification = Static<typeof ServerRequestResolvedNotification>;
