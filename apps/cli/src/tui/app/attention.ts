/**
 * Tells a person who is looking elsewhere that the program waits: bell, desktop notification (OSC 9), window title.
 */
import type { AppState } from "../state/app-state.js";
import { visibleControls } from "../terminal/text-width.js";

/** What to write when attention is wanted; empty while the terminal has the focus. */
export function attentionBytes(state: AppState, text: string): string {
  return state.focused ? "" : `\x07\x1b]9;${visibleControls(text).replace(/;/g, ",")}\x07`;
}

export function titleOf(state: AppState): string {
  const folder = state.settings.cwd.split("/").filter(Boolean).at(-1) ?? "/";
  const mark = state.prompts.length > 0 ? "● action required · " : state.turnStartedAt !== null ? "… " : "";
  return `${mark}turnkit · ${visibleControls(folder)}`;
}
