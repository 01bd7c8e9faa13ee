/**
 * Finds the program a terminal process will run, so that a missing one is an error of the start and not a line of
 * text in its output. Owns the lookup rules of execvp and the wording of the failures; starts nothing.
 */
import { accessSync, closeSync, constants, openSync, readdirSync, readSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { errnoText, osError, osErrorText, SpawnError } from "./os-error.js";

/** @returns the absolute path of the program  @throws {SpawnError} */
export function resolveProgram(program: string, cwd: string, path: string | undefined): string {
  if (program === "") throw new SpawnError("missing program for PTY spawn");
  if (program.includes("/")) {
    const absolute = isAbsolute(program);
    const candidate = absolute ? program : `${cwd}/${program}`;
    const problem = whyNotRunnable(candidate);
    if (problem === undefined) return candidate;
    if (problem === "EISDIR") throw new SpawnError(`Unable to spawn ${candidate} because it is a directory`);
    if (problem === "ENOENT" && !absolute)
      throw new SpawnError(`Unable to spawn ${candidate} because it does not exist`);
    const why = problem === "ENOENT" ? "it doesn't exist on the filesystem" : "it is not executable";
    throw new SpawnError(`Unable to spawn ${candidate} because ${why} (${problem}: ${errnoText(problem)})`);
  }
  if (path === undefined) throw new SpawnError(`Unable to spawn ${program} because:\nUnable to resolve the PATH`);
  for (const folder of path.split(":")) {
    const candidate = join(isAbsolute(folder) ? folder : join(cwd, folder), program);
    if (whyNotRunnable(candidate) === undefined) return candidate;
  }
  throw new SpawnError(`Unable to spawn ${program} because:\nNo viable candidates found in PATH "${path}"`);
}

/** @throws {SpawnError} with the operating system's words when `cwd` cannot be entered */
export function checkFolder(cwd: string): void {
  try {
    if (!statSync(cwd).isDirectory()) throw osError("ENOTDIR");
    accessSync(cwd, constants.X_OK);
  } catch (error) {
    throw new SpawnError(osErrorText(error));
  }
}

function whyNotRunnable(path: string): string | undefined {
  try {
    if (statSync(path).isDirectory()) return "EISDIR";
    accessSync(path, constants.X_OK);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? "ENOENT";
  }
}

/**
 * Refuses a file that the kernel cannot run. Platform fact: execvp hands such a file to the shell, as if it were a
 * script. What cannot be looked at here is left to the start itself.
 * @throws {SpawnError}
 */
export function checkFormat(program: string, cwd: string, path: string | undefined): void {
  if (process.platform !== "linux") return;
  const start = Buffer.alloc(4);
  try {
    const descriptor = openSync(resolveProgram(program, cwd, path ?? DEFAULT_PATH), "r");
    try {
      readSync(descriptor, start, 0, 4, 0);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return;
  }
  const known = start.toString("latin1") === "\x7fELF" || start.toString("latin1", 0, 2) === "#!";
  if (!known && !hasOtherFormats()) throw new SpawnError(osErrorText(osError("ENOEXEC")));
}

/** Where execvp looks when there is no PATH. */
const DEFAULT_PATH = "/bin:/usr/bin";

let otherFormats: boolean | undefined;

/** Further formats can be registered with the kernel; each shows as a file beside these two. */
function hasOtherFormats(): boolean {
  otherFormats ??= registeredFormats().some((name) => name !== "register" && name !== "status");
  return otherFormats;
}

function registeredFormats(): string[] {
  try {
    return readdirSync("/proc/sys/fs/binfmt_misc");
  } catch {
    return [];
  }
}
