/** The same scene in every look: dark and light backgrounds, without colour, wide and narrow. */
import { describe, expect, it } from "vitest";
import { type Palette, paletteFromEnvironment } from "../src/tui/terminal/style.js";
import { type RunningInterface, startInterface } from "./support/interface.js";

const PALETTES = {
  dark: paletteFromEnvironment({ TERM: "xterm-256color", COLORFGBG: "15;0" }),
  light: paletteFromEnvironment({ TERM: "xterm-256color", COLORFGBG: "0;15" }),
  none: paletteFromEnvironment({ TERM: "xterm-256color", NO_COLOR: "1" }),
  dumb: paletteFromEnvironment({ TERM: "dumb" }),
} as const;

async function scene(size: readonly [number, number], palette: Palette): Promise<RunningInterface> {
  const ui = await startInterface(size, { palette });
  const { server } = ui;
  server.turnStarted();
  server.user("Fix the colours, please.");
  server.say("item/started", { item: { type: "reasoning", id: "r", summary: [], content: [] } });
  server.say("item/completed", { item: { type: "reasoning", id: "r", summary: ["**Looking** first"], content: [] } });
  server.agent("m", "# Found\n\nIt is in `main.ts`:\n\n```diff\n-old\n+new\n```\n\nSee [docs](https://example.com).");
  const change = { path: "src/main.ts", kind: { type: "update", move_path: null }, diff: "@@ -1 +1 @@\n-old\n+new\n" };
  const item = { type: "fileChange", id: "f", changes: [change] };
  server.say("item/started", { item: { ...item, status: "inProgress" } });
  server.say("item/completed", { item: { ...item, status: "completed" } });
  server.say("item/started", server.command("c", "false", { processId: null }));
  server.say("item/completed", server.command("c", "false", { status: "failed", exitCode: 1, durationMs: 3 }));
  server.say("turn/plan/updated", {
    explanation: null,
    plan: [
      { step: "Look", status: "completed" },
      { step: "Fix", status: "inProgress" },
      { step: "Test", status: "pending" },
    ],
  });
  server.say("warning", { message: "The disk is nearly full." });
  server.turnCompleted();
  await ui.shows("nearly full");
  return ui;
}

const question = {
  itemId: "call",
  isBlocking: true,
  autoResolutionMs: null,
  questions: [
    {
      id: "q",
      header: "H",
      question: "Which?",
      isOther: true,
      isSecret: false,
      options: [{ label: "Teal", description: "Calm." }],
    },
  ],
};

const usage = (tokens: number): Record<string, number> => ({
  totalTokens: tokens,
  inputTokens: tokens,
  cachedInputTokens: 0,
  outputTokens: 0,
  reasoningOutputTokens: 0,
});

describe.each([
  [80, 50],
  [40, 50],
] as const)("at %dx%d", (columns, rows) => {
  it.each(["dark", "light"] as const)("on a %s background", async (look) => {
    await using ui = await scene([columns, rows], PALETTES[look]);
    await expect(await ui.terminal.styledScreen()).toMatchFileSnapshot(`golden/look-${look}-${columns}.txt`);
    ui.server.ask(0, "item/tool/requestUserInput", question);
    await ui.shows("Question 1/1");
    await expect(await ui.terminal.styledScreen()).toMatchFileSnapshot(`golden/look-${look}-form-${columns}.txt`);
  });

  it.each(["none", "dumb"] as const)("without colour (%s) it says the same and sets no style", async (look) => {
    await using ui = await scene([columns, rows], PALETTES[look]);
    await using coloured = await scene([columns, rows], PALETTES.dark);
    expect(await ui.terminal.text()).toBe(await coloured.terminal.text());
    expect(ui.terminal.written).not.toMatch(/\x1b\[[\d;]*m/);
    expect(coloured.terminal.written).toMatch(/\x1b\[[\d;]*m/);
  });

  it("the footer has a word for everything", async () => {
    await using ui = await startInterface([columns, rows]);
    ui.server.turnStarted();
    ui.server.say("item/started", ui.server.command("c", "sleep 9"));
    ui.server.say("thread/tokenUsage/updated", {
      turnId: "turn",
      tokenUsage: { last: usage(20_000), total: usage(20_000), modelContextWindow: 258_400 },
    });
    ui.app.update({ ...ui.app.state, settings: { ...ui.app.state.settings, mode: "plan" } });
    const text = await ui.shows(/97% (?:context )?left/);
    const footer = text.trimEnd().split("\n").at(-1) ?? "";
    expect(footer).toMatch(
      columns === 80 ? /plan mode · 1 terminal \(\/ps\) · 97% context left/ : /plan · 1 × \/ps · 97% left$/,
    );
  });

  it("no row is wider than the screen", async () => {
    await using ui = await scene([columns, rows], PALETTES.none);
    // Written without wrapping by the terminal: what is too wide would be cut off here.
    const text = await ui.terminal.text();
    for (const words of ["Fix the colours, please.", "src/main.ts", "nearly full", "▸ Fix"])
      expect(text).toContain(words);
    for (const row of text.split("\n")) expect(row.length).toBeLessThanOrEqual(columns);
  });
});
