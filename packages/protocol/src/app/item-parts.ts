/** Parts of thread items. */
import { type Static, Type } from "typebox";
import { maybe, open, stringEnum, taggedUnion } from "../define.js";
import { LegacyAppPathString } from "./scalars.js";

export const AgentMessageDelivery = stringEnum("AgentMessageDelivery", ["async"]);
export type AgentMessageDelivery = Static<typeof AgentMessageDelivery>;

export const CollabAgentStatus = stringEnum("CollabAgentStatus", [
  "pendingInit",
  "running",
  "interrupted",
  "completed",
  "errored",
  "shutdown",
  "notFound",
]);
export type CollabAgentStatus = Static<typeof CollabAgentStatus>;

export const CollabAgentState = open("CollabAgentState", {
  status: CollabAgentStatus,
  message: maybe(Type.String()),
});
export type CollabAgentState = Static<typeof CollabAgentState>;

export const CollabAgentTool = stringEnum("CollabAgentTool", [
  "spawnAgent",
  "sendInput",
  "resumeAgent",
  "wait",
  "closeAgent",
  "sendMessage",
  "followupTask",
  "interruptAgent",
  "listAgents",
]);
export type CollabAgentTool = Static<typeof CollabAgentTool>;

export const CollabAgentToolCallStatus = stringEnum("CollabAgentToolCallStatus", [
  "inProgress",
  "completed",
  "failed",
  "interrupted",
]);
export type CollabAgentToolCallStatus = Static<typeof CollabAgentToolCallStatus>;

export const CommandAction = taggedUnion("CommandAction", "type", {
  read: {
    command: Type.String(),
    name: Type.String(),
    path: LegacyAppPathString,
  },
  listFiles: {
    command: Type.String(),
    path: maybe(Type.String()),
  },
  search: {
    command: Type.String(),
    query: maybe(Type.String()),
    path: maybe(Type.String()),
  },
  unknown: {
    command: Type.String(),
  },
});
export type CommandAction = Static<typeof CommandAction>;

export const CommandExecutionSource = stringEnum("CommandExecutionSource", [
  "agent",
  "userShell",
  "unifiedExecStartup",
  "unifiedExecInteraction",
]);
export type CommandExecutionSource = Static<typeof CommandExecutionSource>;

export const CommandExecutionStatus = stringEnum("CommandExecutionStatus", [
  "inProgress",
  "completed",
  "failed",
  "declined",
]);
export type CommandExecutionStatus = Static<typeof CommandExecutionStatus>;

export const AppPatchChangeKind = taggedUnion("AppPatchChangeKind", "type", {
  add: {},
  delete: {},
  update: {
    move_path: maybe(Type.String()),
  },
});
export type AppPatchChangeKind = Static<typeof AppPatchChangeKind>;

export const FileUpdateChange = open("FileUpdateChange", {
  path: Type.String(),
  kind: AppPatchChangeKind,
  diff: Type.String(),
});
export type FileUpdateChange = Static<typeof FileUpdateChange>;

export const ImageGenerationFailure = taggedUnion("ImageGenerationFailure", "type", {
  usageLimitExceeded: {
    limitId: Type.String(),
    resetsAt: maybe(Type.Integer()),
  },
});
export type ImageGenerationFailure = Static<typeof ImageGenerationFailure>;

export const McpToolCallAppContext = open("McpToolCallAppContext", {
  connectorId: Type.String(),
  linkId: maybe(Type.String()),
  resourceUri: maybe(Type.String()),
  appName: maybe(Type.String()),
  actionName: maybe(Type.String()),
});
export type McpToolCallAppContext = Static<typeof McpToolCallAppContext>;

export const McpToolCallError = open("McpToolCallError", {
  message: Type.String(),
});
export type McpToolCallError = Static<typeof McpToolCallError>;

export const AppMcpToolCallResult = open("AppMcpToolCallResult", {
  content: Type.Array(Type.Unknown()),
  structuredContent: Type.Optional(Type.Unknown()),
  _meta: Type.Optional(Type.Unknown()),
});
export type AppMcpToolCallResult = Static<typeof AppMcpToolCallResult>;

export const McpToolCallStatus = stringEnum("McpToolCallStatus", ["inProgress", "completed", "failed"]);
export type McpToolCallStatus = Static<typeof McpToolCallStatus>;

export const MemoryCitationEntry = open("MemoryCitationEntry", {
  path: Type.String(),
  lineStart: Type.Integer({ minimum: 0 }),
  lineEnd: Type.Integer({ minimum: 0 }),
  note: Type.String(),
});
export type MemoryCitationEntry = Static<typeof MemoryCitationEntry>;

export const MemoryCitation = open("MemoryCitation", {
  entries: Type.Array(MemoryCitationEntry),
  threadIds: Type.Array(Type.String()),
});
export type MemoryCitation = Static<typeof MemoryCitation>;

export const PatchApplyStatus = stringEnum("PatchApplyStatus", ["inProgress", "completed", "failed", "declined"]);
export type PatchApplyStatus = Static<typeof PatchApplyStatus>;

export const SubAgentActivityKind = stringEnum("SubAgentActivityKind", [
  "started",
  "interacted",
  "interrupted",
  "completed",
]);
export type SubAgentActivityKind = Static<typeof SubAgentActivityKind>;

export const AppWebSearchAction = taggedUnion("AppWebSearchAction", "type", {
  search: {
    query: maybe(Type.String()),
    queries: maybe(Type.Array(Type.String())),
  },
  openPage: {
    url: maybe(Type.String()),
  },
  findInPage: {
    url: maybe(Type.String()),
    pattern: maybe(Type.String()),
  },
  other: {},
});
export type AppWebSearchAction = Static<typeof AppWebSearchAction>;
