/** The demo as a person meets it: in a real terminal, with keys. */
import { afterEach, describe, expect, it } from "vitest";
import { Home, MAIN, PROCESS_TIMEOUT } from "./support/cli.js";
import { hasTmux, Tmux } from "./support/tmux.js";

const reason = hasTmux ? "" : " (skipped: tmux is not installed)";

describe.skipIf(!hasTmux)(`the demo in a terminal${reason}`, { timeout: PROCESS_TIMEOUT }, () => {
  let tmux: Tmux | undefined;
  afterEach(() => tmux?.kill());

  it("asks with arrows, notes and digits, and types the answers into the program", async () => {
    using home = new Home();
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

  it("does not open where the cursor cannot be moved, and says so", async () => {
    using home = new Home();
    home.write("config.toml", 'model = "any"\n');
    tmux = new Tmux(home.environment(), `TERM=dumb ${process.execPath} ${MAIN}; echo "[status $?]"`);
    const text = await tmux.shows("[status 2]");
    expect(text.replace(/\s+/g, " ")).toContain(
      "the interface needs a terminal that can move its cursor, and TERM is dumb",
    );
  });
});
