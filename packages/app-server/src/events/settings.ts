/** Thread settings and token usage as clients see them. Pure. */
import type { RateLimitSnapshot, SandboxPolicy, ThreadSettings, TokenUsage, TokenUsageInfo } from "@turnkit/protocol";
import type {
  ActivePermissionProfile,
  AppSandboxPolicy,
  AppThreadSettings,
  ThreadTokenUsage,
  TokenUsageBreakdown,
} from "@turnkit/protocol/app";
import { camelKeys } from "./casing.js";

function toBreakdown(usage: TokenUsage): TokenUsageBreakdown {
  return {
    totalTokens: usage.total_tokens,
    inputTokens: usage.input_tokens,
    cachedInputTokens: usage.cached_input_tokens,
    cacheWriteInputTokens: usage.cache_write_input_tokens ?? 0,
    outputTokens: usage.output_tokens,
    reasoningOutputTokens: usage.reasoning_output_tokens,
  };
}

export function toTokenUsage(info: TokenUsageInfo): ThreadTokenUsage {
  return {
    total: toBreakdown(info.total_token_usage),
    last: toBreakdown(info.last_token_usage),
    modelContextWindow: info.model_context_window ?? null,
  };
}

export function toClientSandbox(policy: SandboxPolicy): AppSandboxPolicy {
  switch (policy.type) {
    case "danger-full-access":
      return { type: "dangerFullAccess" };
    case "read-only":
      return { type: "readOnly", networkAccess: policy.network_access ?? false };
    case "external-sandbox":
      return { type: "externalSandbox", networkAccess: policy.network_access === "enabled" ? "enabled" : "restricted" };
    case "workspace-write":
      return {
        type: "workspaceWrite",
        writableRoots: [...(policy.writable_roots ?? [])],
        networkAccess: policy.network_access ?? false,
        excludeTmpdirEnvVar: policy.exclude_tmpdir_env_var ?? false,
        excludeSlashTmp: policy.exclude_slash_tmp ?? false,
      };
  }
}

export function toCoreSandbox(policy: AppSandboxPolicy): SandboxPolicy {
  switch (policy.type) {
    case "dangerFullAccess":
      return { type: "danger-full-access" };
    case "readOnly":
      return { type: "read-only", network_access: policy.networkAccess ?? false };
    case "externalSandbox":
      return { type: "external-sandbox", network_access: policy.networkAccess ?? "restricted" };
    case "workspaceWrite":
      return {
        type: "workspace-write",
        writable_roots: [...(policy.writableRoots ?? [])],
        network_access: policy.networkAccess ?? false,
        exclude_tmpdir_env_var: policy.excludeTmpdirEnvVar ?? false,
        exclude_slash_tmp: policy.excludeSlashTmp ?? false,
      };
  }
}

/** The profile that was chosen by its id; null: the sandbox was given in another way. */
export function activeProfile({ active_permission_profile: profile }: ThreadSettings): ActivePermissionProfile | null {
  const { id } = (profile ?? {}) as { readonly id?: unknown };
  return typeof id === "string" ? { id, extends: null } : null;
}

export function toThreadSettings(settings: ThreadSettings): AppThreadSettings {
  return {
    cwd: settings.cwd,
    approvalPolicy: settings.approval_policy,
    approvalsReviewer: settings.approvals_reviewer ?? "user",
    sandboxPolicy: toClientSandbox(settings.sandbox_policy),
    activePermissionProfile: activeProfile(settings),
    model: settings.model,
    modelProvider: settings.model_provider_id,
    serviceTier: settings.service_tier ?? null,
    effort: settings.reasoning_effort ?? null,
    summary: settings.reasoning_summary ?? null,
    collaborationMode: settings.collaboration_mode,
    multiAgentMode: "explicitRequestOnly",
    personality: settings.personality ?? null,
  };
}

/** Every member present: clients tell "unknown" from "not sent" by null. */
export function toRateLimits(limits: RateLimitSnapshot): Record<string, unknown> {
  const window = (value: RateLimitSnapshot["primary"]) =>
    value == null
      ? null
      : {
          usedPercent: Math.round(value.used_percent),
          windowDurationMins: value.window_minutes ?? null,
          resetsAt: value.resets_at ?? null,
        };
  return {
    limitId: limits.limit_id ?? null,
    limitName: limits.limit_name ?? null,
    primary: window(limits.primary),
    secondary: window(limits.secondary),
    credits: camelKeys(limits.credits ?? null),
    individualLimit: camelKeys(limits.individual_limit ?? null),
    spendControlReached: limits.spend_control_reached ?? null,
    planType: limits.plan_type ?? null,
    rateLimitReachedType: limits.rate_limit_reached_type ?? null,
  };
}
