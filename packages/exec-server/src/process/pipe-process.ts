/**
 * A process connected by pipes, in a session and process group of its own.
 * Owns its descriptors from start to close; sequence numbers and retention are its listener's business.
 */
import { type StdioOptions, spawn } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import { type Child, type ChildListener, type ChildSpec, MAX_CHUNK_BYTES, signalGroup } from "./child.js";
import { exitStatus } from "./exit-status.js";
import { type Pipe, takePipes } from "./fifo-pool.js";
import { coveringStdio } from "./inherited-descriptors.js";
import { osErrorText, SpawnError } from "./os-error.js";
import { OutputReader, readInto } from "./output-reader.js";
import { checkFormat } from "./program-lookup.js";
import { helperIsWorth, startThroughHelper } from "./spawn-helper.js";
import { WriteQueue } from "./write-queue.js";

/** `confined`: it is kept from what this user may do. @throws {SpawnError} with the operating system's words */
export async function startPipeProcess(spec: ChildSpec, listener: ChildListener, confined: boolean): Promise<Child> {
  const [program] = spec.argv;
  if (program === undefined || program === "") throw new SpawnError("missing program for pipe spawn");
  for (const text of [...spec.argv, spec.cwd, spec.arg0 ?? "", ...Object.entries(spec.env).flat()]) {
    if (text.includes("\0")) throw new SpawnError("nul byte found in provided data");
  }
  checkFormat(program, spec.cwd, spec.env.PATH);
  const pipes = await takePipes(spec.pipeStdin ? ["fromChild", "fromChild", "toChild"] : ["fromChild", "fromChild"]);
  try {
    const started = pipes && helperIsWorth() ? await startElsewhere(spec, pipes) : await startHere(spec, pipes ?? []);
    return new PipeProcess(started, listener, pipes ?? [], confined);
  } catch (error) {
    for (const { ours } of pipes ?? []) closeSync(ours);
    throw error instanceof SpawnError ? error : new SpawnError(osErrorText(error));
  } finally {
    for (const pipe of pipes ?? []) pipe.release();
  }
}

/** A process that runs; its streams are set where it has no pipes of ours. */
interface Started {
  readonly pid: number;
  readonly onExit: (listener: (status: number) => void) => void;
  readonly stdin?: Writable | null;
  readonly stdout?: Readable | null;
  readonly stderr?: Readable | null;
}

async function startHere(spec: ChildSpec, pipes: readonly Pipe[]): Promise<Started> {
  const theirs = pipes.map(({ path, flags }) => openSync(path, flags));
  const [out = "pipe", err = "pipe", into = "pipe"] = theirs;
  const stdio: StdioOptions = [spec.pipeStdin ? into : "ignore", out, err, ...coveringStdio()];
  const [program = "", ...args] = spec.argv;
  try {
    const child = spawn(program, args, {
      cwd: spec.cwd,
      env: Object.assign(Object.create(null), spec.env) as NodeJS.ProcessEnv,
      detached: true,
      stdio,
      ...(spec.arg0 === undefined ? {} : { argv0: spec.arg0 }),
    });
    // A spawn that failed reports so on the next tick; one that worked has its id at once.
    if (child.pid === undefined) throw await new Promise<Error>((resolve) => child.once("error", resolve));
    child.on("error", () => {});
    const onExit = (listener: (status: number) => void) =>
      child.once("exit", (code, signal) => listener(exitStatus(code, signal)));
    return { pid: child.pid, onExit, stdin: child.stdin, stdout: child.stdout, stderr: child.stderr };
  } finally {
    for (const descriptor of theirs) closeSync(descriptor);
  }
}

function startElsewhere(spec: ChildSpec, pipes: readonly Pipe[]): Promise<Started> {
  const [program = "", ...args] = spec.argv;
  const [out, err, into] = pipes.map(({ path, flags }) => [path, flags] as const);
  const files = [into ?? (["/dev/null", constants.O_RDONLY] as const), out, err].filter((file) => file !== undefined);
  return startThroughHelper({ program, args, cwd: spec.cwd, env: spec.env, arg0: spec.arg0, files });
}

class PipeProcess implements Child {
  readonly pid: number;
  readonly stdin: WriteQueue | undefined;
  readonly #listener: ChildListener;
  readonly #readers: readonly OutputReader[];
  /** Named pipes can be drained by descriptor; socket pairs, the fallback, cannot. */
  readonly #drainable: boolean;
  #input: Writable | undefined;
  #exit: number | undefined;
  #exitReported = false;
  #paused = false;
  #killed = false;
  #closed = false;
  #settling = false;

  constructor(started: Started, listener: ChildListener, pipes: readonly Pipe[], confined: boolean) {
    const [out, err, into] = pipes;
    this.pid = started.pid;
    this.#listener = listener;
    this.#drainable = out !== undefined;
    this.#readers = [
      this.#reader("stdout", out, confined, started.stdout),
      this.#reader("stderr", err, confined, started.stderr),
    ];
    this.#input = into ? new Socket({ fd: into.ours, readable: false, writable: true }) : (started.stdin ?? undefined);
    if (this.#input) this.stdin = this.#writeQueue(this.#input);
    started.onExit((status) => {
      this.#exit = status;
      this.#settle();
    });
  }

  closeStdin(): void {
    this.stdin?.end(() => this.#input?.end());
  }

  interrupt(): void {
    if (this.#exit === undefined) signalGroup(this.pid, "SIGINT");
  }

  kill(): void {
    if (this.#closed) return;
    this.#killed = true;
    this.stdin?.refuse();
    if (this.#exit === undefined) signalGroup(this.pid, "SIGKILL");
    // A slow reader must not keep a killed process from ending.
    this.resume();
    this.#settle();
  }

  pause(): void {
    if (this.#killed) return;
    this.#paused = true;
    for (const reader of this.#readers) reader.pause();
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    for (const reader of this.#readers) reader.resume();
    this.#settle();
  }

  #reader(
    stream: "stdout" | "stderr",
    ends: Pipe | undefined,
    confined: boolean,
    fallback: Readable | null | undefined,
  ): OutputReader {
    const reader = new OutputReader(
      (bytes) => this.#listener.output(stream, bytes),
      () => this.#settle(),
    );
    if (ends) {
      const options = { fd: ends.ours, readable: true, writable: false, onread: readInto(() => reader) };
      reader.attachPipe(ends.ours, !confined, () => new Socket(options));
    } else if (fallback) {
      fallback.on("data", (bytes: Buffer) => {
        for (let at = 0; at < bytes.length; at += MAX_CHUNK_BYTES) {
          this.#listener.output(stream, bytes.subarray(at, at + MAX_CHUNK_BYTES));
        }
      });
      reader.attach(fallback as Socket, -1);
    }
    return reader;
  }

  #writeQueue(input: Writable): WriteQueue {
    const queue = new WriteQueue(
      (bytes) =>
        new Promise<void>((resolve, reject) => {
          input.write(bytes, (error) => (error ? reject(error) : resolve()));
        }),
    );
    // The reader is gone (EPIPE): later writes are accepted and vanish.
    input.on("error", () => {});
    input.on("close", () => queue.discard());
    return queue;
  }

  /** Reports whatever ending is due. Output that is already there goes first. */
  #settle(): void {
    if (this.#exit === undefined || this.#paused || this.#closed || this.#settling) return;
    // Draining and closing readers call back here.
    this.#settling = true;
    if (!this.#exitReported) {
      this.#exitReported = true;
      if (this.#drainable) for (const reader of this.#readers) reader.drain();
      this.#input?.destroy();
      this.stdin?.discard();
      this.#listener.exited(this.#exit);
    }
    // An escaped child may hold the pipes for ever: after a kill nobody waits for it.
    if (this.#killed) for (const reader of this.#readers) reader.close();
    this.#settling = false;
    if (this.#readers.some((reader) => reader.open)) return;
    this.#closed = true;
    this.#listener.closed();
  }
}
