/**
 * What the person granted beyond the sandbox: for one turn, and for the rest of the session. Written to no file, so a
 * session that is opened again has to ask anew.
 */
import { addPermissions, NO_PERMISSIONS, type PermissionAnswer, type PermissionGrant } from "@turnkit/tools";

interface TurnGrants {
  readonly turnId: string;
  readonly permissions: PermissionGrant;
  readonly reviewed: boolean;
}

const NO_TURN: TurnGrants = { turnId: "", permissions: NO_PERMISSIONS, reviewed: false };

export class GrantedPermissions {
  #session = NO_PERMISSIONS;
  #turn = NO_TURN;

  add(turnId: string, { permissions, scope, strictAutoReview }: PermissionAnswer): void {
    if (scope === "session") {
      this.#session = addPermissions(this.#session, permissions);
      return;
    }
    const turn = this.#turn.turnId === turnId ? this.#turn : NO_TURN;
    this.#turn = {
      turnId,
      permissions: addPermissions(turn.permissions, permissions),
      reviewed: turn.reviewed || strictAutoReview,
    };
  }

  /** What commands of this turn may do. */
  of(turnId: string): PermissionGrant {
    return this.#turn.turnId === turnId ? addPermissions(this.#session, this.#turn.permissions) : this.#session;
  }

  /** Whether the person wants to look at every command of this turn. */
  reviews(turnId: string): boolean {
    return this.#turn.turnId === turnId && this.#turn.reviewed;
  }
}
