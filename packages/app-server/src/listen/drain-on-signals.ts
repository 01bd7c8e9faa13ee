/**
 * How a listening server ends when it is told to: running turns may finish first, a second signal ends it at once.
 * A server over stdio has no such wait: it dies by the signal, and with its client.
 */
import type { AppServer } from "../app-server.js";

const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

export interface SignalledEnd extends Disposable {
  /** Resolves when the server should end now. */
  readonly ended: Promise<void>;
}

export function drainOnSignals(server: AppServer, log: (line: string) => void): SignalledEnd {
  let onSignal: (name: NodeJS.Signals) => void = () => {};
  const ended = new Promise<void>((resolve) => {
    let asked = false;
    onSignal = (name) => {
      if (asked) {
        resolve();
        return;
      }
      asked = true;
      const turns = server.runningTurns;
      if (turns > 0) log(`${name}: waiting for ${turns} running turn${turns === 1 ? "" : "s"}; again to end them now`);
      void server.turnsEnded().then(resolve);
    };
  });
  for (const name of signals) process.on(name, onSignal);
  return {
    ended,
    [Symbol.dispose]() {
      for (const name of signals) process.off(name, onSignal);
    },
  };
}
