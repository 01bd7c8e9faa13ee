/** A call always returns: programs that hold pipes, ask, page, flood, hide or refuse to die. */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { describe, expect, test } from "vitest";
import { type ExecRig, execRig, exitOf, sessionOf, textOf } from "./exec-rig.js";
import { HOSTS } from "./hosts.js";

/** Longer than this after its yield no call may take; the machine may be busy. */
const BOUND_MS = 6_000;
const POLL_MS = 10_000;
const LIVES = /^Process running with session ID \d+$/m;

interface Awkward {
  readonly name: string;
  readonly cmd: string;
  readonly tty?: boolean;
  readonly yieldMs?: number;
  /** Work that a busy machine may not get through within the yield; it is polled until its end. */
  readonly long?: boolean;
  /** "lives": a session comes back. */
  readonly ends: number | "lives";
  readonly text?: RegExp;
  /** What is typed then, and how it ends. */
  readonly typed?: { readonly chars: string; readonly ends: number | "lives"; readonly text?: RegExp };
}

const NODE = process.execPath;
const node = (script: string) => `${NODE} -e '${script}'`;

const PROGRAMS: readonly Awkward[] = [
  { name: "a child that keeps the pipe open", cmd: "sleep 30 & echo parent", ends: 0, text: /^parent\n$/ },
  { name: "a child with its own session that keeps it", cmd: "setsid sleep 8 & echo parent", ends: 0, text: /parent/ },
  { name: "a child that ignores hang-ups", cmd: "nohup sleep 8 >/dev/null 2>&1 & echo on", ends: 0, text: /^on\n$/ },
  { name: "reading from closed stdin", cmd: "cat; echo rc=$?", ends: 0, text: /^rc=0\n$/ },
  { name: "a question without a terminal", cmd: "read -p 'name? ' n; echo got=$n", ends: 0, text: /got=\n/ },
  {
    name: "a question on a terminal",
    cmd: "read -p 'name? ' n; echo got=$n",
    tty: true,
    ends: "lives",
    text: /name\?/,
    typed: { chars: "Ada\n", ends: 0, text: /got=Ada/ },
  },
  {
    name: "a hidden password",
    cmd: "read -s -p 'pw: ' p; echo; wc -c <<< $p",
    tty: true,
    ends: "lives",
    text: /pw:/,
    typed: { chars: "secret\n", ends: 0, text: /^\s*7\r?$/m },
  },
  { name: "opening /dev/tty without one", cmd: "cat </dev/tty || echo no tty", ends: 0, text: /no tty/ },
  { name: "a pager that is told to be cat", cmd: "printf 'l1\\nl2\\n' | $PAGER", ends: 0, text: /^l1\nl2\n$/ },
  {
    name: "a pager that pages",
    cmd: "seq 1 200 | more",
    tty: true,
    ends: "lives",
    text: /More/,
    typed: { chars: "q", ends: 0 },
  },
  {
    name: "the other screen",
    cmd: "printf '\\033[?1049hfull'; read x; printf '\\033[?1049l'; exit 5",
    tty: true,
    ends: "lives",
    text: /full/,
    typed: { chars: "\n", ends: 5 },
  },
  {
    name: "an editor: raw keys on the other screen",
    cmd: "stty raw -echo; printf '\\033[?1049h~ty'; k=$(dd bs=1 count=1 2>/dev/null); stty sane; printf '\\033[?1049l'; echo key=$k",
    tty: true,
    ends: "lives",
    text: /~ty/,
    typed: { chars: "q", ends: 0, text: /key=q/ },
  },
  ...(process.env.TURNKIT_SOAK === "1"
    ? [{ name: "a gigabyte", cmd: "head -c 1000000000 /dev/zero", long: true, ends: 0, text: /bytes omitted/ }]
    : []),
  { name: "binary noise", cmd: "head -c 20000 /dev/urandom", ends: 0 },
  { name: "NUL bytes", cmd: "printf 'a\\000b'", ends: 0, text: /^a\0b$/ },
  { name: "half a character at the end", cmd: "printf 'x\\303'", ends: 0, text: /^x\ufffd$/ },
  { name: "a character in two pieces", cmd: "printf '\\303'; sleep 0.2; printf '\\251'", ends: 0, text: /^é$/ },
  { name: "no output at all", cmd: "true", ends: 0, text: /^$/ },
  { name: "an empty command", cmd: "", ends: 0, text: /^$/ },
  { name: "a line without end", cmd: "head -c 300000 /dev/zero | tr '\\0' x", ends: 0, text: /^Warning: truncated/ },
  {
    name: "fifty megabytes",
    cmd: "head -c 50000000 /dev/zero | tr '\\0' x",
    yieldMs: 30_000,
    ends: 0,
    text: /bytes omitted/,
  },
  { name: "output without pause", cmd: "yes", yieldMs: 500, ends: "lives", text: /y/ },
  { name: "many lines", cmd: "seq 1 100000", ends: 0, text: /100000\n$/ },
  { name: "carriage returns", cmd: "printf '10%%\\r50%%\\r100%%\\n'", ends: 0, text: /^10%\r50%\r100%\n$/ },
  { name: "closing its own output and living on", cmd: "exec >&- 2>&-; sleep 30", yieldMs: 500, ends: "lives" },
  {
    name: "closing its terminal and living on",
    cmd: "exec </dev/null >/dev/null 2>&1; sleep 30",
    tty: true,
    yieldMs: 500,
    ends: "lives",
  },
  { name: "stopping itself", cmd: "kill -STOP $$; echo woke", yieldMs: 500, ends: "lives" },
  { name: "killing itself", cmd: "kill -9 $$", ends: 137 },
  { name: "killing itself on a terminal", cmd: "kill -9 $$", tty: true, ends: 137 },
  { name: "a segmentation fault", cmd: "kill -SEGV $$", ends: 139 },
  {
    name: "ignoring interrupts",
    cmd: "trap '' INT; echo ready; sleep 30",
    yieldMs: 1_000,
    ends: "lives",
    text: /ready/,
    typed: { chars: "\u0003", ends: "lives" },
  },
  {
    name: "ignoring termination",
    cmd: "trap '' TERM HUP; echo ready; sleep 30",
    yieldMs: 1_000,
    ends: "lives",
    text: /ready/,
  },
  {
    name: "a bounded tree of children",
    cmd: "for i in 1 2 3 4 5; do (for j in 1 2 3; do (sleep 0.1) & done; wait) & done; wait; echo grown",
    ends: 0,
    text: /grown/,
  },
  {
    name: "a folder that goes away",
    cmd: 'd=$(mktemp -d); cd "$d"; rmdir "$d"; pwd -P 2>/dev/null; echo gone',
    ends: 0,
    text: /gone/,
  },
  { name: "a program that does not exist", cmd: "no_such_program_here", ends: 127, text: /not found/ },
  { name: "a file that cannot be run", cmd: "/etc/passwd", ends: 126 },
  { name: "bad syntax", cmd: "if then", ends: 2, text: /syntax error/ },
  { name: "replacing itself", cmd: "exec sh -c 'echo new; exit 9'", ends: 9, text: /^new\n$/ },
  {
    name: "an interpreter that waits",
    cmd: `${NODE} -i`,
    tty: true,
    yieldMs: 3_000,
    ends: "lives",
    text: />/,
    typed: { chars: ".exit\n", ends: 0 },
  },
  { name: "output after its exit", cmd: "(sleep 0.02; echo late) & exit 4", ends: 4 },
  {
    name: "a write it never reads",
    cmd: "sleep 30",
    tty: true,
    yieldMs: 300,
    ends: "lives",
    typed: { chars: "x".repeat(3_000), ends: "lives" },
  },
  { name: "a broken pipe", cmd: "yes | head -n 1; echo $PIPESTATUS", ends: 0, text: /^y\n141\n$/ },
  { name: "an unhandled error", cmd: node('throw new Error("boom")'), yieldMs: 20_000, ends: 1, text: /boom/ },
  {
    name: "much on both streams",
    cmd: "for i in $(seq 1 2000); do echo out$i; echo err$i >&2; done",
    yieldMs: 20_000,
    ends: 0,
  },
];

/** Every program on every host takes a minute or so; the shorter run has the nearer host. */
const hosts = process.env.TURNKIT_SOAK === "1" ? HOSTS : HOSTS.slice(0, 1);

describe.each(hosts)("%s", (_, open) => {
  for (const program of PROGRAMS)
    test.concurrent(program.name, async () => {
      const cwd = await mkdtemp(path.join(tmpdir(), "turnkit-awkward-"));
      await using host = await open();
      const rig = execRig(host.host, cwd);
      try {
        const yieldMs = program.yieldMs ?? (program.ends === "lives" ? 1_500 : 15_000);
        const start = performance.now();
        const output = await rig.run(program.cmd, { tty: program.tty ?? false, yield_time_ms: yieldMs });
        expect(performance.now() - start).toBeLessThan(yieldMs + BOUND_MS);
        check(program.long && LIVES.test(output) ? await untilEnded(rig, output) : output, program);
        if (!program.typed) return;
        const id = sessionOf(output);
        const wait = program.typed.ends === "lives" ? 300 : 10_000;
        const again = performance.now();
        const after = await rig.write(id, program.typed.chars, { yield_time_ms: wait });
        expect(performance.now() - again).toBeLessThan(wait + BOUND_MS);
        check(after, program.typed);
      } finally {
        await rig.exec.clean();
        await removeFolder(cwd);
      }
    });
});

/** The last of the outputs; what an earlier one left out is said in it as well. Every call returns in time. */
async function untilEnded(rig: ExecRig, started: string): Promise<string> {
  const id = sessionOf(started);
  for (;;) {
    const start = performance.now();
    const output = await rig.write(id, "", { yield_time_ms: POLL_MS });
    expect(performance.now() - start).toBeLessThan(POLL_MS + BOUND_MS);
    if (!LIVES.test(output)) return `${output}\n${started}`;
  }
}

function check(output: string, expected: Pick<Awkward, "ends" | "text">): void {
  if (expected.ends === "lives") expect(output).toMatch(LIVES);
  else expect({ exit: exitOf(output), output }).toEqual({ exit: expected.ends, output });
  if (expected.text) expect(textOf(output)).toMatch(expected.text);
}

test("there are forty of them and more", () => {
  expect(PROGRAMS.length).toBeGreaterThanOrEqual(40);
});
