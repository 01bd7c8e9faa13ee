/** The built app-server as a process of its own that listens, and what is left of it. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { type Home, MAIN } from "./cli.js";

export interface ServedApp {
  readonly address: string;
  readonly process: ChildProcess;
  /** Everything it said on stderr. */
  readonly said: () => string;
  /** SIGTERM, then SIGKILL when it does not end by itself within ten seconds. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * `top` stands above the tables of the configuration. A test that is busy for seconds lets its model's idle connections
 * go: requests are made again.
 */
export function configure(home: Home, modelUrl: string, top = ""): void {
  home.write(
    "config.toml",
    `model = "gpt-5.4"
model_provider = "scripted"
sandbox_mode = "danger-full-access"
${top}
[model_providers.scripted]
name = "scripted"
base_url = "${modelUrl}"
request_max_retries = 3
stream_max_retries = 0
[features]
default_mode_request_user_input = true
`,
  );
}

export async function serveApp(
  home: Home,
  args: readonly string[] = [],
  listen = "ws://127.0.0.1:0",
): Promise<ServedApp> {
  const child = spawn(process.execPath, [MAIN, "app-server", "--listen", listen, ...args], {
    env: home.environment(),
    cwd: home.path,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  const address = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      const found = /^listening on (\S+)\n/m.exec(said)?.[1];
      if (found) resolve(found);
    });
    child.once("exit", () => reject(new Error(`the server ended: ${said}`)));
  });
  return {
    address,
    process: child,
    said: () => said,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, "exit");
      child.kill();
      const late = setTimeout(() => child.kill("SIGKILL"), 10_000);
      await exited;
      clearTimeout(late);
    },
  };
}

/** Command lines of the running processes that contain these words. */
export function processesWith(words: string): string[] {
  if (process.platform !== "linux") {
    const lines = execFileSync("ps", ["-A", "-o", "args="], { encoding: "utf8" }).split("\n");
    return lines.filter((line) => line.includes(words));
  }
  return readdirSync("/proc").flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return [];
    try {
      const line = readFileSync(`/proc/${entry}/cmdline`, "utf8").replaceAll("\0", " ").trim();
      return line.includes(words) ? [line] : [];
    } catch {
      // It ended meanwhile.
      return [];
    }
  });
}
