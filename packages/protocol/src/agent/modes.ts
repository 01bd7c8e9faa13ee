/** Collaboration modes: how much the agent decides by itself, and the settings that come with a mode. */
import { type Static, Type } from "typebox";
import { maybe, open, stringEnum } from "../define.js";
import { ReasoningEffort } from "./settings-values.js";

export const ModeKind = stringEnum("ModeKind", ["plan", "default"]);
export type ModeKind = Static<typeof ModeKind>;

export const CollaborationModeSettings = open("CollaborationModeSettings", {
  model: Type.String(),
  reasoning_effort: maybe(ReasoningEffort),
  developer_instructions: maybe(Type.String()),
});
export type CollaborationModeSettings = Static<typeof CollaborationModeSettings>;

export const CollaborationMode = open("CollaborationMode", {
  mode: ModeKind,
  settings: CollaborationModeSettings,
});
export type CollaborationMode = Static<typeof CollaborationMode>;
