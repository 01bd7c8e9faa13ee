/** Server requests that ask for permission: commands, file changes, permission profiles. */
import { type Static, Type } from "typebox";
import { NetworkApprovalContext, NetworkPolicyAmendment } from "../agent/approvals.js";
import { anyOf, maybe, named, open, shape, stringEnum, wrapped } from "../define.js";
import { CommandAction } from "./item-parts.js";
import {
  AdditionalPermissionProfile,
  GrantedPermissionProfile,
  PermissionGrantScope,
  RequestPermissionProfile,
} from "./permissions.js";
import { AbsolutePathBuf, LegacyAppPathString } from "./scalars.js";

export const CommandExecutionApprovalDecision = named(
  "CommandExecutionApprovalDecision",
  anyOf([
    Type.Literal("accept"),
    Type.Literal("acceptForSession"),
    wrapped(
      "acceptWithExecpolicyAmendment",
      shape({
        execpolicy_amendment: Type.Array(Type.String()),
      }),
    ),
    wrapped(
      "applyNetworkPolicyAmendment",
      shape({
        network_policy_amendment: NetworkPolicyAmendment,
      }),
    ),
    Type.Literal("decline"),
    Type.Literal("cancel"),
  ]),
);
export type CommandExecutionApprovalDecision = Static<typeof CommandExecutionApprovalDecision>;

export const CommandExecutionApprovalKind = stringEnum("CommandExecutionApprovalKind", ["command", "writeStdin"]);
export type CommandExecutionApprovalKind = Static<typeof CommandExecutionApprovalKind>;

export const CommandExecutionRequestApprovalParams = open("CommandExecutionRequestApprovalParams", {
  kind: Type.Optional(CommandExecutionApprovalKind),
  threadId: Type.String(),
  turnId: Type.String(),
  itemId: Type.String(),
  startedAtMs: Type.Integer(),
  approvalId: maybe(Type.String()),
  environmentId: maybe(Type.String()),
  reason: maybe(Type.String()),
  networkApprovalContext: maybe(NetworkApprovalContext),
  command: maybe(Type.String()),
  cwd: maybe(LegacyAppPathString),
  commandActions: maybe(Type.Array(CommandAction)),
  additionalPermissions: maybe(AdditionalPermissionProfile),
  proposedExecpolicyAmendment: maybe(Type.Array(Type.String())),
  proposedNetworkPolicyAmendments: maybe(Type.Array(NetworkPolicyAmendment)),
  availableDecisions: maybe(Type.Array(CommandExecutionApprovalDecision)),
});
export type CommandExecutionRequestApprovalParams = Static<typeof CommandExecutionRequestApprovalParams>;

export const CommandExecutionRequestApprovalResponse = open("CommandExecutionRequestApprovalResponse", {
  decision: CommandExecutionApprovalDecision,
});
export type CommandExecutionRequestApprovalResponse = Static<typeof CommandExecutionRequestApprovalResponse>;

export const FileChangeApprovalDecision = stringEnum("FileChangeApprovalDecision", [
  "accept",
  "acceptForSession",
  "decline",
  "cancel",
]);
export type FileChangeApprovalDecision = Static<typeof FileChangeApprovalDecision>;

export const FileChangeRequestApprovalParams = open("FileChangeRequestApprovalParams", {
  threadId: Type.String(),
  turnId: Type.String(),
  itemId: Type.String(),
  startedAtMs: Type.Integer(),
  reason: maybe(Type.String()),
  grantRoot: maybe(Type.String()),
});
export type FileChangeRequestApprovalParams = Static<typeof FileChangeRequestApprovalParams>;

export const FileChangeRequestApprovalResponse = open("FileChangeRequestApprovalResponse", {
  decision: FileChangeApprovalDecision,
});
export type FileChangeRequestApprovalResponse = Static<typeof FileChangeRequestApprovalResponse>;

export const PermissionsRequestApprovalParams = open("PermissionsRequestApprovalParams", {
  threadId: Type.String(),
  turnId: Type.String(),
  itemId: Type.String(),
  environmentId: maybe(Type.String()),
  startedAtMs: Type.Integer(),
  cwd: AbsolutePathBuf,
  reason: maybe(Type.String()),
  permissions: RequestPermissionProfile,
});
export type PermissionsRequestApprovalParams = Static<typeof PermissionsRequestApprovalParams>;

export const PermissionsRequestApprovalResponse = open("PermissionsRequestApprovalResponse", {
  permissions: GrantedPermissionProfile,
  scope: Type.Optional(PermissionGrantScope),
  strictAutoReview: maybe(Type.Boolean()),
});
export type PermissionsRequestApprovalResponse = Static<typeof PermissionsRequestApprovalResponse>;
