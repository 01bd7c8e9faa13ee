/** Opens the interface on this process's terminal for a thread. */
import type { AppResult } from "@turnkit/protocol/app";
import type { AppConnection } from "../client/app-connection.js";
import { VERSION } from "../version.js";
import { App } from "./app/app.js";
import { openedState, settingsOf } from "./app/thread-opening.js";
import { defaultKeymap, type Keymap } from "./keymap/keymap.js";
import { type AppState, initialState } from "./state/app-state.js";
import type { ReasoningShown } from "./state/reasoning-shown.js";
import { handleImage } from "./state/update-input.js";
import { ProcessTerminal } from "./terminal/process-terminal.js";
import { type Line, paletteFromEnvironment } from "./terminal/style.js";

export interface InterfaceOptions {
  readonly connection: AppConnection;
  readonly opened: AppResult<"thread/start">;
  readonly banner: readonly Line[];
  readonly prompt?: string;
  /** Absolute paths, attached to the first message. */
  readonly images?: readonly string[];
  /** Leave when the first turn has ended. */
  readonly once?: boolean;
  readonly keymap?: Keymap;
  readonly autoResolution?: boolean;
  readonly notify?: readonly string[];
  readonly pasteBursts?: boolean;
  readonly reasoning?: ReasoningShown;
}

export interface LeftInterface {
  readonly state: AppState;
  /** null: the person left. */
  readonly endedBy: NodeJS.Signals | null;
}

/** Resolves when the person has left, or the system made the program leave. */
export async function runInterface(options: InterfaceOptions): Promise<LeftInterface> {
  const settings = settingsOf(options.opened, VERSION);
  const empty = initialState(
    options.keymap ?? defaultKeymap,
    settings,
    options.autoResolution ?? true,
    options.reasoning,
  );
  const app = new App({
    connection: options.connection,
    terminal: new ProcessTerminal(),
    palette: paletteFromEnvironment(process.env),
    state: (options.images ?? []).reduce(handleImage, openedState(empty, options.opened)),
    banner: options.banner,
    prompt: options.prompt,
    once: options.once ?? false,
    notify: options.notify ?? [],
    pasteBursts: options.pasteBursts ?? true,
  });
  await app.run();
  return { state: app.state, endedBy: app.endedBy };
}
