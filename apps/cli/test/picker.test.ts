import { describe, expect, it } from "vitest";
import { startInterface } from "./support/interface.js";
import { until } from "./support/virtual-terminal.js";

const thread = (index: number, preview: string, name: string | null = null): Record<string, unknown> => ({
  id: `0199a213-81c0-7800-8aa1-00000000000${index}`,
  preview,
  name,
  cwd: "/home/ada/project",
  updatedAt: 1_790_000_000 + index * 3600,
  gitInfo: index === 1 ? { branch: "main", sha: null, originUrl: null } : null,
});

const THREADS = [
  thread(0, "Write the parser for\nthe second format, with tests for every error that a person could make in a file."),
  thread(1, "Why is the build slow?", "Slow build"),
  thread(2, "日本語の説明を書いて"),
];

describe.each([
  [80, 24],
  [40, 15],
] as const)("at %dx%d", (columns, rows) => {
  it("lists threads, searches in all of their text, and shows the selected one", async () => {
    await using ui = await startInterface([columns, rows]);
    ui.server.results.set("thread/list", { data: THREADS, nextCursor: null });
    ui.terminal.submit("/resume");
    await ui.shows("Resume a thread");
    await expect(await ui.terminal.screen()).toMatchFileSnapshot(`golden/picker-${columns}x${rows}.txt`);
    ui.terminal.type("why is");
    await ui.shows("1 of 3");
    await expect(await ui.terminal.screen()).toMatchFileSnapshot(`golden/picker-search-${columns}x${rows}.txt`);
    ui.terminal.submit();
    const [params] = await until(
      () => ui.server.requestsOf("thread/resume"),
      (list) => list.length === 1,
    );
    expect(params).toEqual({ threadId: "0199a213-81c0-7800-8aa1-000000000001" });
  });
});

it("edits the search by characters, and goes away with Escape", async () => {
  await using ui = await startInterface();
  ui.server.results.set("thread/list", { data: THREADS, nextCursor: null });
  ui.terminal.submit("/resume");
  await ui.shows("Resume a thread");
  ui.terminal.type("語👩‍👩‍👧\x7f");
  await ui.shows("1 of 3");
  ui.terminal.type("\x1b");
  await until(
    () => ui.app.state.picker,
    (picker) => picker === null,
  );
  expect(ui.server.requestsOf("thread/resume")).toEqual([]);
});
