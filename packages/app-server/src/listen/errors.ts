/** Why a server does not start. Each is one line for a person. */

/** A mistake on the command line. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The command line is understood, but a server must not be started like this. */
export class StartRefusedError extends Error {
  override readonly name = "StartRefusedError";
}
