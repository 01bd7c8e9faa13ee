/** `turnkit sandbox COMMAND…`: runs a command under the policy that commands of the model get; its exit code is ours. */
import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { constants } from "node:os";
import { resolve } from "node:path";
import type { SandboxPolicy } from "@turnkit/protocol";
import { allValues, type CommandRun, lastValue, type ParsedArguments } from "../arguments/command-spec.js";
import { configOverrides } from "../arguments/thread-options.js";
import { homeFolder } from "../client/model-configured.js";
import { CliError, ExitCode } from "../exit.js";
import { configModule, inConfigTerms } from "./config/config-file.js";

export const run: CommandRun = async (parsed) => {
  const cwd = folderOf(parsed);
  const { execSandbox } = await import("@turnkit/core");
  const sandbox = execSandbox(await policyOf(parsed), cwd);
  const { argv, ended } = await confined(parsed.positionals, sandbox, cwd);
  try {
    return await exitOf(argv, cwd);
  } finally {
    ended();
  }
};

function folderOf(parsed: ParsedArguments): string {
  const folder = resolve(lastValue(parsed, "cd") ?? ".");
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new CliError(`${folder} is not a folder`, ExitCode.input);
}

/** What config.toml says, changed by the command line. @throws {CliError} */
async function policyOf(parsed: ParsedArguments): Promise<SandboxPolicy> {
  const { loadConfig, parseOverrides } = await configModule();
  const mode = lastValue(parsed, "sandbox");
  const overrides = [
    ...configOverrides(parsed),
    ...(mode === undefined ? [] : [`sandbox_mode=${JSON.stringify(mode)}`]),
  ];
  const config = await inConfigTerms(
    (async () => loadConfig({ home: homeFolder(), overrides: parseOverrides(overrides) }))(),
  );
  const policy = config.sandboxPolicy;
  const added = allValues(parsed, "add-dir").map((entry) => resolve(entry));
  if (policy.type !== "workspace-write") return policy;
  return { ...policy, writable_roots: [...(policy.writable_roots ?? []), ...added] };
}

type Sandbox = Parameters<typeof import("@turnkit/exec-server/local-host")["confinedCommandLine"]>[1];

/** @throws {CliError} never runs unprotected what is to be protected */
async function confined(argv: readonly string[], sandbox: Sandbox, cwd: string) {
  const { confinedCommandLine, SpawnError, UnsupportedSandboxError } = await import("@turnkit/exec-server/local-host");
  const env = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  try {
    return await confinedCommandLine(argv, sandbox, { cwd, env });
  } catch (error) {
    if (error instanceof UnsupportedSandboxError)
      throw new CliError(
        `there is no sandbox here: ${error.message}`,
        ExitCode.failed,
        "`-s danger-full-access` runs the command without one.",
      );
    if (error instanceof SpawnError) throw new CliError(`cannot run ${argv[0]}: ${error.message}`, ExitCode.input);
    throw error;
  }
}

/** The terminal's own signals reach the command by themselves; one sent to this process alone is passed on. */
function exitOf([program = "", ...args]: readonly string[], cwd: string): Promise<number> {
  const child = spawn(program, args, { cwd, stdio: "inherit" });
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  const ignore = (): void => {};
  process.on("SIGINT", ignore).on("SIGQUIT", ignore).on("SIGTERM", pass).on("SIGHUP", pass);
  return new Promise((resolve, reject) => {
    child.once("error", () => reject(new CliError(`cannot run ${program}: no such program`, ExitCode.input)));
    child.once("exit", (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? "SIGKILL"]));
  });
}
