/** Notifications about a turn. */
import { type Static, Type } from "typebox";
import { maybe, open, stringEnum } from "../define.js";
import { Turn } from "./turn-model.js";

export const ContextCompactedNotification = open("ContextCompactedNotification", {
  threadId: Type.String(),
  turnId: Type.String(),
});
export type ContextCompactedNotification = Static<typeof ContextCompactedNotification>;

export const TurnCompletedNotification = open("TurnCompletedNotification", {
  threadId: Type.String(),
  turn: Turn,
});
export type TurnCompletedNotification = Static<typeof TurnCompletedNotification>;

export const TurnDiffUpdatedNotification = open("TurnDiffUpdatedNotification", {
  threadId: Type.String(),
  turnId: Type.String(),
  diff: Type.String(),
});
export type TurnDiffUpdatedNotification = Static<typeof TurnDiffUpdatedNotification>;

export const TurnModerationMetadataNotification = open("TurnModerationMetadataNotification", {
  threadId: Type.String(),
  turnId: Type.String(),
  metadata: Type.Unknown(),
});
export type TurnModerationMetadataNotification = Static<typeof TurnModerationMetadataNotification>;

export const TurnPlanStepStatus = stringEnum("TurnPlanStepStatus", ["pending", "inProgress", "completed"]);
export type TurnPlanStepStatus = Static<typeof TurnPlanStepStatus>;

export const TurnPlanStep = open("TurnPlanStep", {
  step: Type.String(),
  status: TurnPlanStepStatus,
});
export type TurnPlanStep = Static<typeof TurnPlanStep>;

export const TurnPlanUpdatedNotification = open("TurnPlanUpdatedNotification", {
  threadId: Type.String(),
  turnId: Type.String(),
  explanation: maybe(Type.String()),
  plan: Type.Array(TurnPlanStep),
});
export type TurnPlanUpdatedNotification = Static<typeof TurnPlanUpdatedNotification>;

export const TurnStartedNotification = open("TurnStartedNotification", {
  threadId: Type.String(),
  turn: Turn,
});
export type TurnStartedNotification = Static<typeof TurnStartedNotification>;
