/** The list of collaboration modes a client can offer. */
import { type Static, Type } from "typebox";
import { ModeKind } from "../agent/modes.js";
import { ReasoningEffort } from "../agent/settings-values.js";
import { anyOf, literals, maybe, named, open, wrapped } from "../define.js";

export const CollaborationModeListParams = open("CollaborationModeListParams", {});
export type CollaborationModeListParams = Static<typeof CollaborationModeListParams>;

export const CollaborationModeMask = open("CollaborationModeMask", {
  name: Type.String(),
  mode: maybe(ModeKind),
  model: maybe(Type.String()),
  reasoning_effort: maybe(anyOf([ReasoningEffort, Type.Null()])),
});
export type CollaborationModeMask = Static<typeof CollaborationModeMask>;

export const CollaborationModeListResponse = open("CollaborationModeListResponse", {
  data: Type.Array(CollaborationModeMask),
});
export type CollaborationModeListResponse = Static<typeof CollaborationModeListResponse>;

export const MultiAgentMode = named(
  "MultiAgentMode",
  anyOf([literals(["explicitRequestOnly", "proactive"]), wrapped("custom", Type.String())]),
);
export type MultiAgentMode = Static<typeof MultiAgentMode>;
