/**
 * Confines a process with bubblewrap on Linux: mounts as the policy says, and no network where it is off.
 * Owns the command line; where bubblewrap is missing or may not make namespaces, it says so instead of running.
 */
import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { type SandboxPolicy, UnsupportedSandboxError } from "./policy.js";

const run = promisify(execFile);

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
  try {
    await run(program, ["--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--unshare-net", "--", "/bin/true"]);
  } catch (error) {
    const words = (error as { stderr?: string }).stderr?.trim() || String(error);
    throw new UnsupportedSandboxError(`bubblewrap does not work on this system: ${words}`);
  }
  return program;
}

/**
 * The command that runs `argv` confined. Without a session of its own: the process keeps the terminal and the group it
 * was started in, so that signals reach it.
 */
export function confinedCommand(
  program: string,
  policy: SandboxPolicy,
  argv: readonly string[],
  cwd: string,
  arg0: string | undefined,
): string[] {
  const mounts: string[] = [];
  const wholeSystem = policy.rules.some((rule) => rule.path === "/" && rule.access !== "none");
  for (const { path, access } of policy.rules) {
    if (access === "none") {
      if (existsSync(path)) mounts.push(...(isFolder(path) ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path]));
    } else {
      mounts.push(access === "write" ? "--bind-try" : "--ro-bind-try", path, path);
      // Devices and processes of the host stay out of reach; mounted right above the root they lie over.
      if (path === "/") mounts.push("--dev", "/dev", "--proc", "/proc");
    }
  }
  if (!wholeSystem) mounts.unshift("--dev", "/dev", "--proc", "/proc");
  return [
    program,
    "--die-with-parent",
    ...mounts,
    ...(policy.network ? [] : ["--unshare-net"]),
    "--chdir",
    cwd,
    ...(arg0 === undefined ? [] : ["--argv0", arg0]),
    "--",
    ...argv,
  ];
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
