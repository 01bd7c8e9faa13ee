/** The demo as a person meets it: in a real terminal, with keys. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { Home, MAIN, PROCESS_TIMEOUT } from "./support/cli.js";
import { hasTmux, Tmux } from "./support/tmux.js";

const reason = hasTmux ? "" : " (skipped: tmux is not installed)";

describe.skipIf(!hasTmux)(`the demo in a terminal${reason}`, { timeout: PROCESS_TIMEOUT }, () => {
  let tmux: Tmux | undefined;
  afterEach(() => tmux?.kill());

  it("asks with arrows, notes and digits, and types the answers into the program", async () => {
    await using home = new Home();
    tmux = new Tmux(home.environment(), `${process.execPath} ${MAIN} demo; echo "[status $?]"`);
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

  it("stops and goes on as the shell says, and gives the terminal back when it is told to end", async () => {
    await using home = new Home();
    const pid = path.join(home.path, "pid");
    tmux = new Tmux(home.environment(), "PS1='shell> ' /bin/bash --norc --noprofile -i");
    await tmux.shows("shell>");
    // The shell's own child, so that there is one process to signal; `exec` keeps its id.
    tmux.keys(`sh -c 'echo $$ > ${pid}; exec ${process.execPath} ${MAIN} demo'`, "Enter");
    await tmux.shows(/› 1\. Teal[\s\S]*tab to add notes/);
    tmux.keys("C-z");
    await tmux.shows(/Stopped[\s\S]*shell>/);
    tmux.keys("fg", "Enter");
    await tmux.shows(/shell> fg[\s\S]*› 1\. Teal[\s\S]*tab to add notes/);
    process.kill(Number(readFileSync(pid, "utf8")), "SIGTERM");
    await tmux.shows(/Go on with[\s\S]*shell>\s*$/);
    tmux.keys('echo "[status $?]"', "Enter");
    await tmux.shows("[status 143]");
    tmux.keys("clear; stty -a | tr ' ' '\\n' | grep -x -e icanon -e isig -e echo | xargs", "Enter");
    await tmux.shows(/^isig icanon echo$/m);
    expect(tmux.title()).not.toContain("turnkit");
  });

  it("does not open where the cursor cannot be moved, and says so", async () => {
    await using home = new Home();
    home.write("config.toml", 'model = "any"\n');
    tmux = new Tmux(home.environment(), `TERM=dumb ${process.execPath} ${MAIN}; echo "[status $?]"`);
    const text = await tmux.shows("[status 2]");
    expect(text.replace(/\s+/g, " ")).toContain(
      "the interface needs a terminal that can move its cursor, and TERM is dumb",
    );
  });
});
