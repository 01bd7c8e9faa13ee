/**
 * Confines a process with bubblewrap on Linux: mounts as the policy says, and no network where it is off.
 * Owns the command line; where bubblewrap is missing or may not make namespaces, it says so instead of running.
 */
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { runProgram } from "../process/run-program.js";
import { type PathRule, type SandboxPolicy, UnsupportedSandboxError } from "./policy.js";

let probe: Promise<string> | undefined;

/**
 * The path of a bubblewrap that works here; tried out once.
 * @throws {UnsupportedSandboxError} in words for the caller
 */
export function workingBubblewrap(): Promise<string> {
  probe ??= find();
  return probe;
}

async function find(): Promise<string> {
  if (process.platform !== "linux") throw new UnsupportedSandboxError("confining processes needs Linux");
  const program = (process.env.PATH ?? "/usr/bin:/bin")
    .split(delimiter)
    .map((folder) => join(folder, "bwrap"))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
  if (program === undefined) {
    throw new UnsupportedSandboxError("confining processes needs bubblewrap (bwrap), which is not installed");
  }
  const trial = ["--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--unshare-net", "--", "/bin/true"];
  const ended = await runProgram(program, trial).catch((error: unknown) => ({
    succeeded: false,
    stderr: String(error),
  }));
  if (ended.succeeded) return program;
  throw new UnsupportedSandboxError(`bubblewrap does not work on this system: ${ended.stderr.trim()}`);
}

/**
 * The command that runs `argv` confined. Without a session of its own: the process keeps the terminal and the group it
 * was started in. Bubblewrap itself waits outside and would die of an interrupt meant for the process, so it ignores
 * them and `env` gives the process its defaults back.
 */
export function confinedCommand(
  program: string,
  policy: SandboxPolicy,
  argv: readonly string[],
  cwd: string,
  arg0: string | undefined,
): string[] {
  const whole = policy.rules.some((rule) => rule.path === "/" && rule.access !== "none");
  const kernel = ["--dev", "/dev", "--proc", "/proc"];
  const mounts = policy.rules.flatMap((rule) => [...mount(rule), ...(rule.path === "/" ? kernel : [])]);
  return [
    "/bin/sh",
    "-c",
    'trap "" INT QUIT; exec "$@"',
    "sh",
    program,
    "--die-with-parent",
    ...(whole ? [] : kernel),
    ...mounts,
    ...(policy.network ? [] : ["--unshare-net"]),
    "--chdir",
    cwd,
    "--",
    "/usr/bin/env",
    "--default-signal=INT,QUIT",
    "--",
    ...(arg0 === undefined ? argv : ["/bin/bash", "-p", "-c", 'exec -a "$0" "$@"', arg0, ...argv]),
  ];
}

/** Rules come shortest path first, so that a later mount lies over an earlier one. */
function mount({ path, access }: PathRule): string[] {
  if (access === "write") return ["--bind-try", path, path];
  if (access === "read") return ["--ro-bind-try", path, path];
  if (!existsSync(path)) return [];
  return isFolder(path) ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path];
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
