// @ts-check
// Runs an agent's command for one task to its end: how long it takes, and the memory that it and its children hold at
// their height. Memory is looked at in rounds of their own, since looking takes time.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { programsBelow } from "./programs.mjs";

const lookEveryMs = 10;
const patienceMs = 120_000;

/** @typedef {{ command: readonly string[], env: Record<string, string | undefined>, cwd: string }} OneTask */

/** @param {OneTask} task @returns {Promise<number>} milliseconds @throws {Error} it failed, or its output has no answer */
export async function timeOf(task) {
  const start = performance.now();
  await started(task).ended;
  return performance.now() - start;
}

/** @param {OneTask} task @returns {Promise<number>} megabytes, of the program and what it started, together */
export async function peakOf(task) {
  const { child, ended } = started(task);
  let running = true;
  let peak = 0;
  const end = ended.finally(() => {
    running = false;
  });
  while (running) {
    const each = [child.pid, ...programsBelow(child.pid)].map((pid) => resident(pid));
    peak = Math.max(
      peak,
      each.reduce((sum, megabytes) => sum + megabytes, 0),
    );
    await Promise.race([sleep(lookEveryMs), end.catch(() => {})]);
  }
  await end;
  return peak;
}

/** @param {OneTask} task */
function started({ command: [program = "", ...args], env, cwd }) {
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let [said, complained] = ["", ""];
  child.stdout.on("data", (text) => {
    said += text;
  });
  child.stderr.on("data", (text) => {
    complained += text;
  });
  /** @type {Promise<void>} */
  const ended = new Promise((resolve, reject) => {
    const timer = setTimeout(() => child.kill("SIGKILL"), patienceMs);
    child.on("error", reject);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      if (code === 0 && said.includes("done")) resolve();
      else reject(new Error(`ended with ${code ?? signal}: ${(complained || said).trim().slice(-300)}`));
    });
  });
  return { child, ended };
}

/** At its height, for a program that still lives. @param {number | undefined} pid */
function resident(pid) {
  try {
    const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Number(kilobytes ?? 0) / 1024;
  } catch {
    return 0;
  }
}
