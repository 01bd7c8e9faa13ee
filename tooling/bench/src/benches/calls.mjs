// @ts-check
// What a command call costs around the command: programs that are awkward to wait for, and a hook before each call.

import { MeasuredServer, startInstantModel } from "../app-server-setup.mjs";
import { interleave } from "../measure.mjs";
import { ours } from "../programs.mjs";
import { summarize } from "../statistics.mjs";

export const title = "command calls: awkward programs, hooks";

const yieldMs = 1_000;
/** A call that waits takes its yield and little more; one that need not wait takes less. */
const graceMs = 500;
const hookMs = 50;

/** @type {Readonly<Record<string, { cmd: string, tty?: boolean, lives?: boolean }>>} */
const awkward = {
  "a child keeps the pipe": { cmd: "sleep 5 & echo parent" },
  "a child with its own session": { cmd: "setsid sleep 5 & echo parent" },
  "closed input": { cmd: "cat; echo $?" },
  "a pager": { cmd: "seq 500 | less", tty: true, lives: true },
  "a password prompt": { cmd: "read -s -p 'password: ' p", tty: true, lives: true },
  "the other screen": { cmd: "printf '\\033[?1049h'; sleep 5", tty: true, lives: true },
  "a stopped child": { cmd: "sh -c 'kill -STOP $$'", lives: true },
  "a deleted folder": { cmd: 'd=$(mktemp -d); cd "$d"; rmdir "$d"; true' },
  "its terminal closed": { cmd: "exec 0<&- 1>&- 2>&-; sleep 5", tty: true, lives: true },
  "20 MB of output": { cmd: "head -c 20000000 /dev/zero | tr '\\0' x" },
  "binary noise": { cmd: "head -c 200000 /dev/urandom" },
};

const hooks = `bypass_hook_trust = true
hooks = { PreToolUse = [{ hooks = [{ type = "command", command = "true" }] }] }
`;

/** @param {{ rounds: number | undefined, done: (...rows: import("../report.mjs").Row[]) => void }} options */
export async function run({ rounds = 5, done }) {
  const model = await startInstantModel();
  const plain = await MeasuredServer.start(ours("app-server"), model.url);
  const hooked = await MeasuredServer.start(ours("app-server"), model.url, hooks);
  try {
    const thread = await plain.client.thread();
    const turn = summarize((await interleave(rounds, { turn: () => plain.turn(thread, "hello") })).turn).median;
    for (const [name, { lives = false, ...program }] of Object.entries(awkward)) {
      const call = `call ${JSON.stringify({ ...program, login: false, yield_time_ms: yieldMs })}`;
      const { ours: times } = await interleave(rounds, { ours: () => plain.turn(thread, call) }, { warmUp: 0 });
      const samples = { ours: times.map((time) => Math.max(0, time - turn)), limit: [yieldMs + graceMs] };
      done({ work: `${name}${lives ? " (lives on)" : ""}`, unit: "ms", samples, bound: { of: "limit", most: 1 } });
    }
    const hookedThread = await hooked.client.thread();
    const around = await interleave(Math.max(rounds, 9), {
      hook: () => hooked.turn(hookedThread, "run"),
      none: () => plain.turn(thread, "run"),
    });
    const base = summarize(around.none).median;
    done({ work: "a call without a hook", unit: "ms", samples: { ours: around.none } });
    const samples = { ours: around.hook.map((time) => Math.max(0, time - base)), limit: [hookMs] };
    done({ work: "a hook that does nothing, on top", unit: "ms", samples, bound: { of: "limit", most: 1 } });
  } finally {
    await plain.stop();
    await hooked.stop();
    await model.close();
  }
}
