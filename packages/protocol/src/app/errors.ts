/** Errors of a turn as a client sees them. */
import { type Static, Type } from "typebox";
import { NonSteerableTurnKind } from "../agent/settings-values.js";
import { anyOf, literals, maybe, named, open, shape, wrapped } from "../define.js";

export const AppCodexErrorInfo = named(
  "AppCodexErrorInfo",
  anyOf([
    literals([
      "contextWindowExceeded",
      "sessionBudgetExceeded",
      "usageLimitExceeded",
      "serverOverloaded",
      "cyberPolicy",
      "misalignmentPolicyViolation",
      "internalServerError",
      "unauthorized",
      "badRequest",
      "threadRollbackFailed",
      "sandboxError",
      "other",
    ]),
    wrapped(
      "httpConnectionFailed",
      shape({
        httpStatusCode: maybe(Type.Integer({ minimum: 0 })),
      }),
    ),
    wrapped(
      "responseStreamConnectionFailed",
      shape({
        httpStatusCode: maybe(Type.Integer({ minimum: 0 })),
      }),
    ),
    wrapped(
      "responseStreamDisconnected",
      shape({
        httpStatusCode: maybe(Type.Integer({ minimum: 0 })),
      }),
    ),
    wrapped(
      "responseTooManyFailedAttempts",
      shape({
        httpStatusCode: maybe(Type.Integer({ minimum: 0 })),
      }),
    ),
    wrapped(
      "activeTurnNotSteerable",
      shape({
        turnKind: NonSteerableTurnKind,
      }),
    ),
  ]),
);
export type AppCodexErrorInfo = Static<typeof AppCodexErrorInfo>;

export const TurnError = open("TurnError", {
  message: Type.String(),
  codexErrorInfo: maybe(AppCodexErrorInfo),
  additionalDetails: maybe(Type.String()),
});
export type TurnError = Static<typeof TurnError>;

export const ErrorNotification = open("ErrorNotification", {
  error: TurnError,
  willRetry: Type.Boolean(),
  threadId: Type.String(),
  turnId: Type.String(),
});
export type ErrorNotification = Static<typeof ErrorNotification>;
