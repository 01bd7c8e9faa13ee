/**
 * Real pipes for child processes.
 * Platform fact: Node connects children through socket pairs, and opening /dev/stdout, /dev/stderr or /dev/stdin
 * fails on a socket (ENXIO), which shell scripts do. Node cannot call pipe(2); a named pipe whose name is removed
 * again behaves the same. Owns a small stock of them; hands out descriptors. Linux only, as it reopens /proc/self/fd.
 */
import { closeSync, constants, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "./run-program.js";

const BATCH = 32;
const LOW = 8;
/** Pipes that are kept after use: each costs a descriptor. */
const MOST = 64;

/** Node has no name for it: keeps a file reachable without being one of the pipe's ends. */
const O_PATH = 0o10000000;
const { O_RDONLY, O_WRONLY, O_RDWR, O_NONBLOCK } = constants;

export interface Pipe {
  /** Our end: never blocks, close-on-exec. */
  readonly ours: number;
  /** The other end, to be opened by whoever gives it to the child; it blocks, as programs expect. */
  readonly path: string;
  readonly flags: number;
  /** Must be called when the other end was opened, or will not be. */
  release(): void;
}

/** Each descriptor keeps one nameless pipe reachable that nobody has open, and that is empty therefore. */
const stock: number[] = [];
let filling: Promise<void> | undefined;
let unavailable = process.platform !== "linux";

/** Takes a pipe for each direction out of the stock; undefined: this system has none for us. */
export async function takePipes(directions: readonly ("fromChild" | "toChild")[]): Promise<Pipe[] | undefined> {
  while (stock.length < directions.length && !unavailable) await fill();
  if (unavailable) return undefined;
  const pipes = directions.map((direction) => openPipe(stock.pop() as number, direction));
  if (stock.length < LOW) void fill();
  return pipes;
}

function openPipe(holder: number, direction: "fromChild" | "toChild"): Pipe {
  const own = `/proc/self/fd/${holder}`;
  const path = `/proc/${process.pid}/fd/${holder}`;
  if (direction === "fromChild") {
    const ours = openSync(own, O_RDONLY | O_NONBLOCK);
    return { ours, path, flags: O_WRONLY, release: () => closeSync(holder) };
  }
  // Nobody can open the end that writes before somebody reads.
  const reader = openSync(own, O_RDWR | O_NONBLOCK);
  const release = () => {
    closeSync(reader);
    closeSync(holder);
  };
  return { ours: openSync(own, O_WRONLY | O_NONBLOCK), path, flags: O_RDONLY, release };
}

/**
 * For the end that reads, when it has come to the end of file: puts the pipe back into the stock. `close` must close
 * the descriptor. Not for the pipe of a confined process, which may have kept a way to it.
 */
export function recyclePipe(ours: number, close: () => void): void {
  let holder: number | undefined;
  if (stock.length < MOST) {
    try {
      holder = openSync(`/proc/self/fd/${ours}`, O_PATH);
    } catch {
      // No descriptor is free: the next one makes a new pipe.
    }
  }
  close();
  if (holder === undefined) return;
  if (hasReader(holder)) closeSync(holder);
  else stock.push(holder);
}

/** A program can open its output for reading; what comes next through the pipe is not for it. */
function hasReader(holder: number): boolean {
  try {
    closeSync(openSync(`/proc/self/fd/${holder}`, O_WRONLY | O_NONBLOCK));
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ENXIO";
  }
}

function fill(): Promise<void> {
  filling ??= makeBatch().finally(() => {
    filling = undefined;
  });
  return filling;
}

async function makeBatch(): Promise<void> {
  let folder: string | undefined;
  try {
    const home = mkdtempSync(join(tmpdir(), "turnkit-pipes-"));
    folder = home;
    const paths = Array.from({ length: BATCH }, (_, index) => join(home, String(index)));
    await runProgram("mkfifo", ["-m", "600", ...paths]);
    for (const path of paths) stock.push(openSync(path, O_PATH));
  } catch {
    unavailable = stock.length === 0;
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}
