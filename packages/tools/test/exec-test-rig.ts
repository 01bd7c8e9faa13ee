/** Unified exec for tests: a host without processes and a clock that stands still. */
import type { EventMsg } from "@turnkit/protocol";
import type { NetworkApproval } from "../src/ports.js";
import { FakeProcessHost, ManualClock, ManualPause, toolTurn } from "../src/testing/index.js";
import { type ExecResult, UnifiedExec } from "../src/unified-exec/unified-exec.js";

export class Denial implements NetworkApproval {
  denied: string | undefined;
  finished = 0;
  finishing: string | undefined;
  readonly env = { HTTP_PROXY: "http://127.0.0.1:9" };
  readonly #listeners = new Set<() => void>();
  onDenied(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
  async finish(): Promise<string | undefined> {
    this.finished += 1;
    return this.finishing ?? this.denied;
  }
  deny(message: string): void {
    this.denied = message;
    for (const listener of [...this.#listeners]) listener();
  }
}

export function setup(options: { maxPollMs?: number; approval?: Denial; ids?: readonly number[] } = {}) {
  const host = new FakeProcessHost();
  const clock = new ManualClock();
  const pause = new ManualPause();
  const events: { readonly turnId: string; readonly event: EventMsg }[] = [];
  let next = 0;
  const ids = options.ids;
  const exec = new UnifiedExec({
    host,
    clock,
    pause,
    emit: (turnId, event) => events.push({ turnId, event }),
    maxPollMs: options.maxPollMs,
    network: options.approval && { register: () => options.approval },
    // Ids count up; other random digits are of no interest.
    random: ids ? () => (ids[next++] ?? 0) / 100_000 : undefined,
  });
  const abort = new AbortController();
  const start = (changes: Partial<Parameters<UnifiedExec["exec"]>[0]> = {}) =>
    exec.exec({
      sessionId: exec.reserveId(),
      callId: "exec-call",
      turn: toolTurn(),
      command: "run it",
      argv: ["/bin/bash", "-lc", "run it"],
      cwd: "/proj",
      env: { A: "1" },
      tty: true,
      yieldMs: 250,
      sandbox: null,
      holdsDenial: false,
      signal: abort.signal,
      ...changes,
    });
  const write = (sessionId: number, chars = "", yieldMs = 250, signal = abort.signal) =>
    exec.write({ sessionId, chars, yieldMs, turnId: "turn-2", signal });
  const poll = (sessionId: number) =>
    exec.write({ sessionId, chars: "", yieldMs: undefined, turnId: "turn-2", signal: abort.signal });
  const names = () => events.map(({ event }) => event.type.replace("exec_command_", ""));
  /** A live terminal, past its first yield. */
  const live = async (changes: Partial<Parameters<UnifiedExec["exec"]>[0]> = {}) => {
    const result = start(changes);
    await clock.advance(400);
    const done = await result;
    return { id: done.sessionId!, process: host.processes.at(-1)!, result: done };
  };
  return { host, clock, pause, events, exec, abort, start, write, poll, names, live };
}

export const text = (result: ExecResult) => new TextDecoder().decode(result.content.bytes);

export async function during<T>(clock: ManualClock, work: Promise<T>, ms: number): Promise<T> {
  work.catch(() => {});
  await clock.advance(ms);
  return await work;
}
