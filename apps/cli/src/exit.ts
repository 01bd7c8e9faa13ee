/** Exit codes, and the one error class that carries them. The table is in docs/exit-codes.md. */

export const ExitCode = {
  ok: 0,
  /** The work was started and failed: a failed turn, a model server that does not answer. */
  failed: 1,
  /** The command line is wrong. */
  usage: 2,
  /** A file named on the command line is missing, unreadable or malformed. */
  input: 3,
  /** The configuration cannot be used. */
  config: 4,
  /** Nobody was there to answer a question that has to be answered. */
  unanswered: 5,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

/** As a shell tells that a signal ended a program. */
export function signalExitCode(signal: NodeJS.Signals): number {
  if (signal === "SIGHUP") return ExitCode.hungUp;
  return signal === "SIGTERM" ? ExitCode.terminated : ExitCode.interrupted;
}

/** Shown to the person as one line; never with a stack. */
export class CliError extends Error {
  override readonly name = "CliError";

  constructor(
    message: string,
    readonly exitCode: number = ExitCode.failed,
    /** A second line that says what to do. */
    readonly hint?: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What is wrong with the configuration is told by its own error in this process, and by a server in these words. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CliError) return error.exitCode;
  if (error instanceof Error && (error.name === "ConfigError" || /^failed to load configuration\b/.test(error.message)))
    return ExitCode.config;
  return ExitCode.failed;
}
