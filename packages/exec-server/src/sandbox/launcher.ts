/**
 * How bubblewrap and the program within it are started. Bubblewrap itself waits outside and would die of an interrupt
 * meant for the program, so it ignores them, and the program gets its defaults back. Owns the words before and after
 * bubblewrap's own, and knows two ways: the launcher, or a shell and `env` where the launcher cannot run.
 */
import { spawnSync } from "node:child_process";
import { basename } from "node:path";
import { heldFile } from "./held-file.js";
import { launcherProgram } from "./launcher-program.js";

export interface InnerProgram {
  readonly file: string;
  readonly name: string;
  readonly args: readonly string[];
}

/** The descriptors that the launcher opens for bubblewrap. */
const FILTER = "250";
const ITSELF = "/proc/self/fd/251";

/** The whole command line; `options` are bubblewrap's. `kernel`: whether the program will see its own `/proc`. */
export function launched(
  bubblewrap: string,
  options: readonly string[],
  filter: string | undefined,
  inner: InnerProgram,
  kernel: boolean,
): readonly string[] {
  const launcher = kernel && filter !== undefined ? launcherFile() : undefined;
  if (launcher === undefined || filter === undefined) return byShell(bubblewrap, options, filter, inner);
  return [
    ...[launcher, "1", filter, launcher],
    ...[bubblewrap, bubblewrap, "--seccomp", FILTER, ...options, "--"],
    ...[ITSELF, "0", inner.file, inner.name, ...inner.args],
  ];
}

function byShell(
  bubblewrap: string,
  options: readonly string[],
  filter: string | undefined,
  { file, name, args }: InnerProgram,
): readonly string[] {
  const script = `trap "" INT QUIT; ${filter === undefined ? "" : `exec 9<${filter}; `}exec "$@"`;
  return [
    ...["/bin/sh", "-c", script, "sh"],
    ...[bubblewrap, ...(filter === undefined ? [] : ["--seccomp", "9"]), ...options, "--"],
    ...["/usr/bin/env", "--default-signal=INT,QUIT", "--"],
    ...(name === file || name === basename(file) ? [name] : ["/bin/bash", "-p", "-c", 'exec -a "$0" "$@"', name, file]),
    ...args,
  ];
}

let opened: string | undefined;
let tried = false;

/** undefined: no launcher runs here, for want of one for this machine or of a temporary folder to run it from. */
function launcherFile(): string | undefined {
  if (tried) return opened;
  tried = true;
  const program = launcherProgram();
  if (program === undefined) return undefined;
  try {
    const path = heldFile(program, 0o500);
    if (spawnSync(path, ["1", path, path, "/bin/true", "true"], { stdio: "ignore" }).status === 0) opened = path;
  } catch {}
  return opened;
}
