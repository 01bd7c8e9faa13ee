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

export interface Pipe {
  /** Our end: never blocks, close-on-exec. */
  readonly ours: number;
  /** The other end, to be opened by whoever gives it to the child; it blocks, as programs expect. */
  readonly path: string;
  readonly flags: number;
  /** Must be called when the other end was opened, or will not be. */
  release(): void;
}

/** Each descriptor keeps one nameless pipe alive until its ends are opened. */
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
  const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;
  const [mine, other] = direction === "fromChild" ? [O_RDONLY, O_WRONLY] : [O_WRONLY, O_RDONLY];
  return {
    ours: openSync(`/proc/self/fd/${holder}`, mine | O_NONBLOCK),
    path: `/proc/${process.pid}/fd/${holder}`,
    flags: other,
    release: () => closeSync(holder),
  };
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
    for (const path of paths) stock.push(openSync(path, constants.O_RDWR | constants.O_NONBLOCK));
  } catch {
    unavailable = stock.length === 0;
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}
