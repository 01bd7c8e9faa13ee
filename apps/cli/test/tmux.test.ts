/** The demo as a person meets it: in a real terminal, with keys. */
import { spawnSync } from "node:child_process";
import { afterEach, describe, expect, it } from "vitest";
import { Home, MAIN, PROCESS_TIMEOUT } from "./support/cli.js";

const hasTmux = spawnSync("tmux", ["-V"]).status === 0;
const reason = hasTmux ? "" : " (skipped: tmux is not installed)";

class Tmux {
  readonly #socket = `turnkit-test-${process.pid}-${Math.random().toString(36).slice(2, 8)}`;

  constructor(
    private readonly home: Home,
    command: string,
  ) {
    this.#tmux("-f", "/dev/null", "new-session", "-d", "-x", "90", "-y", "40", command);
    // What remains when the program has ended is still to be read.
    this.#tmux("set-option", "-g", "remain-on-exit", "on");
  }

  #tmux(...args: string[]): string {
    const { LINES: _, COLUMNS: __, TMUX: ___, ...env } = { ...this.home.environment() } as Record<string, string>;
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

describe.skipIf(!hasTmux)(`the demo in a terminal${reason}`, { timeout: PROCESS_TIMEOUT }, () => {
  let tmux: Tmux | undefined;
  afterEach(() => tmux?.kill());

  it("asks with arrows, notes and digits, and types the answers into the program", async () => {
    using home = new Home();
    tmux = new Tmux(home, `${process.execPath} ${MAIN} demo; echo "[status $?]"`);
    await tmux.shows(/› 1\. Teal[\s\S]*tab to add notes/);
    tmux.keys("Down");
    await tmux.shows("› 2. Amber");
    tmux.keys("Tab");
    await tmux.shows("Add notes");
    tmux.keys("-l", "with a star");
    await tmux.shows("› with a star");
    tmux.keys("Enter");
    await tmux.shows("How wide should it be?");
    tmux.keys("2");
    const text = await tmux.shows("[status 0]");
    expect(text).toContain("Questions 2/2 answered");
    expect(text).toContain("note: with a star");
    expect(text).toContain("colour is Amber with a star");
    expect(text).toContain("width is narrow");
    expect(text).toMatch(/Typed into terminal \d+: \^D/);
    expect(text).toContain("turnkit resume");
  });
});
