/** How a command line becomes the argument vector of a shell. */
import { RespondToModel } from "../tool.js";

export interface Shell {
  /** Such as `bash`, `zsh`, `sh`, `powershell`, `cmd`. */
  readonly name: string;
  readonly path: string;
}

export function shellNameOf(path: string): string {
  const base = path.split(/[\\/]/).at(-1) ?? path;
  const name = base.toLowerCase().replace(/\.exe$/, "");
  return name === "pwsh" ? "powershell" : name;
}

export interface ShellCommandOptions {
  readonly shell: Shell;
  readonly command: string;
  /** undefined: the configured default. */
  readonly login: boolean | undefined;
  readonly loginAllowed: boolean;
}

/** @throws {RespondToModel} a login shell was asked for and is not allowed */
export function shellArgv(options: ShellCommandOptions): readonly string[] {
  if (options.login === true && !options.loginAllowed)
    throw new RespondToModel("login shell is disabled by config; omit `login` or set it to false.");
  const login = options.login ?? options.loginAllowed;
  const { name, path } = options.shell;
  if (name === "powershell") return [path, ...(login ? [] : ["-NoProfile"]), "-Command", options.command];
  if (name === "cmd") return [path, "/c", options.command];
  return [path, login ? "-lc" : "-c", options.command];
}
