/** Turns Ctrl-C and a request to end into an abort that lets work finish tidily; the second one ends at once. */
import { ExitCode, signalExitCode } from "../exit.js";

export interface SignalAbort extends Disposable {
  readonly signal: AbortSignal;
  /** 129, 130 or 143, by the signal that came. */
  readonly exitCode: number;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export function abortOnSignals(): SignalAbort {
  const controller = new AbortController();
  let exitCode: number = ExitCode.interrupted;
  const onSignal = (name: NodeJS.Signals): void => {
    exitCode = signalExitCode(name);
    if (controller.signal.aborted) process.exit(exitCode);
    controller.abort();
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode;
    },
    [Symbol.dispose]() {
      for (const name of SIGNALS) process.off(name, onSignal);
    },
  };
}
