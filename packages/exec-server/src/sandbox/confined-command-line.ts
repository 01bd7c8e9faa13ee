/** For programs that start a confined process by themselves: the command line, and what to do when it has ended. */
import type { ExecSandbox } from "@turnkit/protocol/exec";
import { assertValid } from "@turnkit/protocol/validate";
import { confine } from "./confine.js";

export interface ConfinedCommandLine {
  readonly argv: readonly string[];
  /** To be called once the process has ended. */
  readonly ended: () => void;
}

/**
 * null: nothing is confined, and `argv` stays as it is.
 * @throws {UnsupportedSandboxError} the sandbox cannot be enforced here  @throws {SpawnError} there is no such program
 */
export async function confinedCommandLine(
  argv: readonly string[],
  sandbox: ExecSandbox | null,
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<ConfinedCommandLine> {
  const spec = { argv, tty: false, arg0: undefined, pipeStdin: true, looksDenied: undefined, ended: undefined };
  const checked = sandbox === null ? null : assertValid("ExecSandbox", sandbox, "sandbox");
  const { argv: confined, ended } =
    checked === null ? spec : await confine({ ...spec, ...options }, checked, options.env);
  return { argv: confined, ended: ended ?? (() => {}) };
}
