/**
 * What every ProcessHost must do. The suites run these cases on the in-process host and over connections.
 */
import type { HostProcess, HostProcessEvent, HostStartRequest, ProcessHost } from "@turnkit/protocol/exec";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

export const ENV = { PATH: "/usr/local/bin:/usr/bin:/bin", LANG: "C.UTF-8" };

let counter = 0;

export function request(argv: readonly string[] | string, more: Partial<HostStartRequest> = {}): HostStartRequest {
  const words = typeof argv === "string" ? ["/bin/sh", "-c", argv] : argv;
  return { processId: `case-${process.pid}-${counter++}`, argv: words, cwd: "/tmp", env: ENV, tty: false, ...more };
}

/** Follows a process to its end. */
export class Recording {
  readonly events: HostProcessEvent[] = [];
  readonly done: Promise<HostProcessEvent[]>;
  #waiting: { test: () => boolean; resolve: () => void }[] = [];

  constructor(process: HostProcess) {
    this.done = new Promise((resolve) => {
      process.subscribe((event) => {
        this.events.push(event);
        this.#waiting = this.#waiting.filter((waiter) => !waiter.test() || waiter.resolve());
        if (event.type === "closed" || event.type === "failed") resolve(this.events);
      });
    });
  }

  bytes(stream?: string): Buffer {
    const chunks = this.events.flatMap((event) =>
      event.type === "output" && (stream === undefined || event.stream === stream) ? [event.bytes] : [],
    );
    return Buffer.concat(chunks);
  }

  text(stream?: string): string {
    return this.bytes(stream).toString("utf8");
  }

  get exitCode(): number | undefined {
    return this.events.flatMap((event) => (event.type === "exited" ? [event.exitCode] : []))[0];
  }

  /** Resolves when the condition holds; conditions are looked at after each event. */
  until(test: () => boolean): Promise<void> {
    return test() ? Promise.resolve() : new Promise((resolve) => this.#waiting.push({ test, resolve }));
  }
}

/** Runs to the end. */
export async function run(host: ProcessHost, argv: readonly string[] | string, more: Partial<HostStartRequest> = {}) {
  const recording = new Recording(await host.start(request(argv, more)));
  await recording.done;
  return recording;
}

/** true while the process exists and is no zombie. */
export async function alive(pid: number): Promise<boolean> {
  const { readFile } = await import("node:fs/promises");
  const status = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => "");
  return status !== "" && !/^\d+ \(.*\) [ZX] /s.test(status);
}

export async function untilDead(pid: number): Promise<void> {
  while (await alive(pid)) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** A host under test, and whether its terminals report 128 + signal and refuse a bad folder (ours do). */
export interface HostUnderTest {
  readonly host: ProcessHost;
  readonly genuine: boolean;
  /** How often short-lived programs are run for each size. */
  readonly rounds?: number;
  close(): Promise<void>;
}

export function describeHost(name: string, open: () => Promise<HostUnderTest>): void {
  describe(name, () => {
    let under: HostUnderTest;
    let host: ProcessHost;
    beforeEach(async () => {
      under = await open();
      host = under.host;
    });
    afterEach(() => under.close());

    test("reports the environment of the host", async () => {
      const environment = await host.environment();
      expect(environment.shell.path).toMatch(/^\//);
      expect(environment.shell.path.endsWith(`/${environment.shell.name}`)).toBe(true);
      expect(environment.cwd).toMatch(/^\//);
      expect(environment.tempDir).toMatch(/^\//);
    });

    test("keeps stdout and stderr apart and numbers every event without a gap", async () => {
      const recording = await run(host, "echo out; echo err >&2; exit 3");
      expect(recording.text("stdout")).toBe("out\n");
      expect(recording.text("stderr")).toBe("err\n");
      expect(recording.events.map((event) => "seq" in event && event.seq)).toEqual([1, 2, 3, 4]);
      expect(recording.events.at(-1)?.type).toBe("closed");
      expect(recording.exitCode).toBe(3);
    });

    test("gives the child exactly the environment asked for, on pipes and on a terminal", async () => {
      const env = { PATH: "/usr/bin:/bin", ONLY: "this one", EMPTY: "" };
      const pipe = await run(host, ["env"], { env });
      expect(pipe.text().split("\n").sort()).toEqual(["", "EMPTY=", "ONLY=this one", "PATH=/usr/bin:/bin"]);
      const tty = await run(host, ["env"], { env, tty: true });
      const lines = tty
        .text()
        .split("\r\n")
        .filter((line) => !line.startsWith("SHELL="));
      expect(lines.sort()).toEqual(["", "EMPTY=", "ONLY=this one", "PATH=/usr/bin:/bin"]);
    });

    test("starts each process as the leader of its own session and group", async () => {
      const pipe = await run(host, "ps -o pid=,pgid=,sid= -p $$");
      const [pid, group, session] = pipe.text().trim().split(/\s+/);
      expect([group, session]).toEqual([pid, pid]);
      const tty = await run(host, "ps -o pid=,pgid=,sid=,tpgid= -p $$", { tty: true });
      const [leader, ...rest] = tty.text().trim().split(/\s+/);
      expect(rest).toEqual([leader, leader, leader]);
    });

    test("lets scripts open /dev/stdout and /dev/stderr by name", async () => {
      const recording = await run(host, "echo a > /dev/stdout; echo b > /dev/stderr");
      expect(recording.text("stdout")).toBe("a\n");
      expect(recording.text("stderr")).toBe("b\n");
    });

    test("hands the child no descriptor beyond its standard streams", async () => {
      const terminal = await host.start(request(["sleep", "30"], { tty: true }));
      for (const tty of [false, true]) {
        const recording = await run(host, 'for f in /proc/self/fd/*; do echo "$(readlink $f)"; done', { tty });
        expect(recording.text()).not.toMatch(/ptmx|socket:|anon_inode/);
      }
      await terminal.terminate();
    });

    test("answers a terminal of 24 rows and 80 columns with echo", async () => {
      const process = await host.start(request("stty size; read line; echo got $line", { tty: true }));
      const recording = new Recording(process);
      await recording.until(() => recording.text().includes("24 80"));
      expect(await process.write(Buffer.from("hello\n"))).toBe("accepted");
      await recording.done;
      expect(recording.text()).toBe("24 80\r\nhello\r\ngot hello\r\n");
      expect(recording.exitCode).toBe(0);
    });

    test("feeds a pipe that was asked for and reports a closed stdin otherwise", async () => {
      const open = await host.start(request("head -c 12", { pipeStdin: true }));
      const recording = new Recording(open);
      expect(await open.write(Buffer.from("hello "))).toBe("accepted");
      expect(await open.write(Buffer.from("world\n"))).toBe("accepted");
      await recording.done;
      expect(recording.text()).toBe("hello world\n");
      const shut = await host.start(request("cat; echo end; sleep 30"));
      const other = new Recording(shut);
      await other.until(() => other.text() === "end\n");
      expect(await shut.write(Buffer.from("x"))).toBe("stdinClosed");
      await shut.terminate();
      await other.done;
    });

    test("interrupts the whole group of a pipe process and of a terminal process", async () => {
      for (const tty of [false, true]) {
        const process = await host.start(request("sh -c 'echo ready; exec sleep 30'; echo never", { tty }));
        const recording = new Recording(process);
        await recording.until(() => recording.text().includes("ready"));
        await process.interrupt();
        await recording.done;
        expect(recording.text()).not.toContain("never");
        if (!(tty && under.genuine)) expect(recording.exitCode).toBe(130);
        await process.interrupt();
      }
    });

    test("terminates the whole group at once, traps notwithstanding", async () => {
      for (const tty of [false, true]) {
        const process = await host.start(
          request("trap '' TERM INT HUP; sleep 60 & echo $$ $!; while :; do sleep 1; done", { tty }),
        );
        const recording = new Recording(process);
        await recording.until(() => /\d+ \d+/.test(recording.text()));
        const [shell, child] = recording.text().trim().split(/\s+/).map(Number) as [number, number];
        expect(await process.terminate()).toBe(true);
        await recording.done;
        if (!(tty && under.genuine)) expect(recording.exitCode).toBe(137);
        await untilDead(shell);
        await untilDead(child);
        expect(await process.terminate()).toBe(false);
      }
    });

    test("reports the exit before the close when a background child keeps the pipe", async () => {
      const recording = await run(host, "(sleep 0.3; echo late) & echo early; exit 4");
      const types = recording.events.map((event) => event.type);
      if (under.genuine) expect(types.filter((type) => type !== "output")).toEqual(["exited", "closed"]);
      else expect(types).toEqual(["output", "exited", "output", "closed"]);
      expect(recording.text()).toBe("early\nlate\n");
      expect(recording.exitCode).toBe(4);
    });

    test("does not wait for an escaped child after terminate", async () => {
      const process = await host.start(request("setsid sleep 77 & echo $!; wait"));
      const recording = new Recording(process);
      await recording.until(() => recording.text().includes("\n"));
      await process.terminate();
      await recording.done;
      expect(recording.exitCode).toBe(137);
      globalThis.process.kill(Number(recording.text().trim()), "SIGKILL");
    });

    test("tells the true status of a terminal process, also when it closed its terminal first", async () => {
      expect((await run(host, "exit 37", { tty: true })).exitCode).toBe(37);
      if (under.genuine) return;
      expect((await run(host, "exec 0<&- 1>&- 2>&-; sleep 0.2; exit 5", { tty: true })).exitCode).toBe(5);
      expect((await run(host, "kill -TERM $$", { tty: true })).exitCode).toBe(143);
    });

    test("a program or folder that is missing is an error of the start and frees the id", async () => {
      const fixed = { processId: `fixed-${counter++}` };
      await expect(host.start(request(["/nope/x"], fixed))).rejects.toThrow("No such file or directory (os error 2)");
      await expect(host.start(request(["true"], { ...fixed, cwd: "/nope" }))).rejects.toThrow("os error 2");
      await expect(host.start(request(["/etc/passwd"], fixed))).rejects.toThrow("Permission denied (os error 13)");
      await expect(host.start(request(["nope-cmd"], { ...fixed, tty: true }))).rejects.toThrow("No viable candidates");
      if (!under.genuine) {
        await expect(host.start(request(["true"], { ...fixed, tty: true, cwd: "/nope" }))).rejects.toThrow(
          "os error 2",
        );
      }
      const recording = await run(host, "echo fine", fixed);
      expect(recording.text()).toBe("fine\n");
    });

    test("refuses a second process under a live id", async () => {
      const first = await host.start(request(["sleep", "30"]));
      await expect(host.start(request(["true"], { processId: first.processId }))).rejects.toThrow("already exists");
      await first.terminate();
    });

    test("arg0 renames the program and does not change which one runs", async () => {
      const shell = ["/bin/sh", "-c", "tr '\\0' '\\n' < /proc/$$/cmdline | head -n 1"];
      expect((await run(host, shell, { arg0: "renamed" })).text()).toBe("renamed\n");
      if (under.genuine) return;
      expect((await run(host, shell, { arg0: "renamed", tty: true })).text()).toBe("renamed\r\n");
    });

    test("replays what is retained to a late subscriber, in order", async () => {
      const process = await host.start(request("echo one; echo two >&2; exit 2"));
      await new Recording(process).done;
      const late = new Recording(process);
      await late.done;
      expect(late.events.map((event) => "seq" in event && event.seq)).toEqual([1, 2, 3, 4]);
      expect(late.exitCode).toBe(2);
    });

    test("keeps characters whole across chunks", async () => {
      const text = "äöü€😀".repeat(20_000);
      const script = `i=0; while [ $i -lt 20000 ]; do printf 'äöü€😀'; i=$((i+1)); done`;
      for (const tty of [false, true]) {
        const recording = await run(host, script, { tty });
        expect(recording.text() === text).toBe(true);
      }
    });

    test("loses nothing of a program that writes and ends at once", async () => {
      const rounds = process.env.TURNKIT_SOAK === "1" ? 400 : (under.rounds ?? 3);
      for (const size of [4_000, 64_000, 256_000]) {
        for (let round = 0; round < rounds; round++) {
          const tty = round % 4 !== 0;
          const recording = await run(host, ["head", "-c", String(size), "/dev/zero"], { tty });
          expect(recording.bytes().length).toBe(size);
          expect(recording.exitCode).toBe(0);
        }
      }
    });

    test("runs forty at once", async () => {
      const all = Array.from({ length: 40 }, async (_, index) => {
        const recording = await run(host, `echo ${index}; exit ${index}`, { tty: index % 2 === 0 });
        expect(recording.text().trim()).toBe(String(index));
        expect(recording.exitCode).toBe(index);
      });
      await Promise.all(all);
    });
  });
}
