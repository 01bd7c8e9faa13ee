/** Where a turn's processes run. */
import { type Static, Type } from "typebox";
import { maybe, open, stringEnum, taggedUnion } from "../define.js";
import { LegacyAppPathString, PathUri } from "./scalars.js";

export const CapabilityRootLocation = taggedUnion("CapabilityRootLocation", "type", {
  environment: {
    environmentId: Type.String(),
    path: Type.String(),
  },
});
export type CapabilityRootLocation = Static<typeof CapabilityRootLocation>;

export const EnvironmentAddParams = open("EnvironmentAddParams", {
  environmentId: Type.String(),
  execServerUrl: Type.String(),
  connectTimeoutMs: maybe(Type.Integer({ minimum: 0 })),
});
export type EnvironmentAddParams = Static<typeof EnvironmentAddParams>;

export const EnvironmentAddResponse = open("EnvironmentAddResponse", {});
export type EnvironmentAddResponse = Static<typeof EnvironmentAddResponse>;

export const EnvironmentConnectionNotification = open("EnvironmentConnectionNotification", {
  threadId: Type.String(),
  environmentId: Type.String(),
});
export type EnvironmentConnectionNotification = Static<typeof EnvironmentConnectionNotification>;

export const EnvironmentInfoParams = open("EnvironmentInfoParams", {
  environmentId: Type.String(),
});
export type EnvironmentInfoParams = Static<typeof EnvironmentInfoParams>;

export const EnvironmentShellInfo = open("EnvironmentShellInfo", {
  name: Type.String(),
  path: Type.String(),
});
export type EnvironmentShellInfo = Static<typeof EnvironmentShellInfo>;

export const EnvironmentInfoResponse = open("EnvironmentInfoResponse", {
  shell: EnvironmentShellInfo,
  cwd: maybe(PathUri),
});
export type EnvironmentInfoResponse = Static<typeof EnvironmentInfoResponse>;

export const EnvironmentStatusKind = stringEnum("EnvironmentStatusKind", [
  "ready",
  "pending",
  "disconnected",
  "unknown",
]);
export type EnvironmentStatusKind = Static<typeof EnvironmentStatusKind>;

export const EnvironmentStatusParams = open("EnvironmentStatusParams", {
  environmentId: Type.String(),
});
export type EnvironmentStatusParams = Static<typeof EnvironmentStatusParams>;

export const EnvironmentStatusResponse = open("EnvironmentStatusResponse", {
  status: EnvironmentStatusKind,
  error: maybe(Type.String()),
});
export type EnvironmentStatusResponse = Static<typeof EnvironmentStatusResponse>;

export const SelectedCapabilityRoot = open("SelectedCapabilityRoot", {
  id: Type.String(),
  location: CapabilityRootLocation,
});
export type SelectedCapabilityRoot = Static<typeof SelectedCapabilityRoot>;

export const TurnEnvironmentParams = open("TurnEnvironmentParams", {
  environmentId: Type.String(),
  cwd: LegacyAppPathString,
  runtimeWorkspaceRoots: maybe(Type.Array(LegacyAppPathString)),
});
export type TurnEnvironmentParams = Static<typeof TurnEnvironmentParams>;
