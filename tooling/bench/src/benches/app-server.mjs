// @ts-check
// Our app-server beside the genuine one, over stdio with an instant model.

import { MeasuredServer, startInstantModel } from "../app-server-setup.mjs";
import { interleave } from "../measure.mjs";
import { genuine, ours, residentMegabytes, runToEnd } from "../programs.mjs";

export const title = "app-server over stdio, instant model on loopback";

const parallelThreads = 20;
const turnsPerThread = 5;
const manyThreads = 50;
const manyTurns = 200;

/** @typedef {import("../report.mjs").Row} Row */
/** @typedef {Record<string, MeasuredServer>} Servers */

/** @param {{ rounds: number | undefined }} options @returns {Promise<Row[]>} */
export async function run({ rounds = 15 }) {
  /** @type {Record<string, readonly string[]>} */
  const commands = { ours: ours("app-server") };
  const peer = genuine("app-server");
  if (peer) commands.genuine = peer;
  const model = await startInstantModel();
  const perProgram = (/** @type {(command: readonly string[]) => Promise<number | void>} */ work) =>
    Object.fromEntries(Object.entries(commands).map(([name, command]) => [name, () => work(command)]));

  const starts = await interleave(Math.min(rounds, 9), {
    ...perProgram(async (command) => {
      const start = performance.now();
      const server = await MeasuredServer.start(command, model.url);
      const took = performance.now() - start;
      await server.stop();
      return took;
    }),
    floor: () => runToEnd([process.execPath, "-e", "0"]),
  });
  /** @type {Row[]} */
  const rows = [{ work: "start to initialize", unit: "ms", samples: starts, bound: { of: "genuine", most: 1.3 } }];

  /** @type {Servers} */
  const servers = {};
  for (const [name, command] of Object.entries(commands))
    servers[name] = await MeasuredServer.start(command, model.url);
  try {
    rows.push(...(await measureServers(servers, rounds)));
  } finally {
    for (const server of Object.values(servers)) await server.stop();
    await model.close();
  }
  return rows;
}

/** @param {Servers} servers @param {number} rounds @returns {Promise<Row[]>} */
async function measureServers(servers, rounds) {
  const each = (/** @type {(server: MeasuredServer, name: string) => Promise<number | void>} */ work) =>
    Object.fromEntries(Object.entries(servers).map(([name, server]) => [name, () => work(server, name)]));
  const once = (/** @type {(server: MeasuredServer) => Promise<number | void>} */ work) =>
    interleave(1, each(work), { warmUp: 0 });

  const idle = await once(async ({ pid }) => residentMegabytes(pid));
  /** @type {Record<string, string>} */
  const threads = {};
  const started = await interleave(
    rounds,
    each(async ({ client }, name) => void (threads[name] = await client.thread())),
  );
  const turn = (/** @type {string} */ text) =>
    interleave(
      rounds,
      each((server, name) => server.turn(threads[name] ?? "", text)),
    );
  const plain = await turn("hello");
  const asking = await turn("ask");
  const running = await turn("run");
  const parallel = await interleave(3, each(turnsPerSecond));
  const afterThreads = await once(async (server) => {
    for (let i = 0; i < manyThreads; i++) await server.client.thread();
    return residentMegabytes(server.pid);
  });
  /** @type {Record<string, number[]>} */
  const early = {};
  /** @type {Record<string, number[]>} */
  const late = {};
  const afterTurns = await once(async (server) => {
    const threadId = await server.client.thread();
    const times = [];
    for (let i = 0; i < manyTurns; i++) times.push(await server.turn(threadId, "hello"));
    const name = Object.keys(servers).find((key) => servers[key] === server) ?? "";
    early[name] = times.slice(1, 11);
    late[name] = times.slice(-10);
    return residentMegabytes(server.pid);
  });

  const of = "genuine";
  return [
    { work: "thread/start", unit: "ms", samples: started, bound: { of, most: 0.4 } },
    { work: "turn", unit: "ms", samples: plain, bound: { of, most: 0.3 } },
    { work: "question, beyond a turn", unit: "ms", samples: beyond(asking, plain), bound: { of, most: 0.3 } },
    { work: "command, beyond a turn", unit: "ms", samples: beyond(running, plain), bound: { of, most: 0.35 } },
    { work: `${parallelThreads} threads in parallel`, unit: "turns/s", samples: parallel, bound: { of, least: 4 } },
    { work: "turns 2 to 11", unit: "ms", samples: early },
    { work: `turns ${manyTurns - 9} to ${manyTurns}`, unit: "ms", samples: late },
    { work: "memory, idle", unit: "MB", samples: idle, bound: { of, most: 1.1 } },
    { work: `memory after ${manyThreads} threads`, unit: "MB", samples: afterThreads },
    { work: `memory after ${manyTurns} turns`, unit: "MB", samples: afterTurns, bound: { of, most: 0.9 } },
  ];
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
