/** Runs the built command as people do: as a process, in a home folder of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";

export const MAIN = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

/** For tests that start processes: slow machines are slow at nothing more than at that. */
export const PROCESS_TIMEOUT = 120_000;

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** Written to standard input, which is then closed. undefined: it is closed at once; null: it stays open. */
  readonly input?: string | null;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Called with the process as soon as it runs. */
  readonly started?: (child: ChildProcess) => void;
}

/** A folder for configuration and sessions, removed at the end. */
export class Home implements AsyncDisposable {
  readonly path = mkdtempSync(path.join(tmpdir(), "turnkit-test-"));

  write(name: string, content: string): string {
    const file = path.join(this.path, name);
    writeFileSync(file, content);
    return file;
  }

  environment(): Record<string, string> {
    // Keys, homes and shell profiles of the person who runs the tests must not leak in.
    const kept = Object.entries(process.env).filter(
      ([name]) => !/^(?:OPENAI|CODEX|TURNKIT|NODE_EXTRA_CA_CERTS|VITEST|NODE_OPTIONS|NO_COLOR|FORCE_COLOR)/.test(name),
    );
    return {
      ...(Object.fromEntries(kept) as Record<string, string>),
      TURNKIT_HOME: this.path,
      HOME: this.path,
      TERM: "xterm-256color",
    };
  }

  run(args: readonly string[], options: RunOptions = {}): Promise<Finished> {
    if (!existsSync(MAIN)) throw new Error("apps/cli is not built; `npm run build` does it");
    const child = spawn(process.execPath, [MAIN, ...args], {
      cwd: options.cwd ?? this.path,
      env: { ...this.environment(), ...options.env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.stdin.on("error", () => {});
    if (options.input !== null) child.stdin.end(options.input ?? "");
    options.started?.(child);
    return new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code) => {
        child.stdin.destroy();
        resolve({ code, stdout, stderr });
      });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await removeFolder(this.path);
  }
}

/** Options that point a command at a model server. */
export const modelAt = (url: string): string[] => [
  "-c",
  'model="gpt-5.4"',
  "-c",
  'model_provider="test"',
  "-c",
  `model_providers.test.base_url="${url}"`,
  "-c",
  "model_providers.test.stream_max_retries=0",
  "-c",
  "model_providers.test.request_max_retries=0",
];
