/** What can go wrong between two peers. Each class answers one question of the caller; messages are never parsed. */

/** An error reply, ours or the other side's: the caller decides by `code`. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** The connection ended before the reply: whether the other side acted is unknown. */
export class ConnectionClosedError extends Error {
  override readonly name = "ConnectionClosedError";
}

/** The reply came but is not of the method's result type. `path` names the place. */
export class InvalidResultError extends Error {
  override readonly name = "InvalidResultError";
  readonly method: string;
  readonly path: string;

  constructor(method: string, path: string, rule: string) {
    super(`${method}: invalid result: ${path} ${rule}`);
    this.method = method;
    this.path = path;
  }
}
