/** Error codes of the protocol family. */
export const RpcErrorCode = {
  /** Not a request, or one the server refuses; also every business refusal. */
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** The server has no room; try again later. */
  overloaded: -32001,
  /** exec-server: no such file or directory. */
  notFound: -32004,
  /** exec-server: the session is attached to another connection. */
  sessionAlreadyAttached: -32010,
} as const;
export type RpcErrorCode = (typeof RpcErrorCode)[keyof typeof RpcErrorCode];
