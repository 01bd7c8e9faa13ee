/**
 * The terminal this process runs in: raw mode, the modes that are switched on and always off again, size, bytes, and
 * the signals that go with a terminal. Owns no decoding and no drawing.
 */
import { StringDecoder } from "node:string_decoder";
import { signalExitCode } from "../../exit.js";
import type { Size } from "./inline-screen.js";

/** What the terminal, or the system on its behalf, tells the program that has it. */
export interface TerminalEvents {
  /** Bytes as text, whole characters only. */
  input(text: string): void;
  resized(): void;
  /** The terminal is gone (null), or the program was told to end. */
  ended(signal: NodeJS.Signals | null): void;
  /** Somebody asked the program to stop for a while; without this it stops as it is. */
  stopping?(): void;
  /** The program was stopped without having been asked, and goes on: nothing of what it had drawn can be relied on. */
  continued?(): void;
}

export interface TerminalPort {
  size(): Size;
  write(text: string): void;
  start(events: TerminalEvents): void;
  /** Gives the terminal back as it was. Can be started again. */
  stop(): void;
  /** Stops the program and those started with it, as the shell's job control does. Resolves when it goes on. */
  stopProcess(): Promise<void>;
}

/** Bracketed paste, focus reports, and kitty's unambiguous keys (ignored where unknown). */
const MODES_ON = "\x1b[?2004h\x1b[?1004h\x1b[>1u";
const MODES_OFF = "\x1b[<u\x1b[?1004l\x1b[?2004l\x1b[?25h";
const ENDINGS = ["SIGTERM", "SIGHUP", "SIGINT"] as const;
/** A program without a shell that could continue it is not stopped by the system: then it goes on after this time. */
const NOT_STOPPED_MS = 200;

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

  start(events: TerminalEvents): void {
    const decoder = new StringDecoder("utf8");
    const onData = (bytes: Buffer): void => {
      const text = decoder.write(bytes);
      if (text !== "") events.input(text);
    };
    const onEnd = (): void => events.ended(null);
    const onResize = (): void => events.resized();
    const take = (): void => {
      this.input.setRawMode(true);
      this.output.write(MODES_ON);
    };
    const restore = (): void => {
      this.output.write(MODES_OFF);
      this.input.setRawMode(false);
    };
    let ending = false;
    const onEnding = (signal: NodeJS.Signals): void => {
      if (ending) process.exit(signalExitCode(signal));
      ending = true;
      events.ended(signal);
    };
    const onStopping = (): void => events.stopping?.();
    const onContinued = (): void => {
      // The mode that Node remembers is not the one that the shell has left.
      this.input.setRawMode(false);
      take();
      events.continued?.();
    };
    this.input.on("data", onData).on("end", onEnd);
    this.input.resume();
    this.output.on("resize", onResize);
    take();
    for (const signal of ENDINGS) process.on(signal, onEnding);
    if (events.stopping) process.on("SIGTSTP", onStopping);
    process.on("SIGCONT", onContinued);
    // A crash must not leave the shell without echo.
    process.on("exit", restore);
    this.#stop = () => {
      process.off("exit", restore).off("SIGCONT", onContinued).off("SIGTSTP", onStopping);
      for (const signal of ENDINGS) process.off(signal, onEnding);
      this.input.off("data", onData).off("end", onEnd);
      this.output.off("resize", onResize);
      restore();
      this.input.pause();
    };
  }

  stop(): void {
    this.#stop?.();
    this.#stop = null;
  }

  stopProcess(): Promise<void> {
    return new Promise((resolve) => {
      const goOn = (): void => {
        clearTimeout(timer);
        process.off("SIGCONT", goOn);
        resolve();
      };
      const timer = setTimeout(goOn, NOT_STOPPED_MS);
      process.on("SIGCONT", goOn);
      // To the group: a program that started this one, such as a package runner, is part of the job.
      process.kill(0, "SIGTSTP");
    });
  }
}
