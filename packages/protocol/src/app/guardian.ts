/** Automatic review of approval requests. */
import { type Static, Type } from "typebox";
import { NetworkApprovalProtocol } from "../agent/approvals.js";
import { maybe, open, stringEnum, taggedUnion } from "../define.js";
import { RequestPermissionProfile } from "./permissions.js";
import { AbsolutePathBuf, LegacyAppPathString } from "./scalars.js";

export const AutoReviewDecisionSource = stringEnum("AutoReviewDecisionSource", ["agent"]);
export type AutoReviewDecisionSource = Static<typeof AutoReviewDecisionSource>;

export const GuardianApprovalReviewStatus = stringEnum("GuardianApprovalReviewStatus", [
  "inProgress",
  "approved",
  "denied",
  "timedOut",
  "aborted",
]);
export type GuardianApprovalReviewStatus = Static<typeof GuardianApprovalReviewStatus>;

export const GuardianRiskLevel = stringEnum("GuardianRiskLevel", ["low", "medium", "high", "critical"]);
export type GuardianRiskLevel = Static<typeof GuardianRiskLevel>;

export const GuardianUserAuthorization = stringEnum("GuardianUserAuthorization", ["unknown", "low", "medium", "high"]);
export type GuardianUserAuthorization = Static<typeof GuardianUserAuthorization>;

export const GuardianApprovalReview = open("GuardianApprovalReview", {
  status: GuardianApprovalReviewStatus,
  riskLevel: maybe(GuardianRiskLevel),
  userAuthorization: maybe(GuardianUserAuthorization),
  rationale: maybe(Type.String()),
});
export type GuardianApprovalReview = Static<typeof GuardianApprovalReview>;

export const GuardianCommandSource = stringEnum("GuardianCommandSource", ["shell", "unifiedExec"]);
export type GuardianCommandSource = Static<typeof GuardianCommandSource>;

export const GuardianApprovalReviewAction = taggedUnion("GuardianApprovalReviewAction", "type", {
  command: {
    source: GuardianCommandSource,
    command: Type.String(),
    cwd: AbsolutePathBuf,
  },
  execve: {
    source: GuardianCommandSource,
    program: Type.String(),
    argv: Type.Array(Type.String()),
    cwd: AbsolutePathBuf,
  },
  writeStdin: {
    approvalId: Type.String(),
    processId: Type.String(),
    stdin: Type.String(),
    cwd: LegacyAppPathString,
  },
  applyPatch: {
    cwd: AbsolutePathBuf,
    files: Type.Array(AbsolutePathBuf),
  },
  networkAccess: {
    target: Type.String(),
    host: Type.String(),
    protocol: NetworkApprovalProtocol,
    port: Type.Integer({ minimum: 0 }),
  },
  mcpToolCall: {
    server: Type.String(),
    toolName: Type.String(),
    connectorId: maybe(Type.String()),
    connectorName: maybe(Type.String()),
    toolTitle: maybe(Type.String()),
  },
  requestPermissions: {
    reason: maybe(Type.String()),
    permissions: RequestPermissionProfile,
  },
});
export type GuardianApprovalReviewAction = Static<typeof GuardianApprovalReviewAction>;

export const ItemGuardianApprovalReviewCompletedNotification = open("ItemGuardianApprovalReviewCompletedNotification", {
  threadId: Type.String(),
  turnId: Type.String(),
  startedAtMs: Type.Integer(),
  completedAtMs: Type.Integer(),
  reviewId: Type.String(),
  targetItemId: maybe(Type.String()),
  decisionSource: AutoReviewDecisionSource,
  review: GuardianApprovalReview,
  action: GuardianApprovalReviewAction,
});
export type ItemGuardianApprovalReviewCompletedNotification = Static<
  typeof ItemGuardianApprovalReviewCompletedNotification
>;

export const ItemGuardianApprovalReviewStartedNotification = open("ItemGuardianApprovalReviewStartedNotification", {
  threadId: Type.String(),
  turnId: Type.String(),
  startedAtMs: Type.Integer(),
  reviewId: Type.String(),
  targetItemId: maybe(Type.String()),
  review: GuardianApprovalReview,
  action: GuardianApprovalReviewAction,
});
export type ItemGuardianApprovalReviewStartedNotification = Static<
  typeof ItemGuardianApprovalReviewStartedNotification
>;

export const StrictReviewRequiredNotification = open("StrictReviewRequiredNotification", {
  threadId: Type.String(),
  turnId: Type.String(),
  startedAtMs: Type.Integer(),
});
export type StrictReviewRequiredNotification = Static<typeof StrictReviewRequiredNotification>;
