/**
 * Draws below the shell's own output and keeps the scrollback: finished lines are written once and scroll away,
 * the live area under them is rewritten line by line where it changed. Owns the cursor between draws; knows
 * nothing of what the lines mean.
 */
import { type Line, lineWidth, type Palette, renderLine, truncateLine } from "./style.js";

export interface Frame {
  /** Finished lines that scroll away above the live area, each drawn exactly once. */
  readonly commit: readonly Line[];
  readonly live: readonly Line[];
  /** Where the hardware cursor goes, in the live area; null hides it. */
  readonly cursor: { readonly row: number; readonly column: number } | null;
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

const BEGIN = "\x1b[?2026h\x1b[?25l\x1b[?7l";
const END = "\x1b[?7h\x1b[?2026l";

export class InlineScreen {
  #drawn: { text: string; width: number }[] = [];
  #cursorRow = 0;
  #columns = 0;
  #cursor = "";

  constructor(
    private readonly write: (text: string) => void,
    private readonly palette: Palette,
  ) {}

  /** Writes what changed since the last frame, as one write. */
  draw(frame: Frame, size: Size): void {
    const clipped = Math.max(0, frame.live.length - Math.max(1, size.rows - 1));
    const live = frame.live.slice(clipped).map((line) => {
      const cut = truncateLine(line, size.columns);
      return { text: renderLine(cut, this.palette), width: lineWidth(cut) };
    });
    const resized = this.#columns !== 0 && this.#columns !== size.columns;
    let out = "";
    if (frame.commit.length > 0 || resized || live.length < this.#drawn.length) {
      // Erased before, not after: behind a line that fills its row the cursor stands on its last cell.
      out += `${this.#toTop(size.columns)}\x1b[J`;
      for (const line of frame.commit) out += `${renderLine(truncateLine(line, size.columns), this.palette)}\r\n`;
      out += live.map((line) => line.text).join("\r\n");
      this.#cursorRow = Math.max(0, live.length - 1);
    } else {
      out += this.#drawChanged(live);
    }
    this.#drawn = live;
    this.#columns = size.columns;
    const wanted = frame.cursor ? `${frame.cursor.row - clipped}:${frame.cursor.column}` : "hidden";
    if (out === "" && wanted === this.#cursor) return;
    this.#cursor = wanted;
    const cursor = this.#placeCursor(frame.cursor, clipped);
    this.write(`${BEGIN}${out}${cursor}${END}`);
  }

  /** Leaves the live area on the screen and puts the cursor under it. */
  finish(): void {
    const down = this.#drawn.length - 1 - this.#cursorRow;
    this.write(`${down > 0 ? `\x1b[${down}B` : ""}${this.#drawn.length > 0 ? "\r\n" : ""}\x1b[?25h`);
    this.reset();
  }

  /** Removes the live area and leaves the cursor where it began. */
  clear(): void {
    this.write(`${this.#toTop(this.#columns)}\x1b[J\x1b[?25h`);
    this.reset();
  }

  /** Forgets what was drawn: the next frame starts at the cursor. */
  reset(): void {
    this.#drawn = [];
    this.#cursorRow = 0;
    this.#cursor = "";
  }

  /** To the first cell of the live area. After a resize, rows that no longer fit have been broken by the terminal. */
  #toTop(columns: number): string {
    let rows = this.#cursorRow;
    if (columns !== this.#columns && this.#columns !== 0) {
      rows = this.#drawn
        .slice(0, this.#cursorRow)
        .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.width / columns)), 0);
    }
    this.#cursorRow = 0;
    return rows > 0 ? `\r\x1b[${rows}A` : "\r";
  }

  #drawChanged(live: readonly { text: string }[]): string {
    let out = "";
    for (const [row, line] of live.entries()) {
      if (this.#drawn[row]?.text === line.text) continue;
      const existing = row < Math.max(this.#drawn.length, 1);
      if (existing) {
        out += this.#moveTo(row);
      } else {
        out += this.#moveTo(row - 1);
        out += "\n";
        this.#cursorRow = row;
      }
      out += `\r\x1b[K${line.text}`;
    }
    return out;
  }

  #moveTo(row: number): string {
    const delta = row - this.#cursorRow;
    this.#cursorRow = row;
    if (delta === 0) return "";
    return delta > 0 ? `\x1b[${delta}B` : `\x1b[${-delta}A`;
  }

  #placeCursor(cursor: Frame["cursor"], clipped: number): string {
    if (!cursor) return "";
    const row = Math.min(Math.max(0, cursor.row - clipped), Math.max(0, this.#drawn.length - 1));
    return `${this.#moveTo(row)}\x1b[${cursor.column + 1}G\x1b[?25h`;
  }
}
