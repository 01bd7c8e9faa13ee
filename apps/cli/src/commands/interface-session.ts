/** What the interactive commands share: their part of the configuration, choosing a thread, and leaving. */
import type { Thread } from "@turnkit/protocol/app";
import type { AppConnection } from "../client/app-connection.js";
import { homeFolder } from "../client/model-configured.js";
import { threadPages } from "../client/thread-pages.js";
import { CliError, ExitCode, signalExitCode } from "../exit.js";
import { interfaceProblems } from "../tui/keymap/interface-problems.js";
import { type Keymap, readKeymap } from "../tui/keymap/keymap.js";
import type { LeftInterface } from "../tui/run-interface.js";
import type { Picked } from "../tui/run-picker.js";
import type { ReasoningShown } from "../tui/state/reasoning-shown.js";
import { threadRow } from "../tui/state/thread-rows.js";
import { dim, lineOf, paletteFromEnvironment, renderLine, tinted } from "../tui/terminal/style.js";
import { configModule, inConfigTerms } from "./config/config-file.js";

export interface InterfaceConfig {
  readonly keymap: Keymap;
  readonly autoResolution: boolean;
  /** A program and its arguments that tell a person who looks elsewhere. */
  readonly notify: readonly string[];
  /** Newlines that follow a burst of characters at once are pasted. */
  readonly pasteBursts: boolean;
  readonly reasoning: ReasoningShown;
}

const table = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

/**
 * The `[tui]` table and `disable_paste_burst` of this machine's configuration, wherever the server is: keys are a
 * matter of the terminal. @throws {CliError}
 */
export async function readInterfaceConfig(overrides: readonly string[]): Promise<InterfaceConfig> {
  const { loadConfig, parseOverrides } = await configModule();
  const load = async () => loadConfig({ home: homeFolder(), overrides: parseOverrides(overrides) });
  const {
    raw: config,
    tui: { reasoning },
  } = await inConfigTerms(load());
  const tui = table(config.tui);
  const [first] = interfaceProblems(tui);
  if (first) throw new CliError(`config.toml: ${first.path} ${first.message}`, ExitCode.config);
  const { keymap } = readKeymap(tui.keymap, tui.vim_keys !== false);
  const notify = tui.notify ?? [];
  return {
    keymap,
    autoResolution: tui.question_auto_resolution !== false,
    notify: notify as string[],
    pasteBursts: config.disable_paste_burst !== true,
    reasoning,
  };
}

/** A list on the terminal. */
export async function pickThread(connection: AppConnection, keymap: Keymap): Promise<Picked> {
  const pages = threadPages(connection);
  const first = await pages.next();
  if (first.done) throw new CliError("there is no thread to go on with", ExitCode.input);
  const rowsOf = (page: readonly Thread[]) => page.map((thread) => threadRow(thread, Date.now()));
  const { runPicker } = await import("../tui/run-picker.js");
  async function* more() {
    for await (const page of pages) yield rowsOf(page);
  }
  return runPicker({ title: "Which thread?", rows: rowsOf(first.value), more: more(), keymap });
}

/** Says how to come back. */
export function leaveInterface({ state, endedBy }: LeftInterface): number {
  const { threadId } = state.settings;
  if (threadId !== null && state.transcript.lastTurn !== null) {
    const line = lineOf(dim("To go on: "), tinted("code", `turnkit resume ${threadId}`));
    process.stdout.write(`${renderLine(line, paletteFromEnvironment(process.env))}\n`);
  }
  return endedBy === null ? ExitCode.ok : signalExitCode(endedBy);
}
