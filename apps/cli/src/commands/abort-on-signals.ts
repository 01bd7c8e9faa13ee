/** Turns Ctrl-C and a request to end into an abort that lets work finish tidily; the second one ends at once. */
import { ExitCode } from "../exit.js";

export interface SignalAbort extends Disposable {
  readonly signal: AbortSignal;
  /** 130 or 143, by the signal that came. */
  readonly exitCode: number;
}

export function abortOnSignals(): SignalAbort {
  const controller = new AbortController();
  let exitCode: number = ExitCode.interrupted;
  const onSignal = (name: NodeJS.Signals): void => {
    exitCode = name === "SIGTERM" ? ExitCode.terminated : ExitCode.interrupted;
    if (controller.signal.aborted) process.exit(exitCode);
    controller.abort();
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode;
    },
    [Symbol.dispose]() {
      process.off("SIGINT", onSignal);
      process.off("SIGTERM", onSignal);
    },
  };
}
