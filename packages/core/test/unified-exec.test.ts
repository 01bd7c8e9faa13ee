/** Real commands on both hosts: what a model reads and what a client is told. */
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { EventMsg } from "@turnkit/protocol";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { describe, expect, test } from "vitest";
import { type ExecRig, execRig, exitOf, sessionOf, textOf } from "./exec-rig.js";
import { HOSTS, type TestHost } from "./hosts.js";

interface Setup {
  readonly rig: ExecRig;
  readonly cwd: string;
  readonly ends: () => readonly EventMsg[];
  /** Polls until the terminal has printed something that fits. */
  readonly until: (id: number, pattern: RegExp, seen: string) => Promise<string>;
}

async function withRig(open: () => Promise<TestHost>, work: (setup: Setup) => Promise<void>): Promise<void> {
  const cwd = await mkdtemp(path.join(tmpdir(), "turnkit-exec-"));
  await using host = await open();
  const rig = execRig(host.host, cwd);
  try {
    await work({
      rig,
      cwd,
      ends: () => rig.events.filter((event) => event.type === "exec_command_end"),
      async until(id, pattern, seen) {
        let text = seen;
        while (!pattern.test(text)) text += textOf(await rig.write(id, "\n", { yield_time_ms: 250 }));
        return text;
      },
    });
  } finally {
    await rig.exec.clean();
    await removeFolder(cwd);
  }
}

describe.each(HOSTS)("%s", (_, open) => {
  // Most of the time is spent in waits that the reference prescribes, so they are spent together.
  const run = (name: string, work: (setup: Setup) => Promise<void>) => test.concurrent(name, () => withRig(open, work));

  run("a pipe command: output of both streams, exit code, item", async ({ rig, cwd, ends }) => {
    const output = await rig.run("echo out; echo err >&2; exit 3", { yield_time_ms: 10_000 });
    expect(exitOf(output)).toBe(3);
    expect(textOf(output).split("\n").sort()).toEqual(["", "err", "out"]);
    expect(ends()).toMatchObject([{ exit_code: 3, status: "failed", process_id: expect.stringMatching(/^\d+$/), cwd }]);
  });

  run("the environment is plain, and stdin of a pipe command is at its end", async ({ rig }) => {
    const output = await rig.run('echo "$TERM $NO_COLOR $PAGER $LC_ALL [$COLORTERM] $CODEX_THREAD_ID"; cat; echo end', {
      yield_time_ms: 10_000,
    });
    expect(textOf(output)).toBe("dumb 1 cat C.UTF-8 [] t\nend\n");
  });

  run("a terminal lives on, takes writes, and ends with Ctrl-D", async ({ rig }) => {
    const started = await rig.run("cat", { tty: true, yield_time_ms: 250 });
    const id = sessionOf(started);
    const echoed = await rig.write(id, "hello\n", { yield_time_ms: 1_000 });
    expect([sessionOf(echoed), textOf(echoed)]).toEqual([id, "hello\r\nhello\r\n"]);
    const ended = await rig.write(id, "\u0004", { yield_time_ms: 10_000 });
    expect([exitOf(ended), sessionOf(ended)]).toEqual([0, Number.NaN]);
    const types = rig.events.map((event) => event.type);
    expect(types.lastIndexOf("terminal_interaction")).toBeLessThan(types.indexOf("exec_command_end"));
    expect(await rig.write(id, "x")).toBe(`write_stdin failed: Unknown process id ${id}`);
  });

  run("Ctrl-C in a terminal is reported as an interrupt: 130", async ({ rig }) => {
    const id = sessionOf(await rig.run("echo ready; exec sleep 60", { tty: true, yield_time_ms: 1_000 }));
    const output = await rig.write(id, "\u0003", { yield_time_ms: 10_000 });
    expect(exitOf(output)).toBe(130);
  });

  run("Ctrl-C without a terminal: the default is 130, a trap decides otherwise", async ({ rig }) => {
    const plain = sessionOf(await rig.run("exec sleep 60", { yield_time_ms: 1_000 }));
    expect(exitOf(await rig.write(plain, "\u0003", { yield_time_ms: 10_000 }))).toBe(130);
    const trapped = sessionOf(
      await rig.run("trap 'echo caught; exit 42' INT; echo ready; while true; do sleep 0.05; done", {
        yield_time_ms: 2_000,
      }),
    );
    const output = await rig.write(trapped, "\u0003", { yield_time_ms: 10_000 });
    expect([exitOf(output), textOf(output).includes("caught")]).toEqual([42, true]);
  });

  run("other characters without a terminal are refused and the command lives on", async ({ rig }) => {
    const id = sessionOf(await rig.run("exec sleep 60", { yield_time_ms: 250 }));
    expect(await rig.write(id, "x")).toBe(
      "write_stdin failed: stdin is closed for this session; rerun exec_command with tty=true to keep stdin open",
    );
    expect(rig.exec.list()).toHaveLength(1);
  });

  run("what cannot be started is one sentence", async ({ rig }) => {
    const output = await rig.run("pwd", { workdir: "/does/not/exist" });
    expect(output).toBe(
      'exec_command failed for `/bin/bash -c pwd`: CreateProcess { message: "Rejected(\\"Failed to create unified exec process: No such file or directory (os error 2)\\")" }',
    );
    expect(rig.events).toEqual([]);
  });

  run("a call to one terminal does not wait for a call to another", async ({ rig, cwd }) => {
    const gate = path.join(cwd, "gate");
    const busy = sessionOf(
      await rig.run(`until [ -e ${gate} ]; do sleep 0.05; done; exit 3`, { tty: true, yield_time_ms: 250 }),
    );
    const free = sessionOf(await rig.run("cat", { tty: true, yield_time_ms: 250 }));
    let waiting = true;
    const first = rig.write(busy, "a\n", { yield_time_ms: 30_000 }).finally(() => {
      waiting = false;
    });
    expect(textOf(await rig.write(free, "b\n", { yield_time_ms: 1_000 }))).toContain("b");
    expect(waiting).toBe(true);
    await writeFile(gate, "");
    expect(exitOf(await first)).toBe(3);
  });

  run("a question held elsewhere moves the deadline; the command goes on meanwhile", async ({ rig }) => {
    rig.pause.set(true);
    const running = rig.run("sleep 0.4; echo meanwhile; sleep 30", { yield_time_ms: 1_000 });
    const start = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    rig.pause.set(false);
    const output = await running;
    expect(performance.now() - start).toBeGreaterThan(2_400);
    expect(textOf(output)).toBe("meanwhile\n");
    expect(sessionOf(output)).toBeGreaterThan(0);
  });

  run("two MiB: head and tail, and the number of bytes between", async ({ rig, ends }) => {
    const output = await rig.run("head -c 2500000 /dev/zero | tr '\\0' y; echo END", { yield_time_ms: 30_000 });
    expect(output).toContain("Original token count: 625001");
    expect(textOf(output)).toMatch(
      /^Warning: truncated output \(original token count: 625001\)\n\.\.\. 1451428 bytes omitted \.\.\.\n\ny+…\d+ tokens truncated…y+END\n$/,
    );
    const [end] = ends();
    expect(end?.type === "exec_command_end" && end.aggregated_output).toMatch(
      /^y{524288}\n\.\.\. 1451428 bytes omitted \.\.\.\ny+END\n$/,
    );
  });

  run("a shell in a terminal answers what it is asked", async ({ rig, until }) => {
    const id = sessionOf(await rig.run("exec /bin/sh", { tty: true, yield_time_ms: 500 }));
    await rig
      .write(id, "echo $((20+22))\n", { yield_time_ms: 1_000 })
      .then((output) => until(id, /42/, textOf(output)));
    expect(exitOf(await rig.write(id, "exit 7\n", { yield_time_ms: 10_000 }))).toBe(7);
  });
});
