/** Who is signed in and what the plan allows. */
import { type Static, Type } from "typebox";
import { maybe, nullable, open, record, stringEnum, taggedUnion } from "../define.js";

export const PlanType = stringEnum("PlanType", [
  "free",
  "go",
  "plus",
  "pro",
  "prolite",
  "team",
  "self_serve_business_prolite",
  "self_serve_business_usage_based",
  "business",
  "ent26",
  "enterprise_cbp_automation",
  "enterprise_cbp_usage_based",
  "enterprise",
  "edu",
  "edu_plus",
  "edu_pro",
  "unknown",
]);
export type PlanType = Static<typeof PlanType>;

export const Account = taggedUnion("Account", "type", {
  apiKey: {},
  chatgpt: {
    email: nullable(Type.String()),
    planType: PlanType,
  },
  amazonBedrock: {
    usesCodexManagedCredentials: Type.Optional(Type.Boolean()),
  },
});
export type Account = Static<typeof Account>;

export const AppCreditsSnapshot = open("AppCreditsSnapshot", {
  hasCredits: Type.Boolean(),
  unlimited: Type.Boolean(),
  balance: maybe(Type.String()),
});
export type AppCreditsSnapshot = Static<typeof AppCreditsSnapshot>;

export const RateLimitReachedType = stringEnum("RateLimitReachedType", [
  "rate_limit_reached",
  "workspace_owner_credits_depleted",
  "workspace_member_credits_depleted",
  "workspace_owner_usage_limit_reached",
  "workspace_member_usage_limit_reached",
]);
export type RateLimitReachedType = Static<typeof RateLimitReachedType>;

export const AppRateLimitWindow = open("AppRateLimitWindow", {
  usedPercent: Type.Integer(),
  windowDurationMins: maybe(Type.Integer()),
  resetsAt: maybe(Type.Integer()),
});
export type AppRateLimitWindow = Static<typeof AppRateLimitWindow>;

export const SpendControlLimitSnapshot = open("SpendControlLimitSnapshot", {
  limit: Type.String(),
  used: Type.String(),
  remainingPercent: Type.Integer(),
  resetsAt: Type.Integer(),
});
export type SpendControlLimitSnapshot = Static<typeof SpendControlLimitSnapshot>;

export const AppRateLimitSnapshot = open("AppRateLimitSnapshot", {
  limitId: maybe(Type.String()),
  limitName: maybe(Type.String()),
  primary: maybe(AppRateLimitWindow),
  secondary: maybe(AppRateLimitWindow),
  credits: maybe(AppCreditsSnapshot),
  individualLimit: maybe(SpendControlLimitSnapshot),
  spendControlReached: maybe(Type.Boolean()),
  planType: maybe(PlanType),
  rateLimitReachedType: maybe(RateLimitReachedType),
});
export type AppRateLimitSnapshot = Static<typeof AppRateLimitSnapshot>;

export const AccountRateLimitsUpdatedNotification = open("AccountRateLimitsUpdatedNotification", {
  rateLimits: AppRateLimitSnapshot,
});
export type AccountRateLimitsUpdatedNotification = Static<typeof AccountRateLimitsUpdatedNotification>;

export const AuthMode = stringEnum("AuthMode", [
  "apikey",
  "chatgpt",
  "chatgptAuthTokens",
  "headers",
  "agentIdentity",
  "personalAccessToken",
  "bedrockApiKey",
  "bedrockAccessKeys",
]);
export type AuthMode = Static<typeof AuthMode>;

export const AccountUpdatedNotification = open("AccountUpdatedNotification", {
  authMode: maybe(AuthMode),
  planType: maybe(PlanType),
});
export type AccountUpdatedNotification = Static<typeof AccountUpdatedNotification>;

export const GetAccountParams = open("GetAccountParams", {
  refreshToken: Type.Optional(Type.Boolean()),
});
export type GetAccountParams = Static<typeof GetAccountParams>;

export const RateLimitResetCreditStatus = stringEnum("RateLimitResetCreditStatus", [
  "available",
  "redeeming",
  "redeemed",
  "unknown",
]);
export type RateLimitResetCreditStatus = Static<typeof RateLimitResetCreditStatus>;

export const RateLimitResetType = stringEnum("RateLimitResetType", ["codexRateLimits", "unknown"]);
export type RateLimitResetType = Static<typeof RateLimitResetType>;

export const RateLimitResetCredit = open("RateLimitResetCredit", {
  id: Type.String(),
  resetType: RateLimitResetType,
  status: RateLimitResetCreditStatus,
  grantedAt: Type.Integer(),
  expiresAt: maybe(Type.Integer()),
  title: maybe(Type.String()),
  description: maybe(Type.String()),
});
export type RateLimitResetCredit = Static<typeof RateLimitResetCredit>;

export const RateLimitResetCreditsSummary = open("RateLimitResetCreditsSummary", {
  availableCount: Type.Integer(),
  credits: maybe(Type.Array(RateLimitResetCredit)),
});
export type RateLimitResetCreditsSummary = Static<typeof RateLimitResetCreditsSummary>;

export const GetAccountRateLimitsResponse = open("GetAccountRateLimitsResponse", {
  rateLimits: AppRateLimitSnapshot,
  rateLimitsByLimitId: maybe(record(AppRateLimitSnapshot)),
  rateLimitResetCredits: maybe(RateLimitResetCreditsSummary),
});
export type GetAccountRateLimitsResponse = Static<typeof GetAccountRateLimitsResponse>;

export const GetAccountResponse = open("GetAccountResponse", {
  account: maybe(Account),
  requiresOpenaiAuth: Type.Boolean(),
});
export type GetAccountResponse = Static<typeof GetAccountResponse>;
