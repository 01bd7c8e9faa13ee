/** Settings in params → changes of the core's thread settings. Pure. */

import type { ThreadSettingsOverrides } from "@turnkit/protocol";
import { RpcErrorCode } from "@turnkit/protocol";
import type { AppParams } from "@turnkit/protocol/app";
import { RpcError } from "@turnkit/rpc";
import { toCoreSandbox } from "../events/settings.js";

type Params = AppParams<"turn/start"> | AppParams<"thread/settings/update">;

/** undefined: nothing is to change. @throws {RpcError} members that exclude each other */
export function toOverrides(params: Params): ThreadSettingsOverrides | undefined {
  if (params.permissions != null && params.sandboxPolicy != null) {
    throw new RpcError(RpcErrorCode.invalidRequest, "`permissions` cannot be combined with `sandboxPolicy`");
  }
  const overrides: ThreadSettingsOverrides = {
    ...(params.cwd != null && { cwd: params.cwd }),
    ...("runtimeWorkspaceRoots" in params &&
      params.runtimeWorkspaceRoots != null && { workspace_roots: [...params.runtimeWorkspaceRoots] }),
    ...(params.approvalPolicy != null && { approval_policy: params.approvalPolicy }),
    ...(params.approvalsReviewer != null && { approvals_reviewer: params.approvalsReviewer }),
    ...(params.sandboxPolicy != null && { sandbox_policy: toCoreSandbox(params.sandboxPolicy) }),
    ...(params.permissions != null && { permissions: params.permissions }),
    ...(params.model != null && { model: params.model }),
    ...(params.effort != null && { effort: params.effort }),
    ...(params.summary != null && { summary: params.summary }),
    ...(params.serviceTier !== undefined && { service_tier: params.serviceTier }),
    ...(params.personality != null && { personality: params.personality }),
    ...(params.collaborationMode != null && { collaboration_mode: params.collaborationMode }),
  };
  return Object.keys(overrides).length === 0 ? undefined : overrides;
}
