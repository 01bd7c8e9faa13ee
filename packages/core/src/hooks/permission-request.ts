/** What hooks are asked before a person is asked for permission, and what they may decide. Types only. */

export interface PermissionRequest {
  readonly toolName: string;
  readonly toolInput: unknown;
  readonly turnId: string;
}

export interface PermissionOutcome {
  /** undefined: the person decides. */
  readonly decision: "allow" | "deny" | undefined;
  readonly message: string | undefined;
}
