// @ts-check
// Our exec-server beside the genuine one, over WebSocket and stdio, and what Node can do at best.
import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import WebSocket, { WebSocketServer } from "ws";
import { MeasuredExecServer } from "../exec-server-setup.mjs";
import { interleave } from "../measure.mjs";
import { genuine, ours } from "../programs.mjs";

export const title = "exec-server, processes on loopback and over stdio";

const outputBytes = 50_000_000;
const sequentialRuns = 60;
const settleMs = 500;

/** @typedef {import("../report.mjs").Row} Row */
/** @typedef {Record<string, MeasuredExecServer>} Servers */

/** @param {{ rounds: number | undefined, done: (...rows: Row[]) => void }} options @returns {Promise<void>} */
export async function run({ rounds = 100, done }) {
  /** @type {Record<string, readonly string[]>} */
  const commands = { ours: ours("exec-server") };
  const peer = genuine("exec-server");
  if (peer) commands.genuine = peer;
  const home = mkdtempSync(path.join(tmpdir(), "turnkit-bench-"));
  try {
    for (const transport of /** @type {const} */ (["ws", "stdio"])) {
      /** @type {Servers} */
      const servers = {};
      for (const [name, command] of Object.entries(commands))
        servers[name] = await MeasuredExecServer.start(command, transport, home);
      try {
        done(...(await measure(servers, transport, rounds)));
      } finally {
        for (const server of Object.values(servers)) await server.stop();
      }
    }
  } finally {
    await removeFolder(home);
  }
  done({ work: "floor: WebSocket round trip", unit: "ms", samples: { node: await webSocketRoundTrips(rounds) } });
  done({ work: "floor: /bin/true in a row", unit: "/s", samples: { node: [await plainSpawnsPerSecond()] } });
}

/** @param {Servers} servers @param {"ws" | "stdio"} transport @param {number} rounds @returns {Promise<Row[]>} */
async function measure(servers, transport, rounds) {
  const each = (/** @type {(server: MeasuredExecServer, round: number) => Promise<number | void>} */ work) =>
    Object.fromEntries(
      Object.entries(servers).map(([name, server]) => [name, (/** @type {number} */ round) => work(server, round)]),
    );
  await sleep(settleMs);
  const idle = await interleave(
    1,
    each(async (server) => server.residentMegabytes),
    { warmUp: 0 },
  );
  const status = await interleave(
    rounds,
    each((server) => server.request("environment/status", {})),
    { warmUp: 5 },
  );
  for (const server of Object.values(servers)) await server.startProcess("cat", ["cat"], { tty: true });
  await sleep(settleMs);
  const echo = await interleave(
    rounds,
    each((server, round) => echoed(server, `w${round + 100}#`)),
    { warmUp: 5 },
  );
  const runs = await interleave(3, each(runsPerSecond));
  const output = await interleave(5, each(megabytesPerSecond));
  const of = "genuine";
  const overWs = transport === "ws";
  return [
    { work: `${transport}: memory, idle`, unit: "MB", samples: idle, bound: { of, most: 1.2 } },
    { work: `${transport}: status round trip`, unit: "ms", samples: status },
    {
      work: `${transport}: write to echo on a terminal`,
      unit: "ms",
      samples: echo,
      bound: { of, most: overWs ? 0.2 : 1.5 },
    },
    { work: `${transport}: /bin/true in a row`, unit: "/s", samples: runs, bound: { of, least: overWs ? 4 : 0.8 } },
    {
      work: `${transport}: ${outputBytes / 1e6} MB of output`,
      unit: "MB/s",
      samples: output,
      bound: { of, least: overWs ? 0.6 : 1 },
    },
  ];
}

/** Writes a line to the terminal's `cat` and waits for its echo and its copy. @param {MeasuredExecServer} server @param {string} tag @returns {Promise<void>} */
function echoed(server, tag) {
  return new Promise((resolve) => {
    let text = "";
    server.onNotification = ({ method, params }) => {
      if (method !== "process/output") return;
      text += Buffer.from(params.chunk, "base64").toString();
      if (text.split(tag).length >= 3) resolve();
    };
    const chunk = Buffer.from(`${tag}\n`).toString("base64");
    void server.request("process/write", { processId: "cat", chunk, writeId: tag });
  });
}

let started = 0;

/** Starts a process and waits for its end; gives back the bytes it wrote. @param {MeasuredExecServer} server @param {readonly string[]} argv @returns {Promise<number>} */
function runToClose(server, argv) {
  const processId = `run-${started++}`;
  return new Promise((resolve, reject) => {
    let bytes = 0;
    server.onNotification = ({ method, params }) => {
      if (params.processId !== processId) return;
      if (method === "process/output") bytes += Math.floor((params.chunk.length * 3) / 4);
      if (method === "process/closed") resolve(bytes);
    };
    server.startProcess(processId, argv).catch(reject);
  });
}

/** @param {MeasuredExecServer} server */
async function runsPerSecond(server) {
  const start = performance.now();
  for (let index = 0; index < sequentialRuns; index++) await runToClose(server, ["/bin/true"]);
  return (sequentialRuns * 1000) / (performance.now() - start);
}

/** @param {MeasuredExecServer} server */
async function megabytesPerSecond(server) {
  const start = performance.now();
  const bytes = await runToClose(server, ["head", "-c", String(outputBytes), "/dev/zero"]);
  if (bytes < outputBytes) throw new Error(`only ${bytes} bytes arrived`);
  return outputBytes / 1e3 / (performance.now() - start);
}

/** @param {number} rounds */
async function webSocketRoundTrips(rounds) {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: false });
  await new Promise((resolve) => server.once("listening", resolve));
  server.on("connection", (socket, { socket: stream }) => {
    stream.setNoDelay(true);
    socket.on("message", (data) => socket.send(data.toString()));
  });
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const client = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false });
  await new Promise((resolve) => client.once("open", resolve));
  const { node } = await interleave(rounds, {
    node: () =>
      new Promise((resolve) => {
        client.once("message", () => resolve());
        client.send("x");
      }),
  });
  client.terminate();
  server.close();
  return node;
}

async function plainSpawnsPerSecond() {
  const start = performance.now();
  for (let index = 0; index < sequentialRuns; index++)
    await new Promise((resolve) => spawn("/bin/true", { stdio: "ignore" }).once("close", resolve));
  return (sequentialRuns * 1000) / (performance.now() - start);
}
