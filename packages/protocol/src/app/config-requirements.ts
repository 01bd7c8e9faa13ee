/** What an administrator requires of a configuration. */
import { type Static, Type } from "typebox";
import { ApprovalsReviewer, AskForApproval, ReasoningEffort, SandboxMode } from "../agent/settings-values.js";
import { maybe, open, record, stringEnum } from "../define.js";
import { CliAuthCredentialsStoreMode, WebSearchMode } from "./config.js";
import { AllowDenyRequirement, BrowserUseOriginPolicy } from "./config-access.js";
import { ManagedHooksRequirements } from "./hooks.js";

export const AutoReviewRequirements = open("AutoReviewRequirements", {
  requiredOnModels: maybe(Type.Array(Type.String())),
  ignoreRules: maybe(Type.Array(Type.String())),
});
export type AutoReviewRequirements = Static<typeof AutoReviewRequirements>;

export const BrowserUseRequirements = open("BrowserUseRequirements", {
  allowHistoryAccess: maybe(Type.Boolean()),
  disableAutoReview: maybe(Type.Boolean()),
  allowGlobalPersistentApproval: maybe(Type.Boolean()),
  defaultOriginPolicy: maybe(BrowserUseOriginPolicy),
  origins: maybe(record(BrowserUseOriginPolicy)),
});
export type BrowserUseRequirements = Static<typeof BrowserUseRequirements>;

export const ComputerUseMacosRequirements = open("ComputerUseMacosRequirements", {
  bundleIds: maybe(record(AllowDenyRequirement)),
});
export type ComputerUseMacosRequirements = Static<typeof ComputerUseMacosRequirements>;

export const ComputerUseWindowsExeRequirement = open("ComputerUseWindowsExeRequirement", {
  publisherName: Type.String(),
  productName: Type.String(),
  binaryName: maybe(Type.String()),
  access: AllowDenyRequirement,
});
export type ComputerUseWindowsExeRequirement = Static<typeof ComputerUseWindowsExeRequirement>;

export const ComputerUseWindowsRequirements = open("ComputerUseWindowsRequirements", {
  aumids: maybe(record(AllowDenyRequirement)),
  exes: maybe(Type.Array(ComputerUseWindowsExeRequirement)),
});
export type ComputerUseWindowsRequirements = Static<typeof ComputerUseWindowsRequirements>;

export const ComputerUseRequirements = open("ComputerUseRequirements", {
  allowLockedComputerUse: maybe(Type.Boolean()),
  allowPersistentApproval: maybe(Type.Boolean()),
  defaultAppAccess: maybe(AllowDenyRequirement),
  macos: maybe(ComputerUseMacosRequirements),
  windows: maybe(ComputerUseWindowsRequirements),
});
export type ComputerUseRequirements = Static<typeof ComputerUseRequirements>;

export const FeedbackRequirements = open("FeedbackRequirements", {
  enabled: maybe(Type.Boolean()),
});
export type FeedbackRequirements = Static<typeof FeedbackRequirements>;

export const InAppBrowserRequirements = open("InAppBrowserRequirements", {
  allowExternalBrowserSettingsImport: maybe(Type.Boolean()),
});
export type InAppBrowserRequirements = Static<typeof InAppBrowserRequirements>;

export const NewThreadModelDefaults = open("NewThreadModelDefaults", {
  model: maybe(Type.String()),
  modelReasoningEffort: maybe(ReasoningEffort),
  serviceTier: maybe(Type.String()),
});
export type NewThreadModelDefaults = Static<typeof NewThreadModelDefaults>;

export const ModelsRequirements = open("ModelsRequirements", {
  newThread: maybe(NewThreadModelDefaults),
});
export type ModelsRequirements = Static<typeof ModelsRequirements>;

export const NetworkDomainPermission = stringEnum("NetworkDomainPermission", ["allow", "deny"]);
export type NetworkDomainPermission = Static<typeof NetworkDomainPermission>;

export const NetworkUnixSocketPermission = stringEnum("NetworkUnixSocketPermission", ["allow", "deny"]);
export type NetworkUnixSocketPermission = Static<typeof NetworkUnixSocketPermission>;

export const NetworkRequirements = open("NetworkRequirements", {
  enabled: maybe(Type.Boolean()),
  httpPort: maybe(Type.Integer({ minimum: 0 })),
  socksPort: maybe(Type.Integer({ minimum: 0 })),
  allowUpstreamProxy: maybe(Type.Boolean()),
  dangerouslyAllowNonLoopbackProxy: maybe(Type.Boolean()),
  dangerouslyAllowAllUnixSockets: maybe(Type.Boolean()),
  domains: maybe(record(NetworkDomainPermission)),
  managedAllowedDomainsOnly: maybe(Type.Boolean()),
  allowedDomains: maybe(Type.Array(Type.String())),
  deniedDomains: maybe(Type.Array(Type.String())),
  unixSockets: maybe(record(NetworkUnixSocketPermission)),
  allowUnixSockets: maybe(Type.Array(Type.String())),
  allowLocalBinding: maybe(Type.Boolean()),
});
export type NetworkRequirements = Static<typeof NetworkRequirements>;

export const ResidencyRequirement = stringEnum("ResidencyRequirement", ["us"]);
export type ResidencyRequirement = Static<typeof ResidencyRequirement>;

export const WindowsSandboxSetupMode = stringEnum("WindowsSandboxSetupMode", ["elevated", "unelevated"]);
export type WindowsSandboxSetupMode = Static<typeof WindowsSandboxSetupMode>;

export const ConfigRequirements = open("ConfigRequirements", {
  cliAuthCredentialsStore: maybe(CliAuthCredentialsStoreMode),
  chatgptBaseUrl: maybe(Type.String()),
  additionalDeveloperInstructions: maybe(Type.String()),
  allowedApprovalPolicies: maybe(Type.Array(AskForApproval)),
  allowedApprovalsReviewers: maybe(Type.Array(ApprovalsReviewer)),
  allowedSandboxModes: maybe(Type.Array(SandboxMode)),
  allowedWindowsSandboxImplementations: maybe(Type.Array(WindowsSandboxSetupMode)),
  allowedPermissionProfiles: maybe(record(Type.Boolean())),
  defaultPermissions: maybe(Type.String()),
  allowedWebSearchModes: maybe(Type.Array(WebSearchMode)),
  allowManagedHooksOnly: maybe(Type.Boolean()),
  allowBrowserAndComputerUse: maybe(Type.Boolean()),
  allowAppshots: maybe(Type.Boolean()),
  allowRemoteControl: maybe(Type.Boolean()),
  computerUse: maybe(ComputerUseRequirements),
  browserUse: maybe(BrowserUseRequirements),
  inAppBrowser: maybe(InAppBrowserRequirements),
  featureRequirements: maybe(record(Type.Boolean())),
  hooks: maybe(ManagedHooksRequirements),
  enforceResidency: maybe(ResidencyRequirement),
  network: maybe(NetworkRequirements),
  autoReview: maybe(AutoReviewRequirements),
  models: maybe(ModelsRequirements),
  sqliteHome: maybe(Type.String()),
  logDir: maybe(Type.String()),
  modelCatalogJson: maybe(Type.String()),
  checkForUpdateOnStartup: maybe(Type.Boolean()),
  allowLoginShell: maybe(Type.Boolean()),
  feedback: maybe(FeedbackRequirements),
  windowsSandboxPrivateDesktop: maybe(Type.Boolean()),
});
export type ConfigRequirements = Static<typeof ConfigRequirements>;

export const ConfigRequirementsReadResponse = open("ConfigRequirementsReadResponse", {
  requirements: maybe(ConfigRequirements),
});
export type ConfigRequirementsReadResponse = Static<typeof ConfigRequirementsReadResponse>;
