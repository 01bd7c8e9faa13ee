/** exec_command and write_stdin against a host without processes and a clock that stands still. */
import type { EventMsg } from "@turnkit/protocol";
import { describe, expect, test } from "vitest";
import type { NetworkApproval } from "../ports.js";
import { type FakeProcess, FakeProcessHost, ManualClock, ManualPause, settle, toolTurn } from "../testing/index.js";
import { ToolAborted } from "../tool.js";
import { type ExecResult, UnifiedExec } from "./unified-exec.js";

class Denial implements NetworkApproval {
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

function setup(options: { maxPollMs?: number; approval?: Denial; ids?: readonly number[] } = {}) {
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
      cwd: "/work",
      env: { A: "1" },
      tty: true,
      yieldMs: 250,
      sandbox: null,
      signal: abort.signal,
      ...changes,
    });
  const write = (sessionId: number, chars = "", yieldMs = 250, signal = abort.signal) =>
    exec.write({ sessionId, chars, yieldMs, turnId: "turn-2", signal });
  const names = () => events.map(({ event }) => event.type.replace("exec_command_", ""));
  /** A live terminal, past its first yield. */
  const live = async (changes: Partial<Parameters<UnifiedExec["exec"]>[0]> = {}) => {
    const result = start(changes);
    await clock.advance(400);
    const done = await result;
    return { id: done.sessionId!, process: host.processes.at(-1)!, result: done };
  };
  return { host, clock, pause, events, exec, abort, start, write, names, live };
}

const text = (result: ExecResult) => new TextDecoder().decode(result.content.bytes);

async function during<T>(clock: ManualClock, work: Promise<T>, ms: number): Promise<T> {
  work.catch(() => {});
  await clock.advance(ms);
  return await work;
}

describe("exec_command", () => {
  test("a command that ends at once is announced and ended together, without deltas", async () => {
    const { host, start, events, names, exec, clock } = setup();
    host.onStart = (process) => {
      process.print("hi\n");
      process.exit(0);
    };
    const result = await during(clock, start(), 0);
    expect(text(result)).toBe("hi\n");
    expect(result).toMatchObject({ exitCode: 0, sessionId: undefined, wallTimeMs: 0 });
    expect(names()).toEqual(["begin", "end"]);
    expect(events[1]?.event).toMatchObject({
      call_id: "exec-call",
      aggregated_output: "hi\n",
      stdout: "hi\n",
      exit_code: 0,
      status: "completed",
      duration: { secs: 0, nanos: 0 },
    });
    expect(exec.list()).toEqual([]);
  });

  test("one that lives is announced after the grace, and what it printed in it is delivered", async () => {
    const { host, start, names, clock, exec } = setup();
    host.onStart = (process) => process.print("early ");
    const result = start({ yieldMs: 1_000 });
    await clock.advance(149);
    expect(names()).toEqual([]);
    await clock.advance(1);
    expect(names()).toEqual(["begin", "output_delta"]);
    host.processes[0]!.print("later");
    expect(names()).toEqual(["begin", "output_delta", "output_delta"]);
    await clock.advance(999);
    expect(exec.list()).toMatchObject([{ itemId: "exec-call", command: "run it", cwd: "/work" }]);
    const done = await during(clock, result, 1);
    expect(text(done)).toBe("early later");
    expect(done.wallTimeMs).toBe(1_000);
    expect(done.sessionId).toBeGreaterThanOrEqual(1_000);
  });

  test.each([
    [0, 250],
    [250, 250],
    [5_000, 5_000],
    [45_000, 30_000],
  ])("a yield of %d ms waits %d", async (yieldMs, expected) => {
    const { start, clock } = setup();
    let done = false;
    const result = start({ yieldMs }).then((value) => {
      done = true;
      return value;
    });
    await clock.advance(150 + expected - 1);
    expect(done).toBe(false);
    await clock.advance(1);
    expect((await result).wallTimeMs).toBe(expected);
  });

  test("the exit ends the wait, output does not", async () => {
    const { host, start, clock, names } = setup();
    const result = start({ yieldMs: 10_000 });
    await clock.advance(200);
    host.processes[0]!.print("a");
    await clock.advance(800);
    host.processes[0]!.exit(7);
    const done = await result;
    expect(done).toMatchObject({ exitCode: 7, sessionId: undefined, wallTimeMs: 850 });
    expect(names()).toEqual(["begin", "output_delta", "end"]);
  });

  test("a descendant that holds the output costs 50 ms and no more", async () => {
    const { host, start, clock } = setup();
    const result = start({ yieldMs: 10_000 });
    await clock.advance(200);
    host.processes[0]!.print("a");
    host.processes[0]!.exitOnly(0);
    const done = await during(clock, result, 100);
    expect(done).toMatchObject({ exitCode: 0, sessionId: undefined, wallTimeMs: 100 });
    expect(text(done)).toBe("a");
  });

  test("a person being asked moves the deadline, two holders overlapping included", async () => {
    const { start, clock, pause } = setup();
    let done = false;
    const result = start({ yieldMs: 1_000 }).then((value) => {
      done = true;
      return value;
    });
    await clock.advance(650);
    pause.set(true);
    await clock.advance(3_000);
    pause.set(false);
    await clock.advance(499);
    expect(done).toBe(false);
    const result2 = await during(clock, result, 1);
    expect(result2.wallTimeMs).toBe(4_000);
  });

  test("what cannot be started is told in the reference's form", async () => {
    const { host, start, exec } = setup();
    host.startError = new Error("No such file or directory (os error 2)");
    await expect(start({ sessionId: 4_242 })).rejects.toMatchObject({
      debug:
        'CreateProcess { message: "Rejected(\\"Failed to create unified exec process: No such file or directory (os error 2)\\")" }',
    });
    expect(exec.list()).toEqual([]);
  });

  test("an interruption leaves the process; its end is reported later for the turn it began in", async () => {
    const { host, start, clock, abort, events, exec } = setup();
    const result = start({ yieldMs: 10_000 });
    await clock.advance(500);
    abort.abort();
    await expect(result).rejects.toBeInstanceOf(ToolAborted);
    expect(exec.list()).toHaveLength(1);
    host.processes[0]!.exit(0);
    await settle();
    expect(events.at(-1)).toMatchObject({ turnId: "turn-1", event: { type: "exec_command_end", exit_code: 0 } });
  });

  test("an interruption within the grace ends the process", async () => {
    const { host, start, clock, abort, exec, names } = setup();
    const result = start();
    await clock.advance(100);
    abort.abort();
    await expect(result).rejects.toBeInstanceOf(ToolAborted);
    expect(host.processes[0]!.terminations).toBe(1);
    expect(exec.list()).toEqual([]);
    expect(names()).toEqual([]);
  });

  test("one that is cleaned away while it is waited for is unknown", async () => {
    const { start, clock, exec, events } = setup();
    const result = start({ yieldMs: 5_000, sessionId: 5_555 });
    result.catch(() => {});
    await clock.advance(500);
    await exec.clean();
    await expect(result).rejects.toMatchObject({ debug: "UnknownProcessId { process_id: 5555 }" });
    expect(events.at(-1)?.event).toMatchObject({ type: "exec_command_end", exit_code: -1, status: "failed" });
  });

  test("a lost process fails with the host's words", async () => {
    const { host, start, clock, exec, events } = setup();
    const result = start({ yieldMs: 5_000 });
    result.catch(() => {});
    await clock.advance(500);
    host.processes[0]!.print("so far");
    host.processes[0]!.fail("connection lost");
    await expect(result).rejects.toMatchObject({ debug: 'ProcessFailed { message: "connection lost" }' });
    await settle();
    expect(events.at(-1)?.event).toMatchObject({
      aggregated_output: "so far\nconnection lost",
      stderr: "connection lost",
      exit_code: -1,
      status: "failed",
    });
    expect(exec.list()).toEqual([]);
  });
});

describe("write_stdin", () => {
  test("writes exactly what it is given, waits 100 ms, then yields", async () => {
    const { live, write, clock, events } = setup();
    const { id, process } = await live();
    process.onWrite = () => process.print("echo");
    let done = false;
    const result = write(id, "a\u0003b").then((value) => {
      done = true;
      return value;
    });
    await clock.advance(349);
    expect(done).toBe(false);
    const value = await during(clock, result, 1);
    expect(process.written).toEqual(["a\u0003b"]);
    expect(value).toMatchObject({ sessionId: id, exitCode: undefined, wallTimeMs: 250 });
    expect(text(value)).toBe("echo");
    expect(events.at(-1)).toEqual({
      turnId: "turn-2",
      event: { type: "terminal_interaction", call_id: "exec-call", process_id: String(id), stdin: "a\u0003b" },
    });
  });

  test.each([
    ["poll", 1, 5_000],
    ["poll", 5_000, 5_000],
    ["poll", 7_000, 7_000],
    ["poll", 40_000, 40_000],
    ["poll", 400_000, 300_000],
    ["write", 1, 350],
    ["write", 40_000, 30_100],
  ])("a %s of %d ms returns after %d", async (kind, yieldMs, expected) => {
    const { live, write, clock } = setup();
    const { id } = await live();
    let done = false;
    const result = write(id, kind === "poll" ? "" : "x", yieldMs).then(() => {
      done = true;
    });
    await clock.advance(expected - 1);
    expect(done).toBe(false);
    await clock.advance(1);
    await result;
  });

  test.each([
    [7_000, 20_000, 7_000],
    [10, 20_000, 5_000],
  ])("the longest poll is configured as %d ms: %d becomes %d", async (maxPollMs, yieldMs, expected) => {
    const { live, write, clock } = setup({ maxPollMs });
    const { id } = await live();
    const result = write(id, "", yieldMs);
    expect((await during(clock, result, expected)).wallTimeMs).toBe(expected);
  });

  test("an empty poll reads, and the one that sees the end reports no interaction", async () => {
    const { live, write, clock, names } = setup();
    const { id, process } = await live();
    process.print("tick");
    const first = await during(clock, write(id), 5_000);
    expect(text(first)).toBe("tick");
    expect(names().at(-1)).toBe("terminal_interaction");
    const second = write(id);
    await clock.advance(10);
    process.print("bye");
    process.exit(3);
    const end = await second;
    expect(end).toMatchObject({ exitCode: 3, sessionId: undefined });
    expect(names().slice(-2)).toEqual(["output_delta", "end"]);
    await expect(write(id)).rejects.toThrow(`Unknown process id ${id}`);
  });

  test("a write that sees the end reports its interaction before the end", async () => {
    const { live, write, clock, names } = setup();
    const { id, process } = await live();
    process.onWrite = () => {
      process.print("^D");
      process.exit(0);
    };
    const result = await during(clock, write(id, "\u0004"), 200);
    expect(result).toMatchObject({ exitCode: 0, sessionId: undefined });
    expect(names().slice(-3)).toEqual(["output_delta", "terminal_interaction", "end"]);
  });

  test("a process that ended between calls is read once more", async () => {
    const { live, write, clock } = setup();
    const { id, process } = await live();
    process.print("last words");
    process.exit(9);
    await settle();
    const result = await during(clock, write(id, "too late"), 200);
    expect(result).toMatchObject({ exitCode: 9, sessionId: undefined });
    expect(text(result)).toBe("last words");
    await expect(write(id)).rejects.toThrow(`Unknown process id ${id}`);
  });

  test.each(["x", "\u0003\u0003", "\u0004", "\n"])(
    "pipes have no input: %j is refused and nothing is reported",
    async (chars) => {
      const { live, write, names, exec } = setup();
      const { id, process } = await live({ tty: false });
      const before = names().length;
      await expect(write(id, chars)).rejects.toThrow(
        "stdin is closed for this session; rerun exec_command with tty=true to keep stdin open",
      );
      expect([process.interrupts, process.written, names().length, exec.list().length]).toEqual([0, [], before, 1]);
    },
  );

  test("pipes take exactly one Ctrl-C, as an interrupt", async () => {
    const { live, write, clock } = setup();
    const { id, process } = await live({ tty: false });
    const result = write(id, "\u0003");
    await settle();
    expect(process.interrupts).toBe(1);
    process.exit(130);
    expect(await during(clock, result, 0)).toMatchObject({ exitCode: 130, sessionId: undefined });
  });

  test("two writes to one process follow each other and each sees its own output", async () => {
    const { live, write, clock } = setup();
    const { id, process } = await live();
    process.onWrite = (chars) => process.print(`<${chars}>`);
    const first = write(id, "1", 1_000);
    const second = write(id, "2", 1_000);
    await clock.advance(1_100);
    expect(process.written).toEqual(["1", "2"]);
    expect(text(await first)).toBe("<1>");
    expect(text(await during(clock, second, 1_100))).toBe("<2>");
  });

  test("calls to different processes run side by side", async () => {
    const { live, write, clock } = setup();
    const [one, two] = [await live(), await live()];
    const results = Promise.all([write(one.id, "a", 2_000), write(two.id, "b", 2_000)]);
    const started = clock.now();
    await during(clock, results, 2_100);
    expect(clock.now() - started).toBe(2_100);
  });

  test("an entry that is replaced while waiting for its turn is unknown, and the new one is not touched", async () => {
    const { live, write, exec, clock, host, start } = setup();
    const { id } = await live();
    const holding = write(id, "first", 1_000);
    const waiting = write(id, "second");
    waiting.catch(() => {});
    await settle();
    expect(await exec.terminate(id)).toBe(true);
    const newer = await during(clock, start({ sessionId: id }), 1_500);
    expect(newer.sessionId).toBe(id);
    await holding;
    await expect(waiting).rejects.toThrow(`Unknown process id ${id}`);
    expect(host.processes[1]!.written).toEqual([]);
    expect(exec.list()).toHaveLength(1);
  });

  test("an interruption frees the process for the next call", async () => {
    const { live, write, clock } = setup();
    const { id, process } = await live();
    process.print("kept");
    const own = new AbortController();
    const cut = write(id, "", 10_000, own.signal);
    const queued = write(id, "", 10_000, own.signal);
    queued.catch(() => {});
    await clock.advance(100);
    own.abort();
    await expect(cut).rejects.toBeInstanceOf(ToolAborted);
    await expect(queued).rejects.toBeInstanceOf(ToolAborted);
    // What the cut call had already taken is not lost.
    expect(text(await during(clock, write(id), 5_000))).toBe("kept");
  });
});

describe("a write that fails", () => {
  test.each(["unknownProcess", "stdinClosed"] as const)(
    "%s marks the process as ended; its code so far and its output are reported",
    async (status) => {
      const { live, write, clock, exec } = setup();
      const { id, process } = await live();
      process.print("so far");
      process.writeResults.push(status);
      const result = await during(clock, write(id, "x"), 10);
      expect(result).toMatchObject({ exitCode: undefined, sessionId: undefined });
      expect(text(result)).toBe("so far");
      expect(exec.list()).toEqual([]);
    },
  );

  test("starting fails the write and marks nothing", async () => {
    const { live, write, exec, clock } = setup();
    const { id, process } = await live();
    process.writeResults.push("starting");
    await expect(write(id, "x")).rejects.toThrow("failed to write to stdin");
    expect(exec.list()).toHaveLength(1);
    process.print("still here");
    expect(text(await during(clock, write(id), 5_000))).toBe("still here");
  });

  test("after the exit the final output and code come instead of an error", async () => {
    const { live, write, clock } = setup();
    const { id, process } = await live();
    process.print("end");
    process.exit(4);
    process.writeResults.push(new Error("connection lost"));
    const result = await during(clock, write(id, "x"), 200);
    expect(result).toMatchObject({ exitCode: 4, sessionId: undefined });
    expect(text(result)).toBe("end");
  });

  test("a lost connection ends the process, frees the id and is the error", async () => {
    const { live, write, exec, clock, events } = setup();
    const { id, process } = await live();
    process.writeResults.push(new Error("connection lost"));
    const result = write(id, "x");
    await expect(during(clock, result, 10)).rejects.toThrow("Unified exec process failed: connection lost");
    expect(process.terminations).toBe(1);
    expect(exec.list()).toEqual([]);
    await expect(write(id)).rejects.toThrow(`Unknown process id ${id}`);
    await settle();
    expect(events.at(-1)?.event).toMatchObject({ type: "exec_command_end", exit_code: -1 });
  });
});

describe("network approval", () => {
  test("variables lead the command to the proxy", async () => {
    const { live, host } = setup({ approval: new Denial() });
    await live();
    expect(host.processes[0]!.request.env).toEqual({ A: "1", HTTP_PROXY: "http://127.0.0.1:9" });
  });

  test("a denial while the call waits: output first, then the approval, the id, and the root cause", async () => {
    const approval = new Denial();
    const { host, start, clock, exec } = setup({ approval });
    const result = start({ yieldMs: 5_000 });
    result.catch(() => {});
    await clock.advance(300);
    approval.deny("Network access was denied.");
    expect(host.processes[0]!.terminations).toBe(1);
    await expect(during(clock, result, 300)).rejects.toThrow("Network access was denied.");
    expect(approval.finished).toBeGreaterThan(0);
    expect(exec.list()).toEqual([]);
  });

  test("a lost process with a denial: the denial wins", async () => {
    const approval = new Denial();
    const { live, write, clock } = setup({ approval });
    const { id, process } = await live();
    approval.finishing = "rejected by user";
    const result = write(id);
    result.catch(() => {});
    await clock.advance(10);
    process.fail("gone");
    await expect(during(clock, result, 300)).rejects.toThrow("rejected by user");
    await expect(write(id)).rejects.toThrow("Unknown process id");
  });

  test("a denial shortly after the exit makes the end a failure", async () => {
    const approval = new Denial();
    const { live, clock, events } = setup({ approval });
    const { process } = await live();
    process.exit(0);
    await clock.advance(60);
    approval.deny("late");
    await clock.advance(200);
    expect(events.at(-1)?.event).toMatchObject({ type: "exec_command_end", exit_code: -1, stderr: "late" });
  });
});

describe("the table", () => {
  async function fill(count: number) {
    const all = setup();
    const processes: { id: number; process: FakeProcess }[] = [];
    for (let at = 0; at < count; at++) processes.push(await all.live({ callId: `call-${at}` }));
    return { ...all, processes };
  }

  test("holds 64; the longest unused gives way, without a word to the model", async () => {
    const { processes, live, exec, events } = await fill(64);
    await live({ callId: "one too many" });
    await settle();
    expect(exec.list()).toHaveLength(64);
    expect(processes[0]!.process.terminations).toBe(1);
    expect(events.filter(({ event }) => event.type === "exec_command_end")).toMatchObject([
      { event: { call_id: "call-0", exit_code: -1, status: "failed" } },
    ]);
  });

  test("an ended one goes before a live one, and an entry in use is not touched", async () => {
    const { processes, live, exec, write } = await fill(64);
    processes[20]!.process.exit(0);
    await settle();
    await live();
    expect(processes[20]!.process.terminations).toBe(1);
    expect(processes[0]!.process.terminations).toBe(0);
    const busy = write(processes[0]!.id, "", 60_000);
    busy.catch(() => {});
    await live();
    expect([processes[0]!.process.terminations, processes[1]!.process.terminations]).toEqual([0, 1]);
    expect(exec.list().length).toBe(64);
  });

  test("an ended one that is being talked to is not replaced by a live victim", async () => {
    const { host, live, exec, write } = setup();
    const { id, process } = await live();
    const busy = write(id, "x", 30_000);
    busy.catch(() => {});
    // Everything else is younger, so that it is the one to go.
    for (let at = 1; at < 64; at++) await live();
    process.exitOnly(0);
    await live();
    expect(host.processes.filter(({ terminations }) => terminations > 0)).toEqual([]);
    expect(exec.list()).toHaveLength(64);
  });

  test("lists the live ones by id, ends one, ends all", async () => {
    const { exec, live, events } = setup();
    const a = await live({ sessionId: 3_000, command: "b" });
    const b = await live({ sessionId: 2_000, command: "a" });
    expect(exec.list().map(({ processId, command }) => [processId, command])).toEqual([
      ["2000", "a"],
      ["3000", "b"],
    ]);
    expect([await exec.terminate(2_000), await exec.terminate(2_000), await exec.terminate(1)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(b.process.terminations).toBe(1);
    await exec.clean();
    expect(a.process.terminations).toBe(1);
    expect(exec.list()).toEqual([]);
    expect(events.filter(({ event }) => event.type === "exec_command_end")).toHaveLength(2);
  });

  test("ids are random and never two at once", () => {
    const { exec } = setup();
    const ids = new Set(Array.from({ length: 2_000 }, () => exec.reserveId()));
    expect(ids.size).toBe(2_000);
    expect(Math.min(...ids)).toBeGreaterThanOrEqual(1_000);
    expect(Math.max(...ids)).toBeLessThan(100_000);
  });
});
