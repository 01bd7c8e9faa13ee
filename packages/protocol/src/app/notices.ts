/** Warnings and notices that belong to no item. */
import { type Static, Type } from "typebox";
import { maybe, open, stringEnum } from "../define.js";
import { TextRange } from "./scalars.js";

export const ConfigWarningNotification = open("ConfigWarningNotification", {
  summary: Type.String(),
  details: maybe(Type.String()),
  path: maybe(Type.String()),
  range: maybe(TextRange),
});
export type ConfigWarningNotification = Static<typeof ConfigWarningNotification>;

export const DeprecationNoticeNotification = open("DeprecationNoticeNotification", {
  summary: Type.String(),
  details: maybe(Type.String()),
});
export type DeprecationNoticeNotification = Static<typeof DeprecationNoticeNotification>;

export const GuardianWarningNotification = open("GuardianWarningNotification", {
  threadId: Type.String(),
  message: Type.String(),
});
export type GuardianWarningNotification = Static<typeof GuardianWarningNotification>;

export const ModelRerouteReason = stringEnum("ModelRerouteReason", ["highRiskCyberActivity"]);
export type ModelRerouteReason = Static<typeof ModelRerouteReason>;

export const ModelReroutedNotification = open("ModelReroutedNotification", {
  threadId: Type.String(),
  turnId: Type.String(),
  fromModel: Type.String(),
  toModel: Type.String(),
  reason: ModelRerouteReason,
});
export type ModelReroutedNotification = Static<typeof ModelReroutedNotification>;

export const ModelSafetyBufferingUpdatedNotification = open("ModelSafetyBufferingUpdatedNotification", {
  threadId: Type.String(),
  turnId: Type.String(),
  model: Type.String(),
  useCases: Type.Array(Type.String()),
  reasons: Type.Array(Type.String()),
  showBufferingUi: Type.Boolean(),
  fasterModel: maybe(Type.String()),
});
export type ModelSafetyBufferingUpdatedNotification = Static<typeof ModelSafetyBufferingUpdatedNotification>;

export const ModelVerification = stringEnum("ModelVerification", ["trustedAccessForCyber"]);
export type ModelVerification = Static<typeof ModelVerification>;

export const ModelVerificationNotification = open("ModelVerificationNotification", {
  threadId: Type.String(),
  turnId: Type.String(),
  verifications: Type.Array(ModelVerification),
});
export type ModelVerificationNotification = Static<typeof ModelVerificationNotification>;

export const WarningNotification = open("WarningNotification", {
  threadId: maybe(Type.String()),
  message: Type.String(),
});
export type WarningNotification = Static<typeof WarningNotification>;
