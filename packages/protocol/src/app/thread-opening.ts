/** Requests that start, resume or fork a thread. */
import { type Static, Type } from "typebox";
import { ResponseItem } from "../agent/response-item.js";
import {
  ApprovalsReviewer,
  AskForApproval,
  Personality,
  ReasoningEffort,
  SandboxMode,
  ThreadHistoryMode,
} from "../agent/settings-values.js";
import { maybe, open, record, stringEnum } from "../define.js";
import { MultiAgentMode } from "./collaboration-modes.js";
import { DynamicToolSpec } from "./dynamic-tools.js";
import { SelectedCapabilityRoot, TurnEnvironmentParams } from "./environments.js";
import { ActivePermissionProfile, AppSandboxPolicy } from "./permissions.js";
import { AbsolutePathBuf, LegacyAppPathString, SortDirection } from "./scalars.js";
import { Thread, ThreadSource } from "./thread-model.js";
import { TurnItemsView, TurnsPage } from "./turn-model.js";

export const ThreadForkParams = open("ThreadForkParams", {
  threadId: Type.String(),
  lastTurnId: maybe(Type.String()),
  beforeTurnId: maybe(Type.String()),
  path: maybe(Type.String()),
  model: maybe(Type.String()),
  modelProvider: maybe(Type.String()),
  serviceTier: maybe(Type.String()),
  cwd: maybe(Type.String()),
  runtimeWorkspaceRoots: maybe(Type.Array(AbsolutePathBuf)),
  approvalPolicy: maybe(AskForApproval),
  approvalsReviewer: maybe(ApprovalsReviewer),
  sandbox: maybe(SandboxMode),
  permissions: maybe(Type.String()),
  config: maybe(record(Type.Unknown())),
  baseInstructions: maybe(Type.String()),
  developerInstructions: maybe(Type.String()),
  ephemeral: Type.Optional(Type.Boolean()),
  threadSource: maybe(ThreadSource),
  excludeTurns: Type.Optional(Type.Boolean()),
  deferGoalContinuation: Type.Optional(Type.Boolean()),
});
export type ThreadForkParams = Static<typeof ThreadForkParams>;

export const ThreadForkResponse = open("ThreadForkResponse", {
  thread: Thread,
  model: Type.String(),
  modelProvider: Type.String(),
  serviceTier: maybe(Type.String()),
  cwd: AbsolutePathBuf,
  runtimeWorkspaceRoots: Type.Optional(Type.Array(AbsolutePathBuf)),
  instructionSources: Type.Optional(Type.Array(LegacyAppPathString)),
  approvalPolicy: AskForApproval,
  approvalsReviewer: ApprovalsReviewer,
  sandbox: AppSandboxPolicy,
  activePermissionProfile: maybe(ActivePermissionProfile),
  reasoningEffort: maybe(ReasoningEffort),
  multiAgentMode: Type.Optional(MultiAgentMode),
});
export type ThreadForkResponse = Static<typeof ThreadForkResponse>;

export const ThreadResumeInitialTurnsPageParams = open("ThreadResumeInitialTurnsPageParams", {
  limit: maybe(Type.Integer({ minimum: 0 })),
  sortDirection: maybe(SortDirection),
  itemsView: maybe(TurnItemsView),
});
export type ThreadResumeInitialTurnsPageParams = Static<typeof ThreadResumeInitialTurnsPageParams>;

export const ThreadResumeParams = open("ThreadResumeParams", {
  threadId: Type.String(),
  history: maybe(Type.Array(ResponseItem)),
  path: maybe(Type.String()),
  model: maybe(Type.String()),
  modelProvider: maybe(Type.String()),
  serviceTier: maybe(Type.String()),
  cwd: maybe(Type.String()),
  runtimeWorkspaceRoots: maybe(Type.Array(AbsolutePathBuf)),
  approvalPolicy: maybe(AskForApproval),
  approvalsReviewer: maybe(ApprovalsReviewer),
  sandbox: maybe(SandboxMode),
  permissions: maybe(Type.String()),
  config: maybe(record(Type.Unknown())),
  baseInstructions: maybe(Type.String()),
  developerInstructions: maybe(Type.String()),
  personality: maybe(Personality),
  excludeTurns: Type.Optional(Type.Boolean()),
  initialTurnsPage: maybe(ThreadResumeInitialTurnsPageParams),
});
export type ThreadResumeParams = Static<typeof ThreadResumeParams>;

export const ThreadResumeResponse = open("ThreadResumeResponse", {
  thread: Thread,
  model: Type.String(),
  modelProvider: Type.String(),
  serviceTier: maybe(Type.String()),
  cwd: AbsolutePathBuf,
  runtimeWorkspaceRoots: Type.Optional(Type.Array(AbsolutePathBuf)),
  instructionSources: Type.Optional(Type.Array(LegacyAppPathString)),
  approvalPolicy: AskForApproval,
  approvalsReviewer: ApprovalsReviewer,
  sandbox: AppSandboxPolicy,
  activePermissionProfile: maybe(ActivePermissionProfile),
  reasoningEffort: maybe(ReasoningEffort),
  multiAgentMode: Type.Optional(MultiAgentMode),
  initialTurnsPage: maybe(TurnsPage),
  turnsBackwardsCursor: maybe(Type.String()),
  itemsBackwardsCursor: maybe(Type.String()),
});
export type ThreadResumeResponse = Static<typeof ThreadResumeResponse>;

export const ThreadStartSource = stringEnum("ThreadStartSource", ["startup", "clear"]);
export type ThreadStartSource = Static<typeof ThreadStartSource>;

export const ThreadStartParams = open("ThreadStartParams", {
  model: maybe(Type.String()),
  modelProvider: maybe(Type.String()),
  allowProviderModelFallback: Type.Optional(Type.Boolean()),
  serviceTier: maybe(Type.String()),
  cwd: maybe(Type.String()),
  runtimeWorkspaceRoots: maybe(Type.Array(AbsolutePathBuf)),
  approvalPolicy: maybe(AskForApproval),
  approvalsReviewer: maybe(ApprovalsReviewer),
  sandbox: maybe(SandboxMode),
  permissions: maybe(Type.String()),
  config: maybe(record(Type.Unknown())),
  serviceName: maybe(Type.String()),
  baseInstructions: maybe(Type.String()),
  developerInstructions: maybe(Type.String()),
  personality: maybe(Personality),
  multiAgentMode: maybe(MultiAgentMode),
  ephemeral: maybe(Type.Boolean()),
  historyMode: maybe(ThreadHistoryMode),
  sessionStartSource: maybe(ThreadStartSource),
  threadSource: maybe(ThreadSource),
  projectId: maybe(Type.String()),
  environments: maybe(Type.Array(TurnEnvironmentParams)),
  dynamicTools: maybe(Type.Array(DynamicToolSpec)),
  selectedCapabilityRoots: maybe(Type.Array(SelectedCapabilityRoot)),
  mockExperimentalField: maybe(Type.String()),
  experimentalRawEvents: Type.Optional(Type.Boolean()),
});
export type ThreadStartParams = Static<typeof ThreadStartParams>;

export const ThreadStartResponse = open("ThreadStartResponse", {
  thread: Thread,
  model: Type.String(),
  modelProvider: Type.String(),
  serviceTier: maybe(Type.String()),
  cwd: AbsolutePathBuf,
  runtimeWorkspaceRoots: Type.Optional(Type.Array(AbsolutePathBuf)),
  instructionSources: Type.Optional(Type.Array(LegacyAppPathString)),
  approvalPolicy: AskForApproval,
  approvalsReviewer: ApprovalsReviewer,
  sandbox: AppSandboxPolicy,
  activePermissionProfile: maybe(ActivePermissionProfile),
  reasoningEffort: maybe(ReasoningEffort),
  multiAgentMode: Type.Optional(MultiAgentMode),
});
export type ThreadStartResponse = Static<typeof ThreadStartResponse>;
