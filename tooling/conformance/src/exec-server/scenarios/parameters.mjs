// @ts-check
// Parameters that scenarios share, and what they need of the machine.
import { readFileSync } from "node:fs";

export const childEnv = { PATH: "/usr/bin:/bin" };

/** @param {string} path */
export const uri = (path) => `file://${path}`;

/** @param {string} text */
export const b64 = (text) => Buffer.from(text).toString("base64");

/** @param {string} base64 */
export const unb64 = (base64) => Buffer.from(base64, "base64");

/** Of process/start. @param {string} processId @param {string | string[]} program a shell script, or a program and its arguments */
export function processParams(processId, program, more = {}) {
  const argv = Array.isArray(program) ? program : ["sh", "-c", program];
  return { processId, argv, cwd: uri("/tmp"), env: childEnv, tty: false, pipeStdin: false, arg0: null, ...more };
}

/** Neither gone nor a zombie. @param {number} pid */
export function isAlive(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const state = stat.charAt(stat.lastIndexOf(")") + 2);
    return state !== "Z" && state !== "X";
  } catch {
    return false;
  }
}

/** @param {number} pid */
export function killProcess(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}
