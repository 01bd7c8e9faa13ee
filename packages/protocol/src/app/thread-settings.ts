/** Settings that stick to a thread. */
import { type Static, Type } from "typebox";
import { CollaborationMode } from "../agent/modes.js";
import {
  ApprovalsReviewer,
  AskForApproval,
  Personality,
  ReasoningEffort,
  ReasoningSummary,
} from "../agent/settings-values.js";
import { maybe, open } from "../define.js";
import { MultiAgentMode } from "./collaboration-modes.js";
import { ActivePermissionProfile, AppSandboxPolicy } from "./permissions.js";
import { AbsolutePathBuf } from "./scalars.js";

export const AppThreadSettings = open("AppThreadSettings", {
  cwd: AbsolutePathBuf,
  approvalPolicy: AskForApproval,
  approvalsReviewer: ApprovalsReviewer,
  sandboxPolicy: AppSandboxPolicy,
  activePermissionProfile: maybe(ActivePermissionProfile),
  model: Type.String(),
  modelProvider: Type.String(),
  serviceTier: maybe(Type.String()),
  effort: maybe(ReasoningEffort),
  summary: maybe(ReasoningSummary),
  collaborationMode: CollaborationMode,
  multiAgentMode: Type.Optional(MultiAgentMode),
  personality: maybe(Personality),
});
export type AppThreadSettings = Static<typeof AppThreadSettings>;

export const ThreadSettingsUpdateParams = open("ThreadSettingsUpdateParams", {
  threadId: Type.String(),
  cwd: maybe(Type.String()),
  approvalPolicy: maybe(AskForApproval),
  approvalsReviewer: maybe(ApprovalsReviewer),
  sandboxPolicy: maybe(AppSandboxPolicy),
  permissions: maybe(Type.String()),
  model: maybe(Type.String()),
  serviceTier: maybe(Type.String()),
  effort: maybe(ReasoningEffort),
  summary: maybe(ReasoningSummary),
  collaborationMode: maybe(CollaborationMode),
  multiAgentMode: maybe(MultiAgentMode),
  personality: maybe(Personality),
});
export type ThreadSettingsUpdateParams = Static<typeof ThreadSettingsUpdateParams>;

export const ThreadSettingsUpdateResponse = open("ThreadSettingsUpdateResponse", {});
export type ThreadSettingsUpdateResponse = Static<typeof ThreadSettingsUpdateResponse>;

export const ThreadSettingsUpdatedNotification = open("ThreadSettingsUpdatedNotification", {
  threadId: Type.String(),
  threadSettings: AppThreadSettings,
});
export type ThreadSettingsUpdatedNotification = Static<typeof ThreadSettingsUpdatedNotification>;
