/**
 * Puts a request for permissions in front of the person, where the approval policy lets anybody be asked, and keeps
 * what was granted. Nothing is granted that was not asked for.
 */
import type { AskForApproval } from "@turnkit/protocol";
import {
  NO_PERMISSIONS,
  type PermissionAnswer,
  type PermissionAsker,
  type PermissionRequest,
  type ToolTurn,
  withinRequest,
  writePermissions,
} from "@turnkit/tools";
import type { Runtime } from "../session/runtime.js";
import type { GrantedPermissions } from "./granted-permissions.js";

const NOTHING: PermissionAnswer = { permissions: NO_PERMISSIONS, scope: "turn", strictAutoReview: false };

function mayAsk(policy: AskForApproval): boolean {
  return typeof policy === "string" ? policy !== "never" : policy.granular.request_permissions === true;
}

export interface PermissionAskerOptions {
  readonly runtime: () => Runtime;
  readonly granted: GrantedPermissions;
}

export class SessionPermissionAsker implements PermissionAsker {
  constructor(private readonly options: PermissionAskerOptions) {}

  async ask(turn: ToolTurn, request: PermissionRequest): Promise<PermissionAnswer | undefined> {
    const runtime = this.options.runtime();
    if (!mayAsk(runtime.settings.approval_policy)) return NOTHING;
    const release = runtime.parts.elicitations.hold();
    try {
      const pending = runtime.parts.permissionRequests.register(request.callId, turn.id);
      runtime.emit(turn.id, {
        type: "request_permissions",
        call_id: request.callId,
        turn_id: turn.id,
        started_at_ms: runtime.parts.clock.epochMs(),
        environment_id: "local",
        reason: request.reason ?? null,
        permissions: writePermissions(request.permissions),
        cwd: turn.cwd,
      });
      const answer = await pending;
      if (answer === undefined) return undefined;
      const granted = grantedBy(answer, request);
      this.options.granted.add(turn.id, granted);
      return granted;
    } finally {
      release();
    }
  }
}

/** A turn can be reviewed, a session cannot: such an answer grants nothing. */
function grantedBy(answer: PermissionAnswer, request: PermissionRequest): PermissionAnswer {
  if (answer.strictAutoReview && answer.scope === "session") return NOTHING;
  return { ...answer, permissions: withinRequest(answer.permissions, request.permissions) };
}
