/** From a process as asked for to the same process confined as its sandbox says. Owns the order of the checks. */
import type { ExecSandbox } from "@turnkit/protocol/exec";
import type { ManagedSpec } from "../process/managed-process.js";
import { SpawnError } from "../process/os-error.js";
import { checkFolder, resolveProgram } from "../process/program-lookup.js";
import { confinedCommand, workingBubblewrap } from "./bubblewrap.js";
import { looksDenied } from "./denial.js";
import { usePlaceholders } from "./placeholders.js";
import { sandboxPolicy } from "./policy.js";

/**
 * Returns the spec itself when the sandbox asks for no confinement.
 * @throws {UnsupportedSandboxError} what is asked for cannot be enforced here  @throws {SpawnError}
 */
export async function confine(spec: ManagedSpec, sandbox: ExecSandbox, env: NodeJS.ProcessEnv): Promise<ManagedSpec> {
  const policy = sandboxPolicy(sandbox, env);
  if (!policy) return spec;
  const bubblewrap = await workingBubblewrap();
  const [program = "", ...args] = spec.argv;
  checkFolder(spec.cwd);
  // A bare name stays one, so that the program sees it as its own name.
  const inner = { file: lookUp(program, spec), name: spec.arg0 ?? program, args };
  const { argv, placeholders } = confinedCommand(bubblewrap, policy, inner, spec.cwd);
  return { ...spec, argv, arg0: undefined, looksDenied, ended: usePlaceholders(placeholders) };
}

function lookUp(program: string, { cwd, env, tty }: ManagedSpec): string {
  try {
    return resolveProgram(program, cwd, env.PATH);
  } catch (error) {
    if (tty || !(error instanceof SpawnError)) throw error;
    throw new SpawnError("No such file or directory (os error 2)");
  }
}
