/** Prints a turn as it goes, for people and logs: finished cells as plain lines, nothing is redrawn. */
import { emptyTranscript, pushCell, reduceTranscript, takeDone } from "../tui/state/transcript-state.js";
import type { Line, Palette } from "../tui/terminal/style.js";
import { renderLine } from "../tui/terminal/style.js";
import type { Cell } from "../tui/transcript/cells.js";
import { viewDone } from "../tui/view/view.js";
import type { ServerNotification } from "./app-connection.js";

export interface PrinterOptions {
  readonly write: (text: string) => void;
  readonly palette: Palette;
  readonly width: number;
  /** Cells that are not printed, such as the final message that goes elsewhere. */
  readonly hides?: (cell: Cell) => boolean;
}

export class TranscriptPrinter {
  #state = emptyTranscript;

  constructor(private readonly options: PrinterOptions) {}

  notification(notification: ServerNotification): void {
    this.#state = reduceTranscript(this.#state, notification);
    this.#flush();
  }

  lines(lines: readonly Line[]): void {
    this.#state = pushCell(this.#state, { kind: "lines", lines });
    this.#flush();
  }

  #flush(): void {
    const { state, done } = takeDone(this.#state);
    this.#state = state;
    const shown = done.filter((cell) => !this.options.hides?.(cell));
    for (const line of viewDone(shown, this.options.width)) {
      this.options.write(`${renderLine(line, this.options.palette)}\n`);
    }
  }
}
