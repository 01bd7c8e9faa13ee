// @ts-check
// The programs that are measured, and the environment they run in.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../..");

/** The command line of the built turnkit; TURNKIT_BENCH_CLI names another main.js. @param {string[]} args */
export function ours(...args) {
  return [process.execPath, process.env.TURNKIT_BENCH_CLI ?? path.join(root, "apps/cli/dist/main.js"), ...args];
}

/** The genuine program: TURNKIT_PEER_CODEX, or one installed below `.cache/peers`; undefined: there is none. @param {string[]} args */
export function genuine(...args) {
  const program = process.env.TURNKIT_PEER_CODEX ?? installedPeer();
  return program === undefined ? undefined : [program, ...args];
}

function installedPeer() {
  const folder = path.join(root, ".cache/peers");
  if (!existsSync(folder)) return undefined;
  const found = readdirSync(folder, { recursive: true, encoding: "utf8" }).find((file) =>
    /vendor\/[^/]+\/(bin|codex)\/codex$/.test(file),
  );
  return found && path.join(folder, found);
}

/**
 * What every measured child gets. NODE_EXTRA_CA_CERTS is left out: where it is set it costs each Node start about 0.1 s.
 * @param {Record<string, string | undefined>} more
 */
export function childEnvironment(more = {}) {
  const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env;
  return { ...inherited, ...more };
}

/** Runs a program to its end. @param {readonly string[]} command @param {Record<string, string>} [env] @returns {Promise<void>} */
export function runToEnd([program = "", ...args], env) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: "ignore", env: childEnvironment(env) });
    child.on("error", reject);
    child.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}`))));
  });
}

/** Resident memory in megabytes; Linux only. @param {number | undefined} pid */
export function residentMegabytes(pid) {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) / 1024;
}

/** What the processors have done for a program's threads so far, in milliseconds; Linux only. @param {number | undefined} pid */
export function processorMilliseconds(pid) {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    try {
      return sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]) / 1e6;
    } catch {
      // It has ended meanwhile.
      return sum;
    }
  }, 0);
}

/** The program's children and theirs, as far as they live; Linux only. @param {number | undefined} pid @returns {number[]} */
export function programsBelow(pid) {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number),
    );
    return children.flatMap((child) => [child, ...programsBelow(child)]);
  } catch {
    return [];
  }
}
