/**
 * A process on a pseudo-terminal, in a session and process group of its own.
 * Owns the master, and holds the slave open until the end: without that the kernel raises a hang-up while output is
 * still queued, and what was queued is lost. At exit the master is read dry before the ending is reported.
 */
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { ReadStream } from "node:tty";
import { type Child, type ChildListener, type ChildSpec, signalGroup } from "./child.js";
import { exitStatus } from "./exit-status.js";
import { coverDescriptor, uncoverDescriptor, withoutHoles } from "./inherited-descriptors.js";
import { osErrorText, SpawnError } from "./os-error.js";
import { OutputReader, readInto } from "./output-reader.js";
import { checkFolder, resolveProgram } from "./program-lookup.js";
import { helperIsWorth, startThroughHelper } from "./spawn-helper.js";
import { type TerminalAddon, terminalAddon } from "./terminal-addon.js";
import { WriteQueue } from "./write-queue.js";

const ROWS = 24;
const COLS = 80;
/** Wait before trying again when the terminal's input is full: doubled up to the second value, in milliseconds. */
const RETRY_MS = [1, 32] as const;

/** @throws {SpawnError} when the program or the folder cannot be used */
export async function startPtyProcess(spec: ChildSpec, listener: ChildListener): Promise<Child> {
  for (const text of [...spec.argv, spec.cwd, spec.arg0 ?? "", ...Object.entries(spec.env).flat()]) {
    if (text.includes("\0")) throw new SpawnError("nul byte found in provided data");
  }
  const addon = await terminalAddon().catch((error: unknown) => {
    throw new SpawnError(error instanceof Error ? error.message : String(error));
  });
  checkFolder(spec.cwd);
  const [file, args] = command(spec);
  try {
    return helperIsWorth()
      ? await startElsewhere(addon, spec, [file, ...args], listener)
      : startHere(addon, spec, [file, ...args], listener);
  } catch (error) {
    throw error instanceof SpawnError ? error : new SpawnError(osErrorText(error));
  }
}

function startHere(addon: TerminalAddon, spec: ChildSpec, argv: readonly string[], listener: ChildListener): Child {
  const [file = "", ...args] = argv;
  const env = Object.entries(spec.env).map(([key, value]) => `${key}=${value}`);
  let child: PtyProcess | undefined;
  const onExit = (code: number, signal: number) => child?.ended(exitStatus(code, signal));
  const { fd, pid, pty } = withoutHoles(() =>
    addon.fork(file, args, env, spec.cwd, COLS, ROWS, -1, -1, true, "", onExit),
  );
  child = new PtyProcess(addon, { master: fd, slave: openSlave(pty), pid }, listener);
  return child;
}

/** The first terminal that the leader of a new session opens becomes its own; the shell then makes way. */
async function startElsewhere(
  addon: TerminalAddon,
  spec: ChildSpec,
  argv: readonly string[],
  listener: ChildListener,
): Promise<Child> {
  const { master, slave, pty } = addon.open(COLS, ROWS);
  // At once: what starts while the helper answers must not inherit them.
  for (const descriptor of [master, slave]) coverDescriptor(descriptor);
  const foreign = ["PWD", "OLDPWD"].filter((name) => spec.env[name] === undefined);
  const script = `exec 0<>"$0" 1>&0 2>&0; unset ${foreign.join(" ")}; exec "$@"`;
  const nothing = ["/dev/null", constants.O_RDWR] as const;
  try {
    const { pid, onExit } = await startThroughHelper({
      program: "/bin/sh",
      args: ["-c", script, pty, ...argv],
      cwd: spec.cwd,
      env: spec.env,
      arg0: undefined,
      files: [nothing, nothing, nothing],
    });
    const child = new PtyProcess(addon, { master, slave, pid }, listener);
    onExit((status) => child.ended(status));
    return child;
  } catch (error) {
    for (const descriptor of [master, slave]) {
      closeSync(descriptor);
      uncoverDescriptor(descriptor);
    }
    throw error;
  }
}

/** `arg0` only renames; the program looked up stays `argv[0]`. The addon cannot rename, a shell can. */
function command(spec: ChildSpec): [string, readonly string[]] {
  const [program = "", ...args] = spec.argv;
  const file = resolveProgram(program, spec.cwd, spec.env.PATH);
  if (spec.arg0 === undefined || spec.arg0 === program) return [program, args];
  // The shell brings variables of its own along; those the caller did not give are taken out again.
  const foreign = ["SHLVL", "PWD", "OLDPWD"].filter((name) => spec.env[name] === undefined);
  const script = `${foreign.length > 0 ? `unset ${foreign.join(" ")}; ` : ""}exec -a "$0" "$@"`;
  return ["/bin/bash", ["--norc", "-p", "-c", script, spec.arg0, file, ...args]];
}

class PtyProcess implements Child {
  readonly pid: number;
  readonly stdin: WriteQueue;
  readonly #addon: TerminalAddon;
  readonly #listener: ChildListener;
  readonly #master: number;
  readonly #slave: number;
  readonly #reader: OutputReader;
  #exit: number | undefined;
  #paused = false;
  #killed = false;
  #finished = false;

  constructor(addon: TerminalAddon, term: { master: number; slave: number; pid: number }, listener: ChildListener) {
    this.#addon = addon;
    this.pid = term.pid;
    this.#master = term.master;
    this.#slave = term.slave;
    this.#listener = listener;
    coverDescriptor(term.master);
    const reader = new OutputReader(
      (bytes) => listener.output("pty", bytes),
      () => uncoverDescriptor(term.master),
    );
    this.#reader = reader;
    // The type definitions know the socket's options here, the terminal stream passes them on.
    const Stream = ReadStream as unknown as new (descriptor: number, options: object) => ReadStream;
    reader.attach(new Stream(term.master, { onread: readInto(() => reader) }), term.master);
    this.stdin = new WriteQueue((bytes) => this.#write(bytes));
  }

  /** A terminal has no end of input; a program reads ^D as one. */
  closeStdin(): void {
    void Promise.resolve(this.stdin.reserve()).then((granted) => {
      if (granted) this.stdin.send(Buffer.of(4));
    });
  }

  interrupt(): void {
    if (this.#exit === undefined) signalGroup(this.pid, "SIGINT");
  }

  kill(): void {
    if (this.#finished) return;
    this.#killed = true;
    this.stdin.refuse();
    if (this.#exit === undefined) signalGroup(this.pid, "SIGKILL");
    this.resume();
  }

  resize(rows: number, cols: number): void {
    if (!this.#finished) this.#addon.resize(this.#master, cols, rows, 0, 0);
  }

  pause(): void {
    if (this.#killed) return;
    this.#paused = true;
    this.#reader.pause();
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#reader.resume();
    this.#finish();
  }

  ended(exitCode: number): void {
    this.#exit = exitCode;
    this.#finish();
  }

  #finish(): void {
    if (this.#exit === undefined || this.#paused || this.#finished) return;
    this.#finished = true;
    this.#reader.drain();
    this.#reader.close();
    if (this.#slave >= 0) closeSync(this.#slave);
    uncoverDescriptor(this.#slave);
    this.stdin.discard();
    this.#listener.exited(this.#exit);
    this.#listener.closed();
  }

  /** Written by descriptor: the stream classes block or hide a full terminal. */
  #write(bytes: Uint8Array, delay: number = RETRY_MS[0]): Promise<void> | undefined {
    if (this.#finished) return undefined;
    let written = 0;
    try {
      while (written < bytes.byteLength) {
        written += writeSync(this.#master, bytes, written, Math.min(bytes.byteLength - written, 65536));
      }
      return undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return Promise.reject(error);
      const rest = bytes.subarray(written);
      const next = written > 0 ? RETRY_MS[0] : Math.min(delay * 2, RETRY_MS[1]);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          const more = this.#write(rest, next);
          if (more) more.then(resolve, reject);
          else resolve();
        }, delay);
        timer.unref();
      });
    }
  }
}

/** A child that is gone already leaves no slave to hold; its output is still in the master. */
function openSlave(path: string): number {
  try {
    return openSync(path, constants.O_RDWR | constants.O_NOCTTY);
  } catch {
    return -1;
  }
}
