// Installs other agents' commands, which the bench runs beside ours, below `.cache/rivals`: each in a folder of its own,
// in an exact version. Nothing of them is a dependency of the workspace, and no install script of theirs is run.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/** `program` is a file below node_modules. */
const rivals = {
  pi: { name: "@mariozechner/pi-coding-agent", version: "0.73.1", program: ".bin/pi" },
  gemini: { name: "@google/gemini-cli", version: "0.61.0", program: ".bin/gemini" },
  opencode: {
    name: "opencode-ai",
    version: "1.18.33",
    program: `opencode-${process.platform}-${process.arch}/bin/opencode`,
  },
};

/**
 * @param {string} root of the workspace
 * @param {keyof typeof rivals} rival
 * @returns {string} the program's path
 * @throws {Error} it cannot be had here
 */
export function installRival(root, rival) {
  const { name, version, program } = rivals[rival];
  const folder = path.join(root, ".cache/rivals", `${rival}-${version}`);
  const stamp = path.join(folder, "complete");
  if (!existsSync(stamp)) {
    mkdirSync(folder, { recursive: true });
    process.stderr.write(`turnkit: fetching ${rival} ${version} …\n`);
    const flags = ["--no-save", "--no-package-lock", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"];
    const command = ["install", "--prefix", folder, ...flags, "--silent", `${name}@${version}`];
    const { status, error } = spawnSync("npm", command, { stdio: ["ignore", "ignore", "inherit"] });
    if (status !== 0) throw new Error(`${name}@${version} could not be installed${error ? `: ${error.message}` : ""}`);
    writeFileSync(stamp, "");
  }
  const file = path.join(folder, "node_modules", program);
  if (!existsSync(file))
    throw new Error(`${name}@${version} has no program for ${process.platform} on ${process.arch}`);
  return file;
}
