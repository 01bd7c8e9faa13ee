/** Writes that fail, network approval, and the table of processes. */
import { describe, expect, test } from "vitest";
import { Denial, during, setup, text } from "../../test/exec-test-rig.js";
import { type FakeProcess, settle } from "../testing/index.js";

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
