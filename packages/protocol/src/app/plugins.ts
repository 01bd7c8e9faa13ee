/** Plugins and the marketplaces they come from. */
import { type Static, Type } from "typebox";
import { maybe, open, stringEnum, taggedUnion } from "../define.js";
import { AbsolutePathBuf } from "./scalars.js";

export const MarketplaceInterface = open("MarketplaceInterface", {
  displayName: maybe(Type.String()),
});
export type MarketplaceInterface = Static<typeof MarketplaceInterface>;

export const MarketplaceLoadErrorInfo = open("MarketplaceLoadErrorInfo", {
  marketplacePath: AbsolutePathBuf,
  message: Type.String(),
});
export type MarketplaceLoadErrorInfo = Static<typeof MarketplaceLoadErrorInfo>;

export const PluginAuthPolicy = stringEnum("PluginAuthPolicy", ["ON_INSTALL", "ON_USE"]);
export type PluginAuthPolicy = Static<typeof PluginAuthPolicy>;

export const PluginAvailability = stringEnum("PluginAvailability", ["DISABLED_BY_ADMIN", "AVAILABLE"]);
export type PluginAvailability = Static<typeof PluginAvailability>;

export const PluginDisabledReason = stringEnum("PluginDisabledReason", [
  "disabled_by_admin",
  "plan_not_eligible",
  "required_app_unavailable",
  "unknown",
]);
export type PluginDisabledReason = Static<typeof PluginDisabledReason>;

export const PluginInstallPolicy = stringEnum("PluginInstallPolicy", [
  "NOT_AVAILABLE",
  "AVAILABLE",
  "INSTALLED_BY_DEFAULT",
]);
export type PluginInstallPolicy = Static<typeof PluginInstallPolicy>;

export const PluginInstallPolicySource = stringEnum("PluginInstallPolicySource", [
  "WORKSPACE_SETTING",
  "IMPLICIT_CANONICAL_APP",
]);
export type PluginInstallPolicySource = Static<typeof PluginInstallPolicySource>;

export const PluginInterface = open("PluginInterface", {
  displayName: maybe(Type.String()),
  shortDescription: maybe(Type.String()),
  longDescription: maybe(Type.String()),
  developerName: maybe(Type.String()),
  category: maybe(Type.String()),
  capabilities: Type.Array(Type.String()),
  websiteUrl: maybe(Type.String()),
  privacyPolicyUrl: maybe(Type.String()),
  termsOfServiceUrl: maybe(Type.String()),
  defaultPrompt: maybe(Type.Array(Type.String())),
  brandColor: maybe(Type.String()),
  composerIcon: maybe(AbsolutePathBuf),
  composerIconUrl: maybe(Type.String()),
  logo: maybe(AbsolutePathBuf),
  logoDark: maybe(AbsolutePathBuf),
  logoUrl: maybe(Type.String()),
  logoUrlDark: maybe(Type.String()),
  screenshots: Type.Array(AbsolutePathBuf),
  screenshotUrls: Type.Array(Type.String()),
});
export type PluginInterface = Static<typeof PluginInterface>;

export const PluginListMarketplaceKind = stringEnum("PluginListMarketplaceKind", [
  "local",
  "vertical",
  "workspace-directory",
  "shared-with-me",
  "created-by-me-remote",
]);
export type PluginListMarketplaceKind = Static<typeof PluginListMarketplaceKind>;

export const PluginListParams = open("PluginListParams", {
  cwds: maybe(Type.Array(AbsolutePathBuf)),
  marketplaceKinds: maybe(Type.Array(PluginListMarketplaceKind)),
  forceRefetch: Type.Optional(Type.Boolean()),
});
export type PluginListParams = Static<typeof PluginListParams>;

export const PluginShareDiscoverability = stringEnum("PluginShareDiscoverability", ["LISTED", "UNLISTED", "PRIVATE"]);
export type PluginShareDiscoverability = Static<typeof PluginShareDiscoverability>;

export const PluginSharePrincipalRole = stringEnum("PluginSharePrincipalRole", ["reader", "editor", "owner"]);
export type PluginSharePrincipalRole = Static<typeof PluginSharePrincipalRole>;

export const PluginSharePrincipalType = stringEnum("PluginSharePrincipalType", ["user", "group", "workspace"]);
export type PluginSharePrincipalType = Static<typeof PluginSharePrincipalType>;

export const PluginSharePrincipal = open("PluginSharePrincipal", {
  principalType: PluginSharePrincipalType,
  principalId: Type.String(),
  role: PluginSharePrincipalRole,
  name: Type.String(),
});
export type PluginSharePrincipal = Static<typeof PluginSharePrincipal>;

export const PluginShareContext = open("PluginShareContext", {
  remotePluginId: Type.String(),
  remoteVersion: maybe(Type.String()),
  discoverability: maybe(PluginShareDiscoverability),
  shareUrl: maybe(Type.String()),
  creatorAccountUserId: maybe(Type.String()),
  creatorName: maybe(Type.String()),
  sharePrincipals: maybe(Type.Array(PluginSharePrincipal)),
  canPublishToWorkspace: maybe(Type.Boolean()),
});
export type PluginShareContext = Static<typeof PluginShareContext>;

export const PluginSource = taggedUnion("PluginSource", "type", {
  local: {
    path: AbsolutePathBuf,
  },
  git: {
    url: Type.String(),
    path: maybe(Type.String()),
    refName: maybe(Type.String()),
    sha: maybe(Type.String()),
  },
  npm: {
    package: Type.String(),
    version: maybe(Type.String()),
    registry: maybe(Type.String()),
  },
  remote: {},
});
export type PluginSource = Static<typeof PluginSource>;

export const PluginSummary = open("PluginSummary", {
  id: Type.String(),
  remotePluginId: maybe(Type.String()),
  version: maybe(Type.String()),
  localVersion: maybe(Type.String()),
  name: Type.String(),
  shareContext: maybe(PluginShareContext),
  source: PluginSource,
  installed: Type.Boolean(),
  installedAt: maybe(Type.Integer()),
  enabled: Type.Boolean(),
  installPolicy: PluginInstallPolicy,
  installPolicySource: maybe(PluginInstallPolicySource),
  mustShowInstallationInterstitial: maybe(Type.Boolean()),
  authPolicy: PluginAuthPolicy,
  availability: Type.Optional(PluginAvailability),
  disabledReason: maybe(PluginDisabledReason),
  eligiblePlanTypes: maybe(Type.Array(Type.String())),
  interface: maybe(PluginInterface),
  keywords: Type.Optional(Type.Array(Type.String())),
});
export type PluginSummary = Static<typeof PluginSummary>;

export const PluginMarketplaceEntry = open("PluginMarketplaceEntry", {
  name: Type.String(),
  path: maybe(AbsolutePathBuf),
  interface: maybe(MarketplaceInterface),
  plugins: Type.Array(PluginSummary),
});
export type PluginMarketplaceEntry = Static<typeof PluginMarketplaceEntry>;

export const PluginListResponse = open("PluginListResponse", {
  marketplaces: Type.Array(PluginMarketplaceEntry),
  marketplaceLoadErrors: Type.Optional(Type.Array(MarketplaceLoadErrorInfo)),
  featuredPluginIds: Type.Optional(Type.Array(Type.String())),
});
export type PluginListResponse = Static<typeof PluginListResponse>;
