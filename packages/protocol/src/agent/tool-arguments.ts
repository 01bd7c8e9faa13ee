/**
 * The arguments of the built-in tools as a model sends them; those of `request_user_input` and `update_plan` stand with
 * their events. Unknown members are ignored. A member with a default may be left out; only where null is named does
 * null mean the same.
 */
import { type Static, Type } from "typebox";
import { literals, maybe, open } from "../define.js";
import { ToolPermissions } from "./tool-permissions.js";

const unsigned = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

export const ExecCommandArgs = open("ExecCommandArgs", {
  cmd: Type.String(),
  workdir: maybe(Type.String()),
  tty: Type.Optional(Type.Boolean()),
  yield_time_ms: Type.Optional(unsigned),
  max_output_tokens: maybe(unsigned),
  shell: maybe(Type.String()),
  login: maybe(Type.Boolean()),
  sandbox_permissions: Type.Optional(literals(["use_default", "with_additional_permissions", "require_escalated"])),
  justification: maybe(Type.String()),
  prefix_rule: maybe(Type.Array(Type.String())),
  additional_permissions: maybe(ToolPermissions),
});
export type ExecCommandArgs = Static<typeof ExecCommandArgs>;

export const WriteStdinArgs = open("WriteStdinArgs", {
  session_id: Type.Integer({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }),
  chars: Type.Optional(Type.String()),
  yield_time_ms: Type.Optional(unsigned),
  max_output_tokens: maybe(unsigned),
});
export type WriteStdinArgs = Static<typeof WriteStdinArgs>;

export const RequestPermissionsArgs = open("RequestPermissionsArgs", {
  permissions: ToolPermissions,
  environment_id: maybe(Type.String()),
  reason: maybe(Type.String()),
});
export type RequestPermissionsArgs = Static<typeof RequestPermissionsArgs>;

/** `detail` takes any text here: the tool refuses one it does not know in words of its own. */
export const ViewImageArgs = open("ViewImageArgs", {
  path: Type.String(),
  detail: maybe(Type.String()),
});
export type ViewImageArgs = Static<typeof ViewImageArgs>;
