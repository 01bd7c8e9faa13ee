/**
 * Confines a process with bubblewrap on Linux: mounts as the policy says, and no network where it is off.
 * Owns the command line; where bubblewrap is missing or may not make namespaces, it says so instead of running.
 */
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { runProgram } from "../process/run-program.js";
import { filterFile } from "./filter-file.js";
import { type InnerProgram, launched } from "./launcher.js";
import { isPlaceholder } from "./placeholders.js";
import { accessTo, type PathRule, type SandboxPolicy, UnsupportedSandboxError } from "./policy.js";

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
  const policy: SandboxPolicy = { rules: [{ path: "/", access: "read" }], network: false };
  const [launcher = "", ...trial] = confinedCommand(
    program,
    policy,
    { file: "/bin/true", name: "true", args: [] },
    "/",
  ).argv;
  const ended = await runProgram(launcher, trial).catch((error: unknown) => ({
    succeeded: false,
    stderr: String(error),
  }));
  if (ended.succeeded) return program;
  throw new UnsupportedSandboxError(`bubblewrap does not work on this system: ${ended.stderr.trim()}`);
}

/**
 * Who owns these may write them without any capability, and inside a user namespace root still is root. Bubblewrap
 * itself covers some more of the kind; each mount costs time.
 */
const KERNEL_SETTINGS = ["sys", "fs", "acpi", "scsi"]
  .map((name) => `/proc/${name}`)
  .flatMap((path) => ["--ro-bind-try", path, path]);

export interface ConfinedCommand {
  readonly argv: readonly string[];
  /** Protected folders that do not exist and are made for the time being; see `placeholders.ts`. */
  readonly placeholders: readonly string[];
}

/**
 * Not even root keeps a capability or sees a process outside. System V memory and message queues are its own, too.
 * Without privileges for a user namespace the rest has to do, and the trial decides.
 */
const ISOLATED = ["--die-with-parent", "--unshare-user-try", "--unshare-pid", "--unshare-ipc", "--cap-drop", "ALL"];

/**
 * The command that runs a program confined. Without a session of its own: the process keeps the terminal and the group
 * it was started in.
 */
export function confinedCommand(
  bubblewrap: string,
  policy: SandboxPolicy,
  inner: InnerProgram,
  cwd: string,
): ConfinedCommand {
  const whole = policy.rules.some((rule) => rule.path === "/" && rule.access !== "none");
  const kernel = ["--dev", "/dev", "--proc", "/proc", ...KERNEL_SETTINGS];
  const placeholders = policy.rules.filter((rule) => needsPlaceholder(policy, rule)).map(({ path }) => path);
  const mounts = policy.rules.flatMap((rule) => [
    ...(placeholders.includes(rule.path) ? emptyFolder(rule.path) : mount(rule)),
    ...(rule.path === "/" ? kernel : []),
  ]);
  const options = [
    ...ISOLATED,
    ...(whole ? [] : kernel),
    ...mounts,
    ...(policy.network ? [] : ["--unshare-net"]),
    ...["--chdir", cwd],
  ];
  const ownKernel = !policy.rules.some(({ path }) => path === "/proc" || path.startsWith("/proc/"));
  return { argv: launched(bubblewrap, options, filterFile(policy.network), inner, ownKernel), placeholders };
}

/** A folder that is to stay as it is must not be made either. */
function needsPlaceholder(policy: SandboxPolicy, { path, access }: PathRule): boolean {
  if (access !== "read" || (existsSync(path) && !isPlaceholder(path))) return false;
  return accessTo(policy, dirname(path)) === "write" && isFolder(dirname(path));
}

function emptyFolder(path: string): string[] {
  return ["--perms", "0555", "--tmpfs", path, "--remount-ro", path];
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
