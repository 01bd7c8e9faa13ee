/**
 * Decides whether a patch may be applied: inside the folders that may be written it may, elsewhere the person is
 * asked where the policy allows asking.
 */
import {
  APPLY_PATCH,
  type PatchAuthorization,
  type PatchAuthorizationRequest,
  type PatchAuthorizer,
  type PatchDecision,
  type ToolTurn,
} from "@turnkit/tools";
import type { Runtime } from "../session/runtime.js";
import type { GrantedPermissions } from "./granted-permissions.js";
import { mayWrite } from "./writable-folders.js";

export interface PatchAuthorizerOptions {
  readonly runtime: () => Runtime;
  readonly abortTurn: (turnId: string) => void;
  /** Folders for temporary files. */
  readonly temporaryFolders: readonly string[];
  readonly granted: GrantedPermissions;
}

export class SessionPatchAuthorizer implements PatchAuthorizer {
  readonly #approvedPaths = new Set<string>();

  constructor(private readonly options: PatchAuthorizerOptions) {}

  async assess(request: PatchAuthorizationRequest): Promise<PatchAuthorization> {
    const { approval_policy: policy } = this.options.runtime().settings;
    const allowed = await Promise.all(request.paths.map((file) => this.#mayWrite(file, request.turn)));
    if (policy === "untrusted" && !request.paths.every((file) => this.#approvedPaths.has(file))) return { type: "ask" };
    if (allowed.every(Boolean)) return { type: "run" };
    if (policy === "never")
      return {
        type: "refused",
        message: "patch rejected: writing outside of the project; rejected by user approval settings",
      };
    return { type: "ask" };
  }

  async #mayWrite(file: string, { id, cwd }: ToolTurn): Promise<boolean> {
    if (this.#approvedPaths.has(file)) return true;
    const { sandbox_policy: policy } = this.options.runtime().settings;
    const { temporaryFolders, granted } = this.options;
    return await mayWrite(file, { policy, cwd, temporaryFolders, granted: granted.of(id).write });
  }

  async ask(request: PatchAuthorizationRequest): Promise<PatchDecision> {
    const runtime = this.options.runtime();
    const byHook = await runtime.parts.hooks?.permissionRequest?.(
      { toolName: APPLY_PATCH, toolInput: { changes: request.changes }, turnId: request.turn.id },
      request.signal,
    );
    if (byHook?.decision === "allow") return { type: "approved" };
    if (byHook?.decision === "deny") return { type: "declined", reason: byHook.message ?? "patch rejected by user" };
    const release = runtime.parts.elicitations.hold();
    try {
      const pending = runtime.parts.approvals.register(request.callId, request.turn.id);
      runtime.emit(request.turn.id, {
        type: "apply_patch_approval_request",
        call_id: request.callId,
        turn_id: request.turn.id,
        started_at_ms: runtime.parts.clock.epochMs(),
        changes: request.changes,
        reason: null,
        grant_root: null,
      });
      const decision = await pending;
      if (decision === "approved") return { type: "approved" };
      if (decision === "approved_for_session") {
        for (const file of request.paths) this.#approvedPaths.add(file);
        return { type: "approved" };
      }
      if (decision === "abort") this.options.abortTurn(request.turn.id);
      const reason = typeof decision === "object" && "denied" in decision ? decision.denied.rejection : "";
      return { type: "declined", reason: reason || "patch rejected by user" };
    } finally {
      release();
    }
  }
}
