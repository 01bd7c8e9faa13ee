/**
 * Runs a small program of this package's own to its end and keeps what it printed.
 * Owns its limits; takes care that no descriptor of this process reaches it.
 */
import { spawn } from "node:child_process";
import { coveringStdio } from "./inherited-descriptors.js";

export interface RunOptions {
  readonly cwd?: string;
  /** The exact environment; this process's own when left out. */
  readonly env?: Readonly<Record<string, string>>;
  /** Killed after this long. */
  readonly timeoutMs?: number;
  /** Killed when it prints more than this on either stream. */
  readonly maxBytes?: number;
}

export interface RunResult {
  /** False as well when a limit ended it. */
  readonly succeeded: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** Rejects with the operating system's error when the program cannot be started. */
export function runProgram(program: string, args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const { cwd, env = process.env, timeoutMs, maxBytes = 1 << 20 } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe", ...coveringStdio()] });
    let exceeded = false;
    const exceed = () => {
      exceeded = true;
      child.kill("SIGKILL");
      // A background child may hold the pipes for ever.
      for (const stream of [child.stdout, child.stderr]) stream?.destroy();
    };
    const timer = timeoutMs === undefined ? undefined : setTimeout(exceed, timeoutMs);
    const collect = (stream: typeof child.stdout) => {
      const chunks: Buffer[] = [];
      let size = 0;
      stream?.on("data", (bytes: Buffer) => {
        chunks.push(bytes);
        size += bytes.length;
        if (size > maxBytes) exceed();
      });
      return () => Buffer.concat(chunks).toString("utf8");
    };
    const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
    child.once("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once("close", (code) => {
      clearTimeout(timer);
      resolve({ succeeded: code === 0 && !exceeded, stdout: stdout(), stderr: stderr() });
    });
  });
}
