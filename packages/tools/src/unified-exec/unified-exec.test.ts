/** exec_command and write_stdin against a host without processes. */
import { describe, expect, test } from "vitest";
import { during, setup, text } from "../../test/exec-test-rig.js";
import { settle } from "../testing/index.js";
import { ToolAborted } from "../tool.js";

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
    expect(exec.list()).toMatchObject([{ itemId: "exec-call", command: "run it", cwd: "/proj" }]);
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

  test.each([100, 1_000])("its duration counts from its start, before it is announced (%i ms)", async (ms) => {
    const { host, start, clock, events } = setup();
    const startedAt = clock.epochMs();
    const result = start({ yieldMs: 10_000 });
    await clock.advance(ms);
    host.processes[0]!.exit(0);
    await result;
    for (const { event } of [events[0]!, events.at(-1)!]) expect(event).toMatchObject({ started_at_ms: startedAt });
    expect(events.at(-1)?.event).toMatchObject({
      completed_at_ms: startedAt + ms,
      duration: { secs: Math.floor(ms / 1000), nanos: (ms % 1000) * 1e6 },
    });
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

  test("a person being asked moves the deadline", async () => {
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

  test("a poll that does not say how long waits longer the longer nothing comes, until something does", async () => {
    const { live, poll, write, clock } = setup();
    const { id, process } = await live();
    for (const expected of [5_000, 20_000, 80_000, 300_000, 300_000])
      expect((await during(clock, poll(id), expected)).wallTimeMs).toBe(expected);
    const seen = poll(id);
    await clock.advance(100_000);
    process.print("Continue? ");
    await clock.advance(2_000);
    process.print("[y/N]");
    const result = await during(clock, seen, 3_000);
    expect([text(result), result.wallTimeMs]).toEqual(["Continue? [y/N]", 105_000]);
    expect((await during(clock, poll(id), 5_000)).wallTimeMs).toBe(5_000);
    // Typing begins anew as well, and polls that say how long are what they say.
    expect((await during(clock, write(id, "y"), 350)).wallTimeMs).toBe(250);
    expect((await during(clock, poll(id), 5_000)).wallTimeMs).toBe(5_000);
    const asked = write(id, "", 60_000);
    process.print("x");
    expect((await during(clock, asked, 60_000)).wallTimeMs).toBe(60_000);
  });

  test("ten silent minutes cost five polls, and the end is seen at once", async () => {
    const { live, poll, clock } = setup();
    const { id, process } = await live();
    let polls = 0;
    let exitCode: number | undefined;
    const watching = (async () => {
      while (exitCode === undefined) {
        polls += 1;
        ({ exitCode } = await poll(id));
      }
    })();
    await clock.advance(599_600);
    process.exit(0);
    await during(clock, watching, 0);
    expect([polls, exitCode]).toEqual([5, 0]);
  });

  test("the longest wait that is configured holds for polls that do not say how long", async () => {
    const { live, poll, clock } = setup({ maxPollMs: 7_000 });
    const { id } = await live();
    for (const expected of [5_000, 7_000, 7_000])
      expect((await during(clock, poll(id), expected)).wallTimeMs).toBe(expected);
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
