/** A program in a real terminal: keys go in, and what is on its screen is waited for. */
import { spawnSync } from "node:child_process";
import { PROCESS_TIMEOUT } from "./cli.js";

export const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

export class Tmux {
  readonly #socket = `turnkit-test-${process.pid}-${Math.random().toString(36).slice(2, 8)}`;

  constructor(
    private readonly environment: Readonly<Record<string, string>>,
    command: string,
  ) {
    this.#tmux("-f", "/dev/null", "new-session", "-d", "-x", "90", "-y", "40", command);
    // What remains when the program has ended is still to be read.
    this.#tmux("set-option", "-g", "remain-on-exit", "on");
  }

  #tmux(...args: string[]): string {
    const { LINES: _, COLUMNS: __, TMUX: ___, ...env } = this.environment;
    const result = spawnSync("tmux", ["-L", this.#socket, ...args], { encoding: "utf8", env });
    if (result.status !== 0) throw new Error(`tmux ${args[0]}: ${result.stderr}`);
    return result.stdout;
  }

  keys(...keys: string[]): void {
    this.#tmux("send-keys", ...keys);
  }

  /** Screen and scrollback. */
  text(): string {
    return this.#tmux("capture-pane", "-p", "-S", "-200");
  }

  /** As the program set it. */
  title(): string {
    return this.#tmux("display-message", "-p", "#{pane_title}");
  }

  async shows(wanted: string | RegExp): Promise<string> {
    const end = Date.now() + PROCESS_TIMEOUT / 2;
    for (;;) {
      const text = this.text();
      if (typeof wanted === "string" ? text.includes(wanted) : wanted.test(text)) return text;
      if (Date.now() > end) throw new Error(`the terminal never showed ${String(wanted)}; it shows:\n${text}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  kill(): void {
    spawnSync("tmux", ["-L", this.#socket, "kill-server"]);
  }
}
