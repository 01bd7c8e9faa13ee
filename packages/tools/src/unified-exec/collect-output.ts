/**
 * The wait for output: until the deadline, or soon after the process has ended. Output alone ends only a long wait that
 * nobody has asked for.
 * While the session is paused the deadline moves along. Shared by exec_command and write_stdin.
 */
import type { Clock, PauseSignal } from "../ports.js";
import { ToolAborted } from "../tool.js";
import { POST_EXIT_DRAIN_MS } from "./limits.js";
import { OutputWindow, type WindowContent } from "./output-window.js";

/** What the wait looks at; a managed process is one. */
export interface OutputSource {
  readonly pending: OutputWindow;
  readonly exited: boolean;
  /** No more output can come. */
  readonly outputClosed: boolean;
  /** Called on output, exit and close; returns the unsubscriber. */
  onActivity(listener: () => void): () => void;
}

export interface CollectOptions {
  readonly source: OutputSource;
  readonly clock: Clock;
  readonly pause: PauseSignal;
  readonly signal: AbortSignal;
  /** Moment on the clock at which the wait ends. */
  readonly deadline: number;
  /** Once something has come, the wait lasts this many milliseconds more at most; absent: output does not end it. */
  readonly afterOutputMs?: number | undefined;
}

/** @throws {ToolAborted} the turn was interrupted; what was taken so far is put back for the next reader */
export async function collectOutput(options: CollectOptions): Promise<WindowContent> {
  const { source, clock, pause, signal } = options;
  const taken = new OutputWindow();
  let { deadline, afterOutputMs } = options;
  let drainDeadline: number | undefined;
  const putBack = () => {
    const newer = new OutputWindow();
    source.pending.drainInto(newer);
    taken.drainInto(source.pending);
    newer.drainInto(source.pending);
    return new ToolAborted();
  };
  for (;;) {
    if (signal.aborted) throw putBack();
    if (pause.paused) {
      const since = clock.now();
      await wakeUp(options, undefined);
      const pausedFor = clock.now() - since;
      deadline += pausedFor;
      if (drainDeadline !== undefined) drainDeadline += pausedFor;
      continue;
    }
    const now = clock.now();
    source.pending.drainInto(taken);
    if (afterOutputMs !== undefined && !taken.isEmpty) {
      deadline = Math.min(deadline, now + afterOutputMs);
      afterOutputMs = undefined;
    }
    if (now >= deadline || (source.exited && source.outputClosed)) break;
    let until = deadline;
    if (source.exited) {
      drainDeadline ??= Math.min(deadline, now + POST_EXIT_DRAIN_MS);
      if (now >= drainDeadline) break;
      until = Math.min(deadline, drainDeadline);
    }
    await wakeUp(options, until - now);
  }
  return taken.content();
}

/** Resolves on activity, on a change of the pause, on abort, or after `ms`. */
async function wakeUp(options: CollectOptions, ms: number | undefined): Promise<void> {
  const { source, clock, pause, signal } = options;
  const undo: (() => void)[] = [];
  await new Promise<void>((resolve) => {
    const wake = () => resolve();
    undo.push(pause.onChange(wake));
    // While paused only the end of the pause (or of the turn) matters.
    if (ms !== undefined) undo.push(source.onActivity(wake), clock.after(ms, wake));
    signal.addEventListener("abort", wake);
    undo.push(() => signal.removeEventListener("abort", wake));
  });
  for (const each of undo) each();
}
