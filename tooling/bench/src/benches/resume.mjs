// @ts-check
// Going on with a session of 100 MB: our app-server beside the genuine one, each round with a process of its own.
import { readFileSync } from "node:fs";
import path from "node:path";
import { MeasuredServer, startInstantModel } from "../app-server-setup.mjs";
import { writeLongSession } from "../long-session.mjs";
import { genuine, ours } from "../programs.mjs";

export const title = "thread/resume of a session file of 100 MB";

/** A busy machine makes this slow, not wrong. */
const patienceMs = 180_000;
const sessionBytes = 100 * 1024 * 1024;

/** @param {{ rounds: number | undefined, done: (...rows: import("../report.mjs").Row[]) => void }} options */
export async function run({ rounds = 3, done }) {
  const model = await startInstantModel();
  /** @type {Record<string, readonly string[]>} */
  const commands = { ours: ours("app-server") };
  const peer = genuine("app-server");
  if (peer) commands.genuine = peer;
  /** @type {Record<string, number[]>} */
  const times = {};
  /** @type {Record<string, number[]>} */
  const peaks = {};
  try {
    for (let round = 0; round < rounds; round++)
      for (const [name, command] of Object.entries(commands)) {
        const { milliseconds, megabytes } = await resume(command, model.url);
        times[name] = [...(times[name] ?? []), milliseconds];
        peaks[name] = [...(peaks[name] ?? []), megabytes];
      }
  } finally {
    await model.close();
  }
  const bound = { of: "genuine", most: 0.6 };
  done(
    { work: "until the reply", unit: "ms", samples: times, bound },
    { work: "peak memory", unit: "MB", samples: peaks, bound },
  );
}

/** @param {readonly string[]} command @param {string} modelUrl */
async function resume(command, modelUrl) {
  const server = await MeasuredServer.start(command, modelUrl);
  try {
    const [home, cwd] = [path.join(server.folder, "home"), path.join(server.folder, "work")];
    const { threadId, turns } = writeLongSession(home, { cwd, bytes: sessionBytes });
    const start = performance.now();
    const { result, error } = await server.client.request("thread/resume", { threadId }, patienceMs);
    const milliseconds = performance.now() - start;
    if (error) throw new Error(`thread/resume: ${error.message}`);
    const { thread } = result;
    if (thread.turns.length !== turns) throw new Error(`${thread.turns.length} of ${turns} turns came back`);
    return { milliseconds, megabytes: peakMegabytes(/** @type {number} */ (server.pid)) };
  } finally {
    await server.stop();
  }
}

/** @param {number} pid */
function peakMegabytes(pid) {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}
