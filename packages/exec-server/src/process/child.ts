/**
 * The port between one operating-system process and whoever manages it.
 * Owns the vocabulary that pipe and terminal processes share; owns no behaviour.
 */
import type { HostStream } from "@turnkit/protocol/exec";
import type { WriteQueue } from "./write-queue.js";

/** What a process is started with. Paths are native and absolute; `env` is the exact environment. */
export interface ChildSpec {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly arg0: string | undefined;
  /** Pipes only: keep stdin open for writes. */
  readonly pipeStdin: boolean;
}

/**
 * Called by a child, in this order: `output` any number of times, `exited` once, perhaps more `output` (a
 * background child that kept a pipe open), `closed` once and last. The bytes belong to the receiver.
 */
export interface ChildListener {
  output(stream: HostStream, bytes: Uint8Array): void;
  exited(exitCode: number): void;
  closed(): void;
}

export interface Child {
  /** Also the id of its process group and session. */
  readonly pid: number;
  /** undefined: stdin is at end of file. */
  readonly stdin: WriteQueue | undefined;
  /** Ends stdin after what is queued. Not for terminals. */
  closeStdin(): void;
  /** SIGINT to the process group. */
  interrupt(): void;
  /** SIGKILL to the process group; `closed` then follows the exit even if an escaped child holds a pipe. */
  kill(): void;
  /** Terminals only. */
  resize?(rows: number, cols: number): void;
  /** Stops reading; the process blocks once its pipe or terminal is full. Endings wait as well. */
  pause(): void;
  resume(): void;
}

/** Longest chunk that is handed on as one output event, in bytes. */
export const MAX_CHUNK_BYTES = 8192;

/** Sends a signal to a whole process group; a group that is gone is no error. */
export function signalGroup(pid: number, signal: "SIGINT" | "SIGKILL"): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}
