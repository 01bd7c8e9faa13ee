// @ts-check
// What people meet first: how long the command takes to start, to draw, to take keys; and what it costs while it is open.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { message, startScriptedModel } from "@turnkit/core/scripted-model";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { configFor } from "../app-server-setup.mjs";
import { interleave } from "../measure.mjs";
import { genuine, ours, processorMilliseconds, residentMegabytes, runToEnd } from "../programs.mjs";
import { TerminalHost } from "../terminal-program.mjs";

export const title = "the command: start, first frame, memory, idling";

/** What Node itself takes on the machine that the bounds were set for: elsewhere they grow or shrink with it. */
const nodeMs = 42;
/** On top of that. */
const versionMs = 25;
const helpMs = 60;
const frameMs = 250;
const usableMs = 300 - nodeMs;
const sessionTurns = 500;
const sessionMegabytes = 250;
const idleSeconds = 10;
const idlePercent = 1;

/** The empty composer says this. */
const composer = "Ask for something";
const bare = [process.execPath, "-e", "0"];

/** @typedef {import("../report.mjs").Row} Row */

/** @param {{ rounds: number | undefined, done: (...rows: Row[]) => void }} options @returns {Promise<void>} */
export async function run({ rounds = 15, done }) {
  const folder = mkdtempSync(path.join(tmpdir(), "turnkit-bench-"));
  const [home, cwd] = [path.join(folder, "home"), path.join(folder, "work")];
  for (const each of [home, cwd]) mkdirSync(each);
  let turns = 0;
  const model = await startScriptedModel({ fallback: () => ({ items: [message(reply(turns++))] }) });
  writeFileSync(path.join(home, "config.toml"), configFor(model.url, cwd));
  const env = { HOME: folder, TURNKIT_HOME: home, NO_COLOR: "" };
  const host = await TerminalHost.start(home);
  try {
    await plainCommands(rounds, done, env);
    await interfaceStart(host, { rounds, cwd, env }, done);
    await openInterface(host, { cwd, env }, done);
  } finally {
    await host.stop();
    await model.close();
    await removeFolder(folder);
  }
}

/** @param {number} rounds @param {(...rows: Row[]) => void} done @param {Record<string, string>} env */
async function plainCommands(rounds, done, env) {
  const peer = genuine("--version");
  /** @type {Record<"node" | "version" | "help" | "genuine", () => Promise<void>>} */
  const work = {
    node: () => runToEnd(bare),
    version: () => runToEnd(ours("--version"), env),
    help: () => runToEnd(ours("--help"), env),
    genuine: () => (peer ? runToEnd(peer, env) : Promise.resolve()),
  };
  const times = await interleave(rounds, work);
  done(
    withAllowance(
      "--version",
      { ours: times.version, node: times.node, genuine: peer ? times.genuine : [] },
      versionMs,
    ),
    withAllowance("--help", { ours: times.help, node: times.node }, helpMs),
  );
}

/** The interface in a terminal, from its start to the composer, and to the echo of a first key. @param {TerminalHost} host @param {{ rounds: number, cwd: string, env: Record<string, string> }} setup @param {(...rows: Row[]) => void} done */
async function interfaceStart(host, { rounds, cwd, env }, done) {
  /** @type {number[]} */
  const usable = [];
  const times = await interleave(rounds, {
    node: async () => (await host.run(bare, { cwd, env })).ended(),
    ours: async (round) => {
      const start = performance.now();
      const program = await host.run(ours(), { cwd, env });
      await program.draws(composer);
      const drawn = performance.now() - start;
      program.forget();
      await program.type("Z");
      await program.draws("Z");
      if (round >= 0) usable.push(performance.now() - start);
      await program.terminate();
      return drawn;
    },
  });
  done(
    withAllowance("first frame", { ours: times.ours, node: times.node }, frameMs),
    withAllowance("a first key is shown", { ours: usable, node: times.node }, usableMs),
  );
}

/** One interface that stays open. @param {TerminalHost} host @param {{ cwd: string, env: Record<string, string> }} setup @param {(...rows: Row[]) => void} done */
async function openInterface(host, { cwd, env }, done) {
  const program = await host.run(ours(), { cwd, env });
  await program.draws(composer);
  done(idling("idle, processor", await idlePart(program.pid)));
  for (let turn = 0; turn < sessionTurns; turn++) {
    program.forget();
    await program.type(`hello ${turn}`);
    await program.draws(String(turn));
    // As a key: a plain carriage return so soon after a line would be part of a paste.
    await program.type("\x1b[13u");
    // The composer comes back to its first words when the turn has ended.
    await program.draws(`end of reply`);
    await program.draws(composer);
  }
  done({
    work: `memory after ${sessionTurns} turns`,
    unit: "MB",
    samples: { ours: [residentMegabytes(program.pid)], limit: [sessionMegabytes] },
    bound: { of: "limit", most: 1 },
  });
  done(idling(`idle after ${sessionTurns} turns, processor`, await idlePart(program.pid)));
  await program.terminate();
}

/** Per cent of one processor. @param {number | undefined} pid */
async function idlePart(pid) {
  await sleep(1_000);
  const before = processorMilliseconds(pid);
  await sleep(idleSeconds * 1_000);
  return (processorMilliseconds(pid) - before) / (idleSeconds * 10);
}

/** @param {string} work @param {number} percent @returns {Row} */
const idling = (work, percent) => ({
  work,
  unit: "%",
  samples: { ours: [percent], limit: [idlePercent] },
  bound: { of: "limit", most: 1 },
});

/** Bounded by Node's own time and an allowance. @param {string} work @param {Record<string, number[]>} samples @param {number} allowance @returns {Row} */
const withAllowance = (work, samples, allowance) => ({
  work,
  unit: "ms",
  samples,
  bound: { of: "node", most: Number(((nodeMs + allowance) / nodeMs).toFixed(2)) },
});

/** @param {number} turn */
const reply = (turn) =>
  `## Turn ${turn}\n\nThe file \`src/module-${turn}.ts\` is fixed:\n\n\`\`\`ts\n${"export const value = compute(1, 2, 3);\n".repeat(8)}\`\`\`\n\n- one thing\n- another thing\n\n${"It reads what it needs, and no more. ".repeat(6)}\n\nend of reply`;
