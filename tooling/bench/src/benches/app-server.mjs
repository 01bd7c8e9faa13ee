// @ts-check
// Our app-server beside the genuine one, over stdio with an instant model.

import { MeasuredServer, startInstantModel } from "../app-server-setup.mjs";
import { interleave } from "../measure.mjs";
import { genuine, ours, processorMilliseconds, residentMegabytes, runToEnd } from "../programs.mjs";

export const title = "app-server over stdio, instant model on loopback";

const parallelThreads = 20;
const turnsPerThread = 5;
const manyThreads = 50;
const manyTurns = 200;
/** How many at either end of them are compared: by what the processors do, since they are minutes apart on a busy machine. */
const endTurns = 20;

/** @typedef {import("../report.mjs").Row} Row */
/** @typedef {Record<string, MeasuredServer>} Servers */

/** @typedef {(...rows: Row[]) => void} Done */

/** @param {{ rounds: number | undefined, done: Done }} options @returns {Promise<void>} */
export async function run({ rounds = 9, done }) {
  /** @type {Record<string, readonly string[]>} */
  const commands = { ours: ours("app-server") };
  const peer = genuine("app-server");
  if (peer) commands.genuine = peer;
  const model = await startInstantModel();
  /** @type {Servers} */
  const servers = {};
  try {
    const starts = await interleave(rounds, {
      ...Object.fromEntries(
        Object.entries(commands).map(([name, command]) => [name, () => startTime(command, model.url)]),
      ),
      floor: () => runToEnd([process.execPath, "-e", "0"]),
    });
    done({ work: "start to initialize", unit: "ms", samples: starts, bound: { of: "genuine", most: 1.3 } });
    for (const [name, command] of Object.entries(commands))
      servers[name] = await MeasuredServer.start(command, model.url);
    await measureServers(servers, rounds, done);
  } finally {
    for (const server of Object.values(servers)) await server.stop();
    await model.close();
  }
}

/** @param {readonly string[]} command @param {string} modelUrl */
async function startTime(command, modelUrl) {
  const start = performance.now();
  const server = await MeasuredServer.start(command, modelUrl);
  const took = performance.now() - start;
  await server.stop();
  return took;
}

/** @param {Servers} servers @param {number} rounds @param {Done} done */
async function measureServers(servers, rounds, done) {
  const each = (/** @type {(server: MeasuredServer, name: string) => Promise<number | void>} */ work) =>
    Object.fromEntries(Object.entries(servers).map(([name, server]) => [name, () => work(server, name)]));
  const once = (/** @type {(server: MeasuredServer, name: string) => Promise<number | void>} */ work) =>
    interleave(1, each(work), { warmUp: 0 });
  const of = "genuine";

  const idle = await once(async ({ pid }) => residentMegabytes(pid));
  done({ work: "memory, idle", unit: "MB", samples: idle, bound: { of, most: 1.1 } });
  /** @type {Record<string, string>} */
  const threads = {};
  const started = await interleave(
    rounds,
    each(async ({ client }, name) => void (threads[name] = await client.thread())),
  );
  done({ work: "thread/start", unit: "ms", samples: started, bound: { of, most: 0.4 } });
  const turn = (/** @type {string} */ text) =>
    interleave(
      rounds,
      each((server, name) => server.turn(threads[name] ?? "", text)),
    );
  const plain = await turn("hello");
  done({ work: "turn", unit: "ms", samples: plain, bound: { of, most: 0.3 } });
  const asking = beyond(await turn("ask"), plain);
  done({ work: "question, beyond a turn", unit: "ms", samples: asking, bound: { of, most: 0.3 } });
  const running = beyond(await turn("run"), plain);
  done({ work: "command, beyond a turn", unit: "ms", samples: running, bound: { of, most: 0.35 } });
  const parallel = await interleave(3, each(turnsPerSecond));
  const work = `${parallelThreads} threads in parallel`;
  done({ work, unit: "turns/s", samples: parallel, bound: { of, least: 4 } });

  /** @type {Record<string, number[]>} */
  const early = {};
  /** @type {Record<string, number[]>} */
  const late = {};
  const afterTurns = await once(async (server, name) => {
    const threadId = await server.client.thread();
    const times = [];
    for (let i = 0; i < manyTurns; i++) {
      const before = processorMilliseconds(server.pid);
      await server.turn(threadId, "hello");
      times.push(processorMilliseconds(server.pid) - before);
    }
    early[name] = times.slice(1, 1 + endTurns);
    late[name] = times.slice(-endTurns);
    return residentMegabytes(server.pid);
  });
  done({ work: `memory after ${manyTurns} turns`, unit: "MB", samples: afterTurns, bound: { of, most: 0.9 } });
  for (const name of Object.keys(servers))
    done({
      work: `processor, turns ${manyTurns - endTurns + 1} to ${manyTurns} of ${name}, beside turns 2 to ${endTurns + 1}`,
      unit: "ms",
      samples: { [name]: late[name] ?? [], early: early[name] ?? [] },
      ...(name === "ours" && { bound: { of: "early", most: 1.25 } }),
    });
  const afterThreads = await once(async (server) => {
    for (let i = 0; i < manyThreads; i++) await server.client.thread();
    return residentMegabytes(server.pid);
  });
  done({ work: `memory after ${manyThreads} threads more`, unit: "MB", samples: afterThreads });
}

/** @param {MeasuredServer} server */
async function turnsPerSecond(server) {
  const threads = [];
  for (let i = 0; i < parallelThreads; i++) threads.push(await server.client.thread());
  const start = performance.now();
  await Promise.all(
    threads.map(async (threadId) => {
      for (let i = 0; i < turnsPerThread; i++) await server.turn(threadId, "hello");
    }),
  );
  return (parallelThreads * turnsPerThread * 1000) / (performance.now() - start);
}

/** What a piece of work adds to a turn. @param {Record<string, number[]>} work @param {Record<string, number[]>} turn */
function beyond(work, turn) {
  return Object.fromEntries(
    Object.entries(work).map(([name, samples]) => {
      const base = [...(turn[name] ?? [])].sort((a, b) => a - b)[Math.floor((turn[name]?.length ?? 0) / 2)] ?? 0;
      return [name, samples.map((sample) => Math.max(0, sample - base))];
    }),
  );
}
