// @ts-check
// Programs that say by their exit code whether all is well.
import { spawn } from "node:child_process";

/**
 * @param {string} root where it runs @param {string} command @param {readonly string[]} args
 * @returns {Promise<{ ok: boolean, lines: string[] }>} whether the exit code was 0, and everything that was printed
 */
export function runProgram(root, command, args) {
  return new Promise((resolve) => {
    let output = "";
    const child = spawn(command, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (output += text));
    child.on("error", (error) => resolve({ ok: false, lines: [`${command} could not be started: ${error.message}`] }));
    child.on("close", (code) => resolve({ ok: code === 0, lines: output.trim().split("\n") }));
  });
}
