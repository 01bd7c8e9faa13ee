/** Ctrl-Z and the signals that go with a terminal, as the interface sees them; the system's part is in `tmux.test.ts`. */
import { describe, expect, it } from "vitest";
import { startInterface } from "./support/interface.js";
import { until } from "./support/virtual-terminal.js";

describe("a program that is stopped for a while", () => {
  it.each(["the key", "the signal"])("gives the terminal back and takes it again, draft and all (%s)", async (how) => {
    await using ui = await startInterface();
    ui.server.turnStarted();
    ui.terminal.type("half a thought");
    await ui.shows("› half a thought");
    if (how === "the key") ui.terminal.type("\x1a");
    else ui.terminal.signal("SIGTSTP");
    await until(
      () => ui.terminal.stopped,
      (stopped) => stopped,
      "it is stopped",
    );
    expect(ui.terminal.started).toBe(false);
    // The live part is gone, and the window has its own title again.
    expect(await ui.terminal.text()).not.toContain("half a thought");
    expect(ui.terminal.written).toMatch(/\x1b\[22;0t[\s\S]*\x1b\]0;\x07\x1b\[23;0t/);
    ui.server.agent("m", "Meanwhile.");
    ui.terminal.continue();
    const text = await ui.shows(/Meanwhile\.[\s\S]*› half a thought/);
    expect(text.match(/half a thought/g)).toHaveLength(1);
    expect(ui.terminal.started).toBe(true);
  });

  it("stops with a question on the screen and asks it again", async () => {
    await using ui = await startInterface();
    ui.server.turnStarted();
    ui.server.ask(0, "item/tool/requestUserInput", {
      itemId: "c",
      isBlocking: true,
      autoResolutionMs: null,
      questions: [{ id: "q", header: "", question: "Which?", isOther: false, isSecret: false, options: null }],
    });
    await ui.shows("Which?");
    ui.terminal.type("\x1a");
    await until(
      () => ui.terminal.stopped,
      (stopped) => stopped,
    );
    ui.terminal.continue();
    await ui.shows("Which?");
    expect(ui.server.answers).toEqual([]);
  });
});

describe("a program that is told to end", () => {
  it.each(["SIGTERM", "SIGHUP"] as const)("leaves as a person does (%s)", async (signal) => {
    await using ui = await startInterface();
    ui.server.turnStarted();
    ui.terminal.signal(signal);
    await until(
      () => ui.terminal.started,
      (started) => !started,
      "the terminal was given back",
    );
    expect(ui.app.endedBy).toBe(signal);
    expect(ui.terminal.written.endsWith("\x1b]0;\x07\x1b[23;0t")).toBe(true);
  });
});
