/** Refusals of a session. */

/** The request cannot be taken as it is; nothing was changed. */
export class InvalidRequestError extends Error {
  override readonly name = "InvalidRequestError";
}

/** The session has been shut down. */
export class SessionClosedError extends Error {
  override readonly name = "SessionClosedError";
  constructor() {
    super("the session has been shut down");
  }
}
