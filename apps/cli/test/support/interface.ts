/** Runs the interface on a virtual terminal against a fake server. */

import { App, type AppOptions } from "../../src/tui/app/app.js";
import { defaultKeymap } from "../../src/tui/keymap/keymap.js";
import { initialState } from "../../src/tui/state/app-state.js";
import { FakeServer } from "./fake-server.js";
import { until, VirtualTerminal } from "./virtual-terminal.js";

export interface RunningInterface extends AsyncDisposable {
  readonly app: App;
  readonly server: FakeServer;
  readonly terminal: VirtualTerminal;
  /** Waits until the screen or its scrollback shows a text. */
  shows(text: string | RegExp): Promise<string>;
}

export const PALETTE = { color: "basic", background: "dark" } as const;

export async function startInterface(
  size: readonly [columns: number, rows: number] = [80, 24],
  options: Partial<AppOptions> = {},
): Promise<RunningInterface> {
  const server = new FakeServer();
  const terminal = new VirtualTerminal(...size);
  const app = new App({
    connection: server,
    terminal,
    palette: PALETTE,
    state: initialState(
      defaultKeymap,
      {
        threadId: "thread-1",
        model: "test-model",
        provider: "scripted",
        cwd: "/home/ada/project",
        approvalPolicy: "never",
        sandbox: "dangerFullAccess",
        mode: "default",
        rolloutPath: null,
        version: "0.1.0",
      },
      true,
    ),
    banner: [],
    prompt: undefined,
    once: false,
    notify: [],
    pasteBursts: true,
    ...options,
  });
  const running = app.run();
  const shows = (text: string | RegExp): Promise<string> =>
    until(
      () => terminal.text(),
      (seen) => (typeof text === "string" ? seen.includes(text) : text.test(seen)),
      `the screen shows ${String(text)}`,
    );
  await shows("test-model");
  return {
    app,
    server,
    terminal,
    shows,
    async [Symbol.asyncDispose]() {
      app.quit();
      await running;
    },
  };
}
