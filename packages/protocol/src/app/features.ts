/** Experimental features and their state. */
import { type Static, Type } from "typebox";
import { maybe, open, stringEnum } from "../define.js";

export const ExperimentalFeatureStage = stringEnum("ExperimentalFeatureStage", [
  "beta",
  "underDevelopment",
  "stable",
  "deprecated",
  "removed",
]);
export type ExperimentalFeatureStage = Static<typeof ExperimentalFeatureStage>;

export const ExperimentalFeature = open("ExperimentalFeature", {
  name: Type.String(),
  stage: ExperimentalFeatureStage,
  displayName: maybe(Type.String()),
  description: maybe(Type.String()),
  announcement: maybe(Type.String()),
  enabled: Type.Boolean(),
  defaultEnabled: Type.Boolean(),
});
export type ExperimentalFeature = Static<typeof ExperimentalFeature>;

export const ExperimentalFeatureListParams = open("ExperimentalFeatureListParams", {
  cursor: maybe(Type.String()),
  limit: maybe(Type.Integer({ minimum: 0 })),
  threadId: maybe(Type.String()),
});
export type ExperimentalFeatureListParams = Static<typeof ExperimentalFeatureListParams>;

export const ExperimentalFeatureListResponse = open("ExperimentalFeatureListResponse", {
  data: Type.Array(ExperimentalFeature),
  nextCursor: maybe(Type.String()),
});
export type ExperimentalFeatureListResponse = Static<typeof ExperimentalFeatureListResponse>;
