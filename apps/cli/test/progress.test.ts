import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { withProgress } from "../src/client/progress-line.js";
import { startInterface } from "./support/interface.js";
import { until, VirtualTerminal } from "./support/virtual-terminal.js";

class Later<T> {
  resolve: (value: T) => void = () => {};
  readonly promise = new Promise<T>((resolve) => {
    this.resolve = resolve;
  });
}

describe("in the interface", () => {
  it("says that it reads a thread, before the server begins, and as long as it does", async () => {
    await using ui = await startInterface();
    const opened = new Later<unknown>();
    ui.server.results.set("thread/resume", opened.promise);
    ui.terminal.submit("/resume 0199a213-81c0-7800-8aa1-bbab2a035a53");
    await until(
      () => ui.server.requestsOf("thread/resume").length,
      (count) => count === 1,
    );
    expect(await ui.terminal.text()).toContain("Reading the thread (0s)");
    opened.resolve(new Error("the file is damaged"));
    await ui.shows("the file is damaged");
    expect(await ui.terminal.screen()).not.toContain("Reading the thread");
  });

  it("says that it reads images before the turn begins", async () => {
    await using ui = await startInterface();
    const started = new Later<unknown>();
    ui.server.results.set("turn/start", started.promise);
    ui.app.update({
      ...ui.app.state,
      composer: {
        ...ui.app.state.composer,
        field: {
          ...ui.app.state.composer.field,
          text: "[Image #1] what?",
          caret: 16,
          elements: [{ start: 0, end: 10, payload: { kind: "image", path: "/tmp/a.png" } }],
        },
      },
    });
    ui.terminal.submit();
    await ui.shows("Reading the image (0s · esc to interrupt)");
    started.resolve({ turn: { id: "turn-1", items: [], status: "inProgress" } });
    ui.server.turnStarted();
    await ui.shows("Working (");
  });
});

describe("before the interface", () => {
  beforeEach(() => void vi.stubEnv("TERM", "xterm"));
  afterEach(() => void vi.unstubAllEnvs());

  it("one line says what is under way; nothing of it stays", async () => {
    const terminal = Object.assign(new VirtualTerminal(), { isTTY: true });
    const work = new Later<string>();
    const done = withProgress("Reading the thread", () => work.promise, terminal);
    expect(await terminal.text()).toBe("● Reading the thread");
    await until(
      () => terminal.text(),
      (text) => text.startsWith("○"),
      "it moves",
    );
    work.resolve("read");
    expect(await done).toBe("read");
    expect(await terminal.text()).toBe("");
  });

  it("goes away when the work fails, and writes nothing where nobody looks", async () => {
    const terminal = Object.assign(new VirtualTerminal(), { isTTY: true });
    const failing = (): Promise<never> => Promise.reject(new Error("no"));
    await expect(withProgress("Reading", failing, terminal)).rejects.toThrow("no");
    expect(await terminal.text()).toBe("");
    const pipe = new VirtualTerminal();
    await withProgress("Reading", async () => 1, Object.assign(pipe, { isTTY: false }));
    expect(pipe.written).toBe("");
  });
});
