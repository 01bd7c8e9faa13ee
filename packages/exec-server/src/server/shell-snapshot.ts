/**
 * What a shell's start-up files define, captured once per scope and given to later commands without running the files
 * again: functions, aliases, options and the variables they changed.
 * Owns the captures of one session and their files. Shells other than bash are left as they are.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ExecShellSnapshot } from "@turnkit/protocol/exec";
import { runProgram } from "../process/run-program.js";

const CAPTURE_LIMIT_MS = 10_000;
const MAX_SNAPSHOT_BYTES = 4 * 1024 * 1024;
const MAX_SCOPE_BYTES = 256;

/** Runs in a login shell: everything it prints after the mark is shell input that restores what it saw. */
const MARK = "# turnkit shell snapshot";
const CAPTURE = `if [ -z "$BASH_ENV" ] && [ -r "$HOME/.bashrc" ]; then . "$HOME/.bashrc"; fi >/dev/null 2>&1 </dev/null
printf '%s\n' '${MARK}'
declare -f
shopt -p
alias -p
declare -px`;

/** Set by every shell for itself. */
const OWN_VARIABLES = new Set(["PWD", "OLDPWD", "SHLVL", "_"]);

type Environment = Readonly<Record<string, string>>;

export class ShellSnapshots {
  readonly #captures = new Map<string, Promise<string | undefined>>();
  #folder: string | undefined;
  #count = 0;
  #disposed = false;

  /** undefined: the scope's name can be used. Otherwise what is wrong with it. */
  static problemOf({ scopeId }: ExecShellSnapshot): string | undefined {
    const size = Buffer.byteLength(scopeId);
    return size >= 1 && size <= MAX_SCOPE_BYTES
      ? undefined
      : `shell snapshot scope must be non-empty and at most ${MAX_SCOPE_BYTES} bytes`;
  }

  /** The same command, reading the capture where it would have read the start-up files. */
  async apply(
    snapshot: ExecShellSnapshot,
    argv: readonly string[],
    cwd: string,
    env: Environment,
  ): Promise<readonly string[]> {
    const [shell, flags, script, ...rest] = argv;
    if (snapshot.shell.name !== "bash" || shell !== snapshot.shell.path || script === undefined) return argv;
    if (flags !== "-lc") return argv;
    const key = `${snapshot.scopeId}\0${shell}`;
    let capture = this.#captures.get(key);
    if (!capture) this.#captures.set(key, (capture = this.#capture(shell, cwd, env)));
    const file = await capture;
    if (file === undefined) return argv;
    return [shell, "-c", `. '${file}' >/dev/null 2>&1\n${script}`, ...rest];
  }

  /** A capture that is under way leaves nothing behind. */
  dispose(): void {
    this.#disposed = true;
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
    this.#captures.clear();
  }

  /** undefined: the start-up files failed or took too long, or nothing can be kept; commands then run them as before. */
  async #capture(shell: string, cwd: string, env: Environment): Promise<string | undefined> {
    const limits = { timeoutMs: CAPTURE_LIMIT_MS, maxBytes: MAX_SNAPSHOT_BYTES };
    const ended = await runProgram(shell, ["-lc", CAPTURE], { cwd, env, ...limits }).catch(() => undefined);
    const output = ended?.succeeded ? ended.stdout : "";
    const start = output.indexOf(`${MARK}\n`);
    if (start < 0 || this.#disposed) return undefined;
    try {
      this.#folder ??= mkdtempSync(join(tmpdir(), "turnkit-shell-"));
      const file = join(this.#folder, String(this.#count++));
      writeFileSync(file, withoutUnchanged(output.slice(start), env), { mode: 0o600 });
      return file;
    } catch {
      return undefined;
    }
  }
}

/** Drops variables that the caller gave: a later command may give others, which must win. */
function withoutUnchanged(text: string, env: Environment): string {
  const lines: string[] = [];
  let dropping = false;
  for (const line of text.split("\n")) {
    const name = /^declare -[a-zA-Z-]*x[a-zA-Z]* ([A-Za-z_][A-Za-z0-9_]*)/.exec(line)?.[1];
    if (name !== undefined) {
      const readOnly = /^declare -[a-zA-Z]*r/.test(line);
      dropping = readOnly || OWN_VARIABLES.has(name) || line === `declare -x ${name}=${quoted(env[name])}`;
    } else if (/^(declare -|shopt -|alias )/.test(line)) dropping = false;
    if (!dropping) lines.push(line);
  }
  return lines.join("\n");
}

/** As bash prints a value. */
function quoted(value: string | undefined): string | undefined {
  return value === undefined ? undefined : `"${value.replace(/[\\"$`]/g, "\\$&")}"`;
}
