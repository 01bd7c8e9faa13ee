/** HTTP requests made from the exec-server's machine: `http/request`. */
import { type Static, Type } from "typebox";
import { literals, maybe, open, shape } from "../define.js";

export const HttpRequestParams = open("HttpRequestParams", {
  method: Type.String(),
  url: Type.String(),
  headers: Type.Optional(
    Type.Array(
      shape({
        name: Type.String(),
        /** Goes before the variable's value where `valueEnvVar` is given. */
        value: Type.String(),
        valueEnvVar: maybe(Type.String()),
      }),
    ),
  ),
  bodyBase64: maybe(Type.String()),
  timeoutMs: maybe(Type.Integer({ minimum: 0 })),
  redirectPolicy: Type.Optional(literals(["follow", "stop"])),
  requestId: Type.String(),
  streamResponse: Type.Optional(Type.Boolean()),
});
export type HttpRequestParams = Static<typeof HttpRequestParams>;

export const HttpRequestResponse = open("HttpRequestResponse", {
  status: Type.Integer(),
  headers: Type.Array(shape({ name: Type.String(), value: Type.String() })),
  /** Empty when the body is streamed. */
  bodyBase64: Type.String(),
});
export type HttpRequestResponse = Static<typeof HttpRequestResponse>;

export const HttpBodyDeltaNotification = open("HttpBodyDeltaNotification", {
  requestId: Type.String(),
  /** From 1. The last delta is empty and says `done`. */
  seq: Type.Integer({ minimum: 1 }),
  deltaBase64: Type.String(),
  done: Type.Boolean(),
  error: maybe(Type.String()),
});
export type HttpBodyDeltaNotification = Static<typeof HttpBodyDeltaNotification>;
