/**
 * Tells a person who is looking elsewhere that the program waits: bell, desktop notification (OSC 9), window title.
 */
import { spawn } from "node:child_process";
import type { AppState } from "../state/app-state.js";
import { visibleControls } from "../terminal/text-width.js";

/** Bell and desktop notification. */
export const attentionBytes = (text: string): string => `\x07\x1b]9;${visibleControls(text).replace(/;/g, ",")}\x07`;

/** Runs the person's own notifier; one that cannot be started is no reason to disturb the work. */
export function runNotifier(command: readonly string[], text: string): void {
  const [program, ...args] = command;
  if (program === undefined) return;
  const child = spawn(program, [...args, text], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}

/** The window's title is put away before the first of ours, and comes back after the last. */
export const titleBytes = (title: string): string => `\x1b]0;${title}\x07`;
export const SAVE_TITLE = "\x1b[22;0t";
/** Terminals that keep no titles get an empty one, which most of them take for their own. */
export const RESTORE_TITLE = `${titleBytes("")}\x1b[23;0t`;

export function titleOf(state: AppState): string {
  const folder = state.settings.cwd.split("/").filter(Boolean).at(-1) ?? "/";
  const mark = state.prompts.length > 0 ? "● action required · " : state.turnStartedAt !== null ? "… " : "";
  return `${mark}turnkit · ${visibleControls(folder)}`;
}
