/**
 * What can go wrong with a command. `message` is the plain text that write_stdin shows; `debug` is the form that
 * exec_command shows, as the reference prints it.
 */

export abstract class UnifiedExecError extends Error {
  abstract readonly debug: string;
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t")}"`;
}

/** The command could not be started, or was not allowed to. */
export class CreateProcessError extends UnifiedExecError {
  override readonly name = "CreateProcessError";
  readonly debug: string;
  constructor(reason: string) {
    super(`Failed to create unified exec process: ${reason}`);
    this.debug = `CreateProcess { message: ${quoted(`Rejected(${quoted(reason)})`)} }`;
  }
}

export class UnknownProcess extends UnifiedExecError {
  override readonly name = "UnknownProcess";
  readonly debug: string;
  constructor(id: number) {
    super(`Unknown process id ${id}`);
    this.debug = `UnknownProcessId { process_id: ${id} }`;
  }
}

export class StdinClosed extends UnifiedExecError {
  override readonly name = "StdinClosed";
  readonly debug = "StdinClosed";
  constructor() {
    super("stdin is closed for this session; rerun exec_command with tty=true to keep stdin open");
  }
}

export class WriteFailed extends UnifiedExecError {
  override readonly name = "WriteFailed";
  readonly debug = "WriteToStdin";
  constructor() {
    super("failed to write to stdin");
  }
}

/** The host lost the process, or the way to it. */
export class ProcessLost extends UnifiedExecError {
  override readonly name = "ProcessLost";
  readonly debug: string;
  constructor(readonly reason: string) {
    super(`Unified exec process failed: ${reason}`);
    this.debug = `ProcessFailed { message: ${quoted(reason)} }`;
  }
}

/** Access to the network was denied while the command ran. */
export class NetworkDenied extends UnifiedExecError {
  override readonly name = "NetworkDenied";
  readonly debug: string;
  constructor(message: string) {
    super(message);
    this.debug = `CreateProcess { message: ${quoted(`Rejected(${quoted(message)})`)} }`;
  }
}
