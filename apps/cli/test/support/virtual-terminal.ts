/** A terminal in memory: what the interface writes is interpreted by xterm, what a person types is given to it. */
import xterm from "@xterm/headless";
import type { Size } from "../../src/tui/terminal/inline-screen.js";
import type { TerminalEvents, TerminalPort } from "../../src/tui/terminal/process-terminal.js";

export class VirtualTerminal implements TerminalPort {
  readonly #xterm: InstanceType<typeof xterm.Terminal>;
  #events: TerminalEvents | null = null;
  #continue: (() => void) | null = null;
  written = "";

  constructor(columns = 80, rows = 24) {
    this.#xterm = new xterm.Terminal({ cols: columns, rows, scrollback: 5000, allowProposedApi: true });
  }

  size(): Size {
    return { columns: this.#xterm.cols, rows: this.#xterm.rows };
  }

  write(text: string): void {
    this.written += text;
    this.#xterm.write(text);
  }

  start(events: TerminalEvents): void {
    this.#events = events;
  }

  stop(): void {
    this.#events = null;
  }

  get started(): boolean {
    return this.#events !== null;
  }

  stopProcess(): Promise<void> {
    return new Promise((resolve) => {
      this.#continue = resolve;
    });
  }

  /** true: the program is stopped, as with Ctrl-Z. */
  get stopped(): boolean {
    return this.#continue !== null;
  }

  /** What `fg` does. */
  continue(): void {
    this.#continue?.();
    this.#continue = null;
  }

  /** What the system asks of the program. */
  signal(signal: NodeJS.Signals): void {
    if (signal === "SIGTSTP") this.#events?.stopping?.();
    else this.#events?.ended(signal);
  }

  type(bytes: string): void {
    if (!this.#events) throw new Error("the interface does not read keys");
    this.#events.input(bytes);
  }

  /** Types a line and presses Enter, as terminals with key encodings send it: never part of a paste. */
  submit(line = ""): void {
    this.type(`${line}\x1b[13u`);
  }

  /** The same with Tab. */
  queue(line: string): void {
    this.type(`${line}\x1b[9u`);
  }

  resize(columns: number, rows: number): void {
    this.#xterm.resize(columns, rows);
    this.#events?.resized();
  }

  /** Everything written so far is on the screen. */
  settled(): Promise<void> {
    return new Promise((resolve) => this.#xterm.write("", resolve));
  }

  /** Scrollback and screen, without trailing blanks. */
  async text(): Promise<string> {
    await this.settled();
    const { active } = this.#xterm.buffer;
    const rows = Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true) ?? "");
    return rows.join("\n").trimEnd();
  }

  /** Only what is visible. */
  async screen(): Promise<string> {
    await this.settled();
    const { active } = this.#xterm.buffer;
    const rows = Array.from(
      { length: this.#xterm.rows },
      (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? "",
    );
    return rows.join("\n").trimEnd();
  }

  /** What is visible, with the colour and weight of its parts: `⟨cyan bold|text⟩`. */
  async styledScreen(): Promise<string> {
    await this.settled();
    const { active } = this.#xterm.buffer;
    const rows = Array.from({ length: this.#xterm.rows }, (_, row) => {
      const line = active.getLine(active.baseY + row);
      let [text, style] = ["", ""];
      for (let column = 0; column < (line?.translateToString(true).length ?? 0); column += 1) {
        const cell = line?.getCell(column);
        if (!cell) break;
        const next = styleOf(cell);
        if (next !== style) text += `${style === "" ? "" : "⟩"}${next === "" ? "" : `⟨${next}|`}`;
        style = next;
        text += cell.getWidth() === 0 ? "" : cell.getChars() || " ";
      }
      return style === "" ? text : `${text}⟩`;
    });
    return rows.join("\n").trimEnd();
  }

  /** Column and row of the hardware cursor on the screen, from 0. */
  async cursor(): Promise<readonly [number, number]> {
    await this.settled();
    const { active } = this.#xterm.buffer;
    return [active.cursorX, active.cursorY];
  }
}

const COLOURS = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

type StyledCell = NonNullable<
  ReturnType<NonNullable<ReturnType<InstanceType<typeof xterm.Terminal>["buffer"]["active"]["getLine"]>>["getCell"]>
>;

const styleOf = (cell: StyledCell): string =>
  [
    cell.isFgDefault() ? "" : (COLOURS[cell.getFgColor() % 8] ?? ""),
    cell.isBold() ? "bold" : "",
    cell.isDim() ? "dim" : "",
    cell.isItalic() ? "italic" : "",
    cell.isUnderline() ? "underlined" : "",
    cell.isInverse() ? "inverse" : "",
  ]
    .filter((part) => part !== "")
    .join(" ");

/** Waits until a condition holds; fails with what was seen last. */
export async function until<T>(
  probe: () => Promise<T> | T,
  holds: (value: T) => boolean,
  what = "condition",
): Promise<T> {
  const end = performance.now() + 15_000;
  for (;;) {
    const value = await probe();
    if (holds(value)) return value;
    if (performance.now() > end) throw new Error(`${what} did not come true; last seen:\n${String(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
