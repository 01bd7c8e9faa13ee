import { describe, expect, it } from "vitest";
import { defaultKeymap } from "../src/tui/keymap/keymap.js";
import { runPicker } from "../src/tui/run-picker.js";
import { startInterface } from "./support/interface.js";
import { until, VirtualTerminal } from "./support/virtual-terminal.js";

const thread = (index: number, preview: string, name: string | null = null): Record<string, unknown> => ({
  id: `0199a213-81c0-7800-8aa1-${String(index).padStart(12, "0")}`,
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

describe("more threads than one page", () => {
  const page = (from: number) => Array.from({ length: 100 }, (_, at) => thread(from + at, `Task ${from + at}`));

  it("are added while the person looks, the last used first, and can be searched", async () => {
    await using ui = await startInterface();
    let second: (page: unknown) => void = () => {};
    ui.server.results.set("thread/list", ({ cursor }: { cursor?: string }) =>
      cursor ? new Promise((resolve) => (second = resolve)) : { data: page(0), nextCursor: "next" },
    );
    ui.terminal.submit("/resume");
    await ui.shows("100 of 100");
    ui.terminal.type("Task 150");
    await ui.shows("0 of 100");
    second({ data: page(100), nextCursor: null });
    await ui.shows("1 of 200");
    expect(ui.server.requestsOf("thread/list")).toEqual([
      { limit: 100, sortKey: "updated_at" },
      { limit: 100, sortKey: "updated_at", cursor: "next" },
    ]);
  });
});

describe("on a terminal of its own", () => {
  const rows = [0, 1].map((index) => ({ id: `id-${index}`, title: `Task ${index}`, when: "", where: "", preview: [] }));
  const shown = (terminal: VirtualTerminal, text: string) =>
    until(
      () => terminal.text(),
      (screen) => screen.includes(text),
      text,
    );
  const start = (more?: AsyncIterable<typeof rows>) => {
    const terminal = new VirtualTerminal();
    const picked = runPicker({ title: "Which?", rows, keymap: defaultKeymap, ...(more && { more }) }, terminal);
    return { terminal, picked };
  };

  it("adds rows that come later, and goes on without them when they do not", async () => {
    let release: () => void = () => {};
    const { terminal, picked } = start(
      (async function* () {
        await new Promise<void>((resolve) => (release = resolve));
        yield [{ ...rows[0]!, id: "late", title: "Late one" }];
        throw new Error("the connection is gone");
      })(),
    );
    await shown(terminal, "Task 1");
    release();
    await shown(terminal, "Late one");
    terminal.type("late\r");
    expect(await picked).toEqual({ id: "late", endedBy: null });
    expect(terminal.started).toBe(false);
  });

  it.each(["the key", "the signal"])("stops for a while and goes on (%s)", async (how) => {
    const { terminal, picked } = start();
    terminal.type("task");
    await shown(terminal, "task");
    if (how === "the key") terminal.type("\x1a");
    else terminal.signal("SIGTSTP");
    expect([terminal.stopped, terminal.started]).toEqual([true, false]);
    terminal.continue();
    await shown(terminal, "task");
    await until(
      () => terminal.started,
      (started) => started,
    );
    terminal.type("\r");
    expect(await picked).toEqual({ id: "id-0", endedBy: null });
  });

  it("tells who ended it", async () => {
    const left = start();
    left.terminal.type("\x03");
    expect(await left.picked).toEqual({ id: null, endedBy: null });
    const ended = start();
    ended.terminal.signal("SIGTERM");
    expect(await ended.picked).toEqual({ id: null, endedBy: "SIGTERM" });
  });
});
