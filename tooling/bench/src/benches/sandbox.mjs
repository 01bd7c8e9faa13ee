// @ts-check
// What the sandbox adds to a command: the same one with and without it, in turns, by our exec-server. Beside it, what
// the genuine program's sandbox adds to a command that is started directly.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { MeasuredExecServer } from "../exec-server-setup.mjs";
import { interleave } from "../measure.mjs";
import { genuine, ours, runToEnd } from "../programs.mjs";
import { summarize } from "../statistics.mjs";

export const title = "the sandbox around a command";

const allowedMilliseconds = 15;
const program = ["/bin/sh", "-c", "true"];

/** @param {{ rounds: number | undefined, done: (...rows: import("../report.mjs").Row[]) => void }} options */
export async function run({ rounds = 60, done }) {
  const folder = mkdtempSync(path.join(tmpdir(), "bench-sandbox-"));
  const server = await MeasuredExecServer.start(ours("exec-server"), "ws", folder);
  await server.request("environment/status", {});
  // It makes its helpers in its home, and not below the temporary folder.
  const home = mkdtempSync("/var/tmp/bench-sandbox-");
  const peer = genuine("sandbox", "--", ...program);
  const env = { HOME: home, CODEX_HOME: home };
  try {
    const samples = await interleave(
      rounds,
      {
        none: () => command(server, null),
        "read-only": () => command(server, sandboxOf([])),
        "workspace-write": () => command(server, sandboxOf([folder])),
        direct: () => peer && runToEnd(program, env),
        genuine: () => peer && runToEnd(peer, env),
      },
      { warmUp: 5 },
    );
    const over = (/** @type {readonly number[]} */ times, /** @type {readonly number[]} */ base) => {
      const { median } = summarize(base);
      return times.map((time) => time - median);
    };
    const beside = peer ? { genuine: over(samples.genuine, samples.direct) } : {};
    done({ work: "a command without a sandbox", unit: "ms", samples: { ours: samples.none } });
    for (const name of /** @type {const} */ (["read-only", "workspace-write"]))
      done({
        work: `${name}: on top of that`,
        unit: "ms",
        samples: { ours: over(samples[name], samples.none), ...beside, allowed: [allowedMilliseconds] },
        bound: { of: "allowed", most: 1 },
      });
  } finally {
    await server.stop();
    for (const each of [folder, home]) await removeFolder(each);
  }
}

let count = 0;

/** @param {MeasuredExecServer} server @param {object | null} sandbox */
async function command(server, sandbox) {
  const processId = `bench-${count++}`;
  const closed = new Promise((resolve) => {
    server.onNotification = ({ method, params }) =>
      method === "process/closed" && params.processId === processId && resolve(undefined);
  });
  const { error } = await server.startProcess(processId, program, sandbox === null ? {} : { sandbox });
  if (error) throw new Error(error.message);
  await closed;
}

/** @param {readonly string[]} writable */
function sandboxOf(writable) {
  const root = { path: { type: "special", value: { kind: "root" } }, access: "read" };
  const roots = writable.flatMap((folder) => [
    { path: { type: "path", path: folder }, access: "write" },
    ...[".git", ".agents", ".codex", ".turnkit"].map((name) => ({
      path: { type: "path", path: path.join(folder, name) },
      access: "read",
    })),
  ]);
  const file_system = { type: "restricted", entries: [root, ...roots] };
  return { permissions: { type: "managed", file_system, network: "restricted" }, windowsSandboxLevel: "disabled" };
}
