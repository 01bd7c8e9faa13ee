/**
 * The terminal this process runs in: raw mode, the modes that are switched on and always off again, size, bytes.
 * Owns no decoding and no drawing.
 */
import { StringDecoder } from "node:string_decoder";
import type { Size } from "./inline-screen.js";

export interface TerminalPort {
  size(): Size;
  write(text: string): void;
  /** Bytes as text, whole characters only. */
  start(onInput: (text: string) => void, onResize: () => void, onEnd: () => void): void;
  /** Gives the terminal back as it was. Can be started again. */
  stop(): void;
}

/** Bracketed paste, focus reports, and kitty's unambiguous keys (ignored where unknown). */
const MODES_ON = "\x1b[?2004h\x1b[?1004h\x1b[>1u";
const MODES_OFF = "\x1b[<u\x1b[?1004l\x1b[?2004l\x1b[?25h";

export class ProcessTerminal implements TerminalPort {
  #stop: (() => void) | null = null;

  constructor(
    private readonly input: NodeJS.ReadStream = process.stdin,
    private readonly output: NodeJS.WriteStream = process.stdout,
  ) {}

  size(): Size {
    return { columns: this.output.columns || 80, rows: this.output.rows || 24 };
  }

  write(text: string): void {
    this.output.write(text);
  }

  start(onInput: (text: string) => void, onResize: () => void, onEnd: () => void): void {
    const decoder = new StringDecoder("utf8");
    const onData = (bytes: Buffer): void => {
      const text = decoder.write(bytes);
      if (text !== "") onInput(text);
    };
    const restore = (): void => {
      this.output.write(MODES_OFF);
      this.input.setRawMode(false);
    };
    this.input.setRawMode(true);
    this.input.on("data", onData);
    this.input.on("end", onEnd);
    this.input.resume();
    this.output.on("resize", onResize);
    this.output.write(MODES_ON);
    // A crash must not leave the shell without echo.
    process.on("exit", restore);
    this.#stop = () => {
      process.off("exit", restore);
      this.input.off("data", onData);
      this.input.off("end", onEnd);
      this.output.off("resize", onResize);
      restore();
      this.input.pause();
    };
  }

  stop(): void {
    this.#stop?.();
    this.#stop = null;
  }
}
