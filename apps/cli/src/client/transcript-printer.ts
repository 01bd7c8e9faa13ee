/** Prints a turn as it goes, for people and logs: finished cells as plain lines, nothing is redrawn. */
import type { ReasoningShown } from "../tui/state/reasoning-shown.js";
import {
  emptyTranscript,
  pushCell,
  reduceTranscript,
  type TranscriptState,
  takeDone,
} from "../tui/state/transcript-state.js";
import type { Line, Palette } from "../tui/terminal/style.js";
import { renderLine } from "../tui/terminal/style.js";
import type { Cell } from "../tui/transcript/cells.js";
import { viewDone } from "../tui/view/view.js";
import type { ServerNotification } from "./app-connection.js";

export interface PrinterOptions {
  readonly write: (text: string) => void;
  readonly palette: Palette;
  readonly width: number;
  /** The last message and the error of the turn are printed elsewhere: messages wait until something follows them. */
  readonly withoutResult?: boolean;
  readonly reasoning?: ReasoningShown;
}

export class TranscriptPrinter {
  #state: TranscriptState;
  #held: Cell[] = [];

  constructor(private readonly options: PrinterOptions) {
    this.#state = { ...emptyTranscript, reasoning: options.reasoning ?? "summary" };
  }

  notification(notification: ServerNotification): void {
    this.#state = reduceTranscript(this.#state, notification);
    this.#flush();
  }

  lines(lines: readonly Line[]): void {
    this.#state = pushCell(this.#state, { kind: "lines", lines });
    this.#flush();
  }

  /** Prints the message that was held back: it is not the result after all. */
  release(): void {
    this.#print(this.#held.splice(0));
  }

  #print(cells: readonly Cell[]): void {
    for (const line of viewDone(cells, this.options.width)) {
      this.options.write(`${renderLine(line, this.options.palette)}\n`);
    }
  }

  #flush(): void {
    const { state, done } = takeDone(this.#state);
    this.#state = state;
    this.#print(this.options.withoutResult ? done.flatMap((cell) => this.#hold(cell)) : done);
  }

  /** A message may be the last one; its blocks are held together until another message or something else comes. */
  #hold(cell: Cell): readonly Cell[] {
    if (cell.kind === "notice" && cell.level === "error") return [];
    const continues = cell.kind === "agent" && !cell.first;
    const ready = continues ? [] : this.#held.splice(0);
    if (cell.kind !== "agent") return [...ready, cell];
    this.#held.push(cell);
    return ready;
  }
}
