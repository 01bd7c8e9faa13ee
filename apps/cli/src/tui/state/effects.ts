/** What the pure state asks of the outside world. */
import type { Search } from "../composer/completion.js";
import type { Draft } from "../composer/composer.js";
import type { SlashCommand } from "../composer/slash-commands.js";
import type { AppState } from "./app-state.js";

export type Effect =
  | { readonly type: "respond"; readonly requestId: string | number; readonly result: unknown }
  /** Starts a turn, or steers the one that runs. */
  | { readonly type: "send"; readonly draft: Draft }
  | { readonly type: "interrupt" }
  | { readonly type: "command"; readonly command: SlashCommand; readonly argument: string }
  | { readonly type: "resume"; readonly threadId: string }
  | { readonly type: "externalEditor" }
  /** Attaches the image that the clipboard holds. */
  | { readonly type: "pasteImage" }
  /** Asks what could complete the word at the caret. */
  | { readonly type: "search"; readonly search: Search }
  | { readonly type: "redraw" }
  /** The shell gets its turn until it continues the program. */
  | { readonly type: "stopProcess" }
  /** The person is needed: bell, title, notification. */
  | { readonly type: "attention"; readonly text: string }
  | { readonly type: "quit" };

export interface Step {
  readonly state: AppState;
  readonly effects: readonly Effect[];
}

export const step = (state: AppState, ...effects: readonly Effect[]): Step => ({ state, effects });
