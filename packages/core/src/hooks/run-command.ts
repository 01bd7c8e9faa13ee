/**
 * Runs one hook command: shell, input, output, time limit. Owns the process and nothing of what its output means.
 * A command that outlives its limit is ended with everything it started; what it leaves behind otherwise lives on.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";

/**
 * What stands in the child for descriptors of this process that it would inherit by accident, such as the masters of
 * terminals: entries of a `stdio` array from index 3 on.
 */
export type CoverDescriptors = () => readonly (number | "ignore")[];

export interface HookCommand {
  readonly command: string;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the shell. */
  readonly shell: string;
  readonly stdin: string;
  /** Seconds. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  readonly coverDescriptors: CoverDescriptors | undefined;
}

export type HookCommandResult =
  | {
      readonly type: "exited";
      /** null: ended by a signal. */
      readonly code: number | null;
      readonly stdout: string;
      readonly stderr: string;
    }
  | { readonly type: "failed"; readonly message: string };

/** More output than this is not kept. */
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;
/** How long output may come after the command itself has ended, from helpers that keep its pipes open. */
const TRAILING_OUTPUT_MS = 250;

/** Never rejects. */
export async function runHookCommand(hook: HookCommand): Promise<HookCommandResult> {
  try {
    return await run(hook);
  } catch (error) {
    // A command or a variable that no process can be given.
    return { type: "failed", message: (error as Error).message };
  }
}

function run(hook: HookCommand): Promise<HookCommandResult> {
  return new Promise((resolve) => {
    const child = spawn(hook.shell, ["-lc", hook.command], {
      cwd: hook.cwd,
      env: { ...hook.environment },
      stdio: ["pipe", "pipe", "pipe", ...(hook.coverDescriptors?.() ?? [])],
      detached: true,
    }) as ChildProcessWithoutNullStreams;
    const stdout = new Collected();
    const stderr = new Collected();
    let exit: { readonly code: number | null } | undefined;
    let trailing: NodeJS.Timeout | undefined;
    const finish = (result: HookCommandResult) => {
      clearTimeout(limit);
      clearTimeout(trailing);
      hook.signal.removeEventListener("abort", onAbort);
      child.stdout.destroy();
      child.stderr.destroy();
      resolve(result);
    };
    const fail = (message: string) => {
      killGroup(child.pid);
      finish({ type: "failed", message });
    };
    const onAbort = () => fail("hook was stopped with its turn");
    const done = () => finish({ type: "exited", code: exit?.code ?? null, stdout: stdout.text, stderr: stderr.text });
    child.stdout.on("data", (chunk: Buffer) => stdout.add(chunk));
    child.stderr.on("data", (chunk: Buffer) => stderr.add(chunk));
    child.once("error", (error) => fail(error.message));
    child.once("exit", (code) => {
      exit = { code };
      trailing = setTimeout(done, TRAILING_OUTPUT_MS);
    });
    child.once("close", done);
    child.stdin.on("error", (error: NodeJS.ErrnoException) => {
      // A hook that does not read its input is no failure.
      if (error.code !== "EPIPE" && error.code !== "ERR_STREAM_DESTROYED")
        fail(`failed to write hook stdin: ${error.message}`);
    });
    // From the start: a hook may never read its input, which does not fit into the pipe then.
    const limit = setTimeout(() => fail(`hook timed out after ${hook.timeout}s`), hook.timeout * 1000);
    child.stdin.end(hook.stdin);
    if (hook.signal.aborted) onAbort();
    else hook.signal.addEventListener("abort", onAbort, { once: true });
  });
}

class Collected {
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  add(chunk: Buffer): void {
    const room = MAX_OUTPUT_BYTES - this.#bytes;
    if (room <= 0) return;
    this.#chunks.push(chunk.subarray(0, room));
    this.#bytes += Math.min(room, chunk.length);
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString("utf8");
  }
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group is already gone.
  }
}
