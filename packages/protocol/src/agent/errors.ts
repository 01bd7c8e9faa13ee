/** Why a turn or a request of the model failed, as far as a client can act on it. */
import { type Static, Type } from "typebox";
import { anyOf, literals, maybe, named, open, shape, wrapped } from "../define.js";
import { NonSteerableTurnKind } from "./settings-values.js";

const http = shape({ http_status_code: maybe(Type.Integer({ minimum: 0 })) });

export const CodexErrorInfo = named(
  "CodexErrorInfo",
  anyOf([
    literals([
      "context_window_exceeded",
      "session_budget_exceeded",
      "usage_limit_exceeded",
      "server_overloaded",
      "cyber_policy",
      "misalignment_policy_violation",
      "internal_server_error",
      "unauthorized",
      "bad_request",
      "sandbox_error",
      "thread_rollback_failed",
      "other",
    ]),
    wrapped("http_connection_failed", http),
    wrapped("response_stream_connection_failed", http),
    wrapped("response_stream_disconnected", http),
    wrapped("response_too_many_failed_attempts", http),
    wrapped("active_turn_not_steerable", shape({ turn_kind: NonSteerableTurnKind })),
  ]),
);
export type CodexErrorInfo = Static<typeof CodexErrorInfo>;

export const ErrorEvent = open("ErrorEvent", {
  message: Type.String(),
  codex_error_info: maybe(CodexErrorInfo),
});
export type ErrorEvent = Static<typeof ErrorEvent>;
