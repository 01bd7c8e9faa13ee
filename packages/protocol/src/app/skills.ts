/** Skills that are available in a folder. */
import { type Static, Type } from "typebox";
import { maybe, open, stringEnum } from "../define.js";
import { AbsolutePathBuf } from "./scalars.js";

export const SkillToolDependency = open("SkillToolDependency", {
  type: Type.String(),
  value: Type.String(),
  description: maybe(Type.String()),
  transport: maybe(Type.String()),
  command: maybe(Type.String()),
  url: maybe(Type.String()),
});
export type SkillToolDependency = Static<typeof SkillToolDependency>;

export const SkillDependencies = open("SkillDependencies", {
  tools: Type.Array(SkillToolDependency),
});
export type SkillDependencies = Static<typeof SkillDependencies>;

export const SkillErrorInfo = open("SkillErrorInfo", {
  path: Type.String(),
  message: Type.String(),
});
export type SkillErrorInfo = Static<typeof SkillErrorInfo>;

export const SkillInterface = open("SkillInterface", {
  displayName: maybe(Type.String()),
  shortDescription: maybe(Type.String()),
  iconSmall: maybe(AbsolutePathBuf),
  iconLarge: maybe(AbsolutePathBuf),
  iconSmallUrl: maybe(Type.String()),
  iconLargeUrl: maybe(Type.String()),
  brandColor: maybe(Type.String()),
  defaultPrompt: maybe(Type.String()),
});
export type SkillInterface = Static<typeof SkillInterface>;

export const SkillScope = stringEnum("SkillScope", ["user", "repo", "system", "admin"]);
export type SkillScope = Static<typeof SkillScope>;

export const SkillMetadata = open("SkillMetadata", {
  name: Type.String(),
  description: Type.String(),
  shortDescription: maybe(Type.String()),
  interface: maybe(SkillInterface),
  dependencies: maybe(SkillDependencies),
  path: AbsolutePathBuf,
  scope: SkillScope,
  enabled: Type.Boolean(),
  pluginId: maybe(Type.String()),
});
export type SkillMetadata = Static<typeof SkillMetadata>;

export const SkillsChangedNotification = open("SkillsChangedNotification", {});
export type SkillsChangedNotification = Static<typeof SkillsChangedNotification>;

export const SkillsListEntry = open("SkillsListEntry", {
  cwd: Type.String(),
  skills: Type.Array(SkillMetadata),
  errors: Type.Array(SkillErrorInfo),
});
export type SkillsListEntry = Static<typeof SkillsListEntry>;

export const SkillsListParams = open("SkillsListParams", {
  cwds: Type.Optional(Type.Array(Type.String())),
  forceReload: Type.Optional(Type.Boolean()),
});
export type SkillsListParams = Static<typeof SkillsListParams>;

export const SkillsListResponse = open("SkillsListResponse", {
  data: Type.Array(SkillsListEntry),
});
export type SkillsListResponse = Static<typeof SkillsListResponse>;
