/** The JSON-RPC dialect all protocols here share: no `jsonrpc` member is sent, and one that arrives is ignored. */
import { type Static, Type } from "typebox";
import { anyOf, maybe, named, open } from "../define.js";
import { RequestId } from "./request-id.js";

/** Context of a distributed trace, as W3C Trace Context spells it. */
export const W3cTraceContext = open("W3cTraceContext", {
  traceparent: maybe(Type.String()),
  tracestate: maybe(Type.String()),
});
export type W3cTraceContext = Static<typeof W3cTraceContext>;

export const RpcRequest = open("RpcRequest", {
  id: RequestId,
  method: Type.String(),
  params: Type.Optional(Type.Unknown()),
  trace: maybe(W3cTraceContext),
});
export type RpcRequest = Static<typeof RpcRequest>;

export const RpcNotification = open("RpcNotification", {
  method: Type.String(),
  params: Type.Optional(Type.Unknown()),
});
export type RpcNotification = Static<typeof RpcNotification>;

export const RpcResponse = open("RpcResponse", { id: RequestId, result: Type.Unknown() });
export type RpcResponse = Static<typeof RpcResponse>;

export const RpcErrorObject = open("RpcErrorObject", {
  code: Type.Integer(),
  message: Type.String(),
  data: Type.Optional(Type.Unknown()),
});
export type RpcErrorObject = Static<typeof RpcErrorObject>;

export const RpcErrorResponse = open("RpcErrorResponse", { id: RequestId, error: RpcErrorObject });
export type RpcErrorResponse = Static<typeof RpcErrorResponse>;

export const RpcMessage = named("RpcMessage", anyOf([RpcRequest, RpcErrorResponse, RpcResponse, RpcNotification]));
export type RpcMessage = Static<typeof RpcMessage>;
