/**
 * Decides whether a patch may be applied: inside the folders that may be written it may, elsewhere the person is
 * asked where the policy allows asking.
 */
import path from "node:path";
import type { SandboxPolicy } from "@turnkit/protocol";
import type { PatchAuthorization, PatchAuthorizationRequest, PatchAuthorizer, PatchDecision } from "@turnkit/tools";
import type { Runtime } from "../session/runtime.js";

export interface PatchAuthorizerOptions {
  readonly runtime: () => Runtime;
  readonly abortTurn: (turnId: string) => void;
  /** Folders for temporary files. */
  readonly temporaryFolders: readonly string[];
}

export class SessionPatchAuthorizer implements PatchAuthorizer {
  readonly #approvedPaths = new Set<string>();

  constructor(private readonly options: PatchAuthorizerOptions) {}

  async assess(request: PatchAuthorizationRequest): Promise<PatchAuthorization> {
    const { approval_policy: policy, sandbox_policy: sandbox } = this.options.runtime().settings;
    const outside = request.paths.filter((file) => !this.#mayWrite(sandbox, request.turn.cwd, file));
    if (policy === "untrusted" && !request.paths.every((file) => this.#approvedPaths.has(file))) return { type: "ask" };
    if (outside.length === 0) return { type: "run" };
    if (policy === "never")
      return {
        type: "refused",
        message: "patch rejected: writing outside of the project; rejected by user approval settings",
      };
    return { type: "ask" };
  }

  #mayWrite(sandbox: SandboxPolicy, cwd: string, file: string): boolean {
    if (sandbox.type === "danger-full-access" || sandbox.type === "external-sandbox") return true;
    if (this.#approvedPaths.has(file)) return true;
    if (sandbox.type === "read-only") return false;
    const roots = [cwd, ...(sandbox.writable_roots ?? [])];
    if (sandbox.exclude_slash_tmp !== true || sandbox.exclude_tmpdir_env_var !== true)
      roots.push(...this.options.temporaryFolders);
    return roots.some((root) => isInside(root, file));
  }

  async ask(request: PatchAuthorizationRequest): Promise<PatchDecision> {
    const runtime = this.options.runtime();
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

function isInside(root: string, file: string): boolean {
  const relative = path.relative(root, file);
  return relative === "" || (!relative.startsWith("..") && !path.isAbsolute(relative));
}
