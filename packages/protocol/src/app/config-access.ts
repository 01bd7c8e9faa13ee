/** Allow and deny rules shared by configuration and its requirements. */
import { type Static, Type } from "typebox";
import { maybe, open, stringEnum } from "../define.js";

export const AllowDenyRequirement = stringEnum("AllowDenyRequirement", ["allow", "deny"]);
export type AllowDenyRequirement = Static<typeof AllowDenyRequirement>;

export const BrowserUseAccessApprovalLifetime = stringEnum("BrowserUseAccessApprovalLifetime", ["turn", "thread"]);
export type BrowserUseAccessApprovalLifetime = Static<typeof BrowserUseAccessApprovalLifetime>;

export const BrowserUseOriginPolicy = open("BrowserUseOriginPolicy", {
  access: maybe(AllowDenyRequirement),
  downloads: maybe(AllowDenyRequirement),
  uploads: maybe(AllowDenyRequirement),
  fullCdpAccess: maybe(AllowDenyRequirement),
  autoReview: maybe(AllowDenyRequirement),
  persistentApproval: maybe(Type.Boolean()),
  accessApprovalLifetime: maybe(BrowserUseAccessApprovalLifetime),
});
export type BrowserUseOriginPolicy = Static<typeof BrowserUseOriginPolicy>;

export const BrowserUseOriginPolicyConfig = open("BrowserUseOriginPolicyConfig", {
  access: maybe(AllowDenyRequirement),
  downloads: maybe(AllowDenyRequirement),
  uploads: maybe(AllowDenyRequirement),
  full_cdp_access: maybe(AllowDenyRequirement),
});
export type BrowserUseOriginPolicyConfig = Static<typeof BrowserUseOriginPolicyConfig>;
