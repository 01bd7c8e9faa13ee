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
export async function run({ rounds, done }) {
  const model = await startInstantModel();
  try {
    await hookOverhead(model.url, rounds ?? 40, done);
    await awkwardPrograms(model.url, rounds ?? 5, done);
  } finally {
    await model.close();
  }
}

/**
 * Both servers are fresh and do the same: whatever else a thread has behind it would count as well.
 * @param {string} modelUrl @param {number} rounds @param {(...rows: import("../report.mjs").Row[]) => void} done
 */
async function hookOverhead(modelUrl, rounds, done) {
  const plain = await MeasuredServer.start(ours("app-server"), modelUrl);
  const hooked = await MeasuredServer.start(ours("app-server"), modelUrl, hooks);
  try {
    const threads = { plain: await plain.client.thread(), hooked: await hooked.client.thread() };
    let ran = 0;
    const count = (/** @type {string} */ _, /** @type {any} */ { method, params }) => {
      if (method === "hook/completed" && params.run.status === "completed") ran++;
    };
    hooked.client.scene = { ...hooked.client.scene, record: count };
    const times = await interleave(
      rounds,
      { hook: () => hooked.turn(threads.hooked, "run"), none: () => plain.turn(threads.plain, "run") },
      { warmUp: 3 },
    );
    if (ran !== rounds + 3) throw new Error(`the hook ran ${ran} times in ${rounds + 3} turns`);
    const base = summarize(times.none).median;
    done({ work: "a call without a hook", unit: "ms", samples: { ours: times.none } });
    const samples = { ours: times.hook.map((time) => time - base), limit: [hookMs] };
    done({ work: "a hook that does nothing, on top", unit: "ms", samples, bound: { of: "limit", most: 1 } });
  } finally {
    await plain.stop();
    await hooked.stop();
  }
}

/** @param {string} modelUrl @param {number} rounds @param {(...rows: import("../report.mjs").Row[]) => void} done */
async function awkwardPrograms(modelUrl, rounds, done) {
  const server = await MeasuredServer.start(ours("app-server"), modelUrl);
  try {
    const thread = await server.client.thread();
    const turn = summarize((await interleave(rounds, { turn: () => server.turn(thread, "hello") })).turn).median;
    for (const [name, { lives = false, ...program }] of Object.entries(awkward)) {
      const call = `call ${JSON.stringify({ ...program, login: false, yield_time_ms: yieldMs })}`;
      const { ours: times } = await interleave(rounds, { ours: () => server.turn(thread, call) }, { warmUp: 0 });
      const samples = { ours: times.map((time) => Math.max(0, time - turn)), limit: [yieldMs + graceMs] };
      done({ work: `${name}${lives ? " (lives on)" : ""}`, unit: "ms", samples, bound: { of: "limit", most: 1 } });
    }
  } finally {
    await server.stop();
  }
}
