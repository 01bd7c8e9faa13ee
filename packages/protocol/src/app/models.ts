/** Models that can be chosen and what they can do. */
import { type Static, Type } from "typebox";
import { MultiAgentVersion, ReasoningEffort } from "../agent/settings-values.js";
import { maybe, open, stringEnum } from "../define.js";

export const InputModality = stringEnum("InputModality", ["text", "image", "audio"]);
export type InputModality = Static<typeof InputModality>;

export const ModelAvailabilityNux = open("ModelAvailabilityNux", {
  message: Type.String(),
});
export type ModelAvailabilityNux = Static<typeof ModelAvailabilityNux>;

export const ModelServiceTier = open("ModelServiceTier", {
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
});
export type ModelServiceTier = Static<typeof ModelServiceTier>;

export const ModelUpgradeInfo = open("ModelUpgradeInfo", {
  model: Type.String(),
  upgradeCopy: maybe(Type.String()),
  modelLink: maybe(Type.String()),
  migrationMarkdown: maybe(Type.String()),
  retirementAt: maybe(Type.Integer()),
});
export type ModelUpgradeInfo = Static<typeof ModelUpgradeInfo>;

export const ReasoningEffortOption = open("ReasoningEffortOption", {
  reasoningEffort: ReasoningEffort,
  description: Type.String(),
});
export type ReasoningEffortOption = Static<typeof ReasoningEffortOption>;

export const Model = open("Model", {
  id: Type.String(),
  model: Type.String(),
  upgrade: maybe(Type.String()),
  upgradeInfo: maybe(ModelUpgradeInfo),
  availabilityNux: maybe(ModelAvailabilityNux),
  displayName: Type.String(),
  description: Type.String(),
  modelSpecialty: maybe(Type.String()),
  hidden: Type.Boolean(),
  supportedReasoningEfforts: Type.Array(ReasoningEffortOption),
  defaultReasoningEffort: ReasoningEffort,
  inputModalities: Type.Optional(Type.Array(InputModality)),
  supportsPersonality: Type.Optional(Type.Boolean()),
  multiAgentVersion: maybe(MultiAgentVersion),
  additionalSpeedTiers: Type.Optional(Type.Array(Type.String())),
  serviceTiers: Type.Optional(Type.Array(ModelServiceTier)),
  defaultServiceTier: maybe(Type.String()),
  isDefault: Type.Boolean(),
});
export type Model = Static<typeof Model>;

export const ModelListParams = open("ModelListParams", {
  cursor: maybe(Type.String()),
  limit: maybe(Type.Integer({ minimum: 0 })),
  includeHidden: maybe(Type.Boolean()),
});
export type ModelListParams = Static<typeof ModelListParams>;

export const ModelListResponse = open("ModelListResponse", {
  data: Type.Array(Model),
  nextCursor: maybe(Type.String()),
});
export type ModelListResponse = Static<typeof ModelListResponse>;

export const ModelProviderCapabilitiesReadParams = open("ModelProviderCapabilitiesReadParams", {});
export type ModelProviderCapabilitiesReadParams = Static<typeof ModelProviderCapabilitiesReadParams>;

export const ModelProviderCapabilitiesReadResponse = open("ModelProviderCapabilitiesReadResponse", {
  namespaceTools: Type.Boolean(),
  imageGeneration: Type.Boolean(),
  webSearch: Type.Boolean(),
});
export type ModelProviderCapabilitiesReadResponse = Static<typeof ModelProviderCapabilitiesReadResponse>;
