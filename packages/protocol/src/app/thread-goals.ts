/** The goal of a thread. */
import { type Static, Type } from "typebox";
import { maybe, open, stringEnum } from "../define.js";

export const ThreadGoalStatus = stringEnum("ThreadGoalStatus", [
  "active",
  "paused",
  "blocked",
  "usageLimited",
  "budgetLimited",
  "complete",
]);
export type ThreadGoalStatus = Static<typeof ThreadGoalStatus>;

export const ThreadGoal = open("ThreadGoal", {
  threadId: Type.String(),
  objective: Type.String(),
  status: ThreadGoalStatus,
  tokenBudget: maybe(Type.Integer()),
  tokensUsed: Type.Integer(),
  timeUsedSeconds: Type.Integer(),
  createdAt: Type.Integer(),
  updatedAt: Type.Integer(),
});
export type ThreadGoal = Static<typeof ThreadGoal>;

export const ThreadGoalClearParams = open("ThreadGoalClearParams", {
  threadId: Type.String(),
});
export type ThreadGoalClearParams = Static<typeof ThreadGoalClearParams>;

export const ThreadGoalClearResponse = open("ThreadGoalClearResponse", {
  cleared: Type.Boolean(),
});
export type ThreadGoalClearResponse = Static<typeof ThreadGoalClearResponse>;

export const ThreadGoalClearedNotification = open("ThreadGoalClearedNotification", {
  threadId: Type.String(),
});
export type ThreadGoalClearedNotification = Static<typeof ThreadGoalClearedNotification>;

export const ThreadGoalGetParams = open("ThreadGoalGetParams", {
  threadId: Type.String(),
});
export type ThreadGoalGetParams = Static<typeof ThreadGoalGetParams>;

export const ThreadGoalGetResponse = open("ThreadGoalGetResponse", {
  goal: maybe(ThreadGoal),
});
export type ThreadGoalGetResponse = Static<typeof ThreadGoalGetResponse>;

export const ThreadGoalSetParams = open("ThreadGoalSetParams", {
  threadId: Type.String(),
  objective: maybe(Type.String()),
  status: maybe(ThreadGoalStatus),
  tokenBudget: maybe(Type.Integer()),
});
export type ThreadGoalSetParams = Static<typeof ThreadGoalSetParams>;

export const ThreadGoalSetResponse = open("ThreadGoalSetResponse", {
  goal: ThreadGoal,
});
export type ThreadGoalSetResponse = Static<typeof ThreadGoalSetResponse>;

export const ThreadGoalUpdatedNotification = open("ThreadGoalUpdatedNotification", {
  threadId: Type.String(),
  turnId: maybe(Type.String()),
  goal: ThreadGoal,
});
export type ThreadGoalUpdatedNotification = Static<typeof ThreadGoalUpdatedNotification>;
