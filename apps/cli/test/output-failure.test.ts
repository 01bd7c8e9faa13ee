/** Standard output that takes no more: a full disk is a failure whatever the command, a reader that has left is none. */
import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { expect, test } from "vitest";
import { Home, MAIN, PROCESS_TIMEOUT } from "./support/cli.js";

const COMMANDS = [
  ["--version"],
  ["--help"],
  ["schema", "list"],
  ["completion", "bash"],
  ["mcp", "list"],
  ["features", "list"],
];

const full = existsSync("/dev/full");
const reason = full ? "" : " (skipped: this system has no /dev/full)";

test.skipIf(!full).each(COMMANDS)(
  `%s ends with 1 and one line where the disk is full${reason}`,
  async (...args) => {
    await using home = new Home();
    const disk = openSync("/dev/full", "w");
    const { status, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
      stdio: ["ignore", disk, "pipe"],
      env: home.environment(),
      encoding: "utf8",
      timeout: PROCESS_TIMEOUT / 2,
    });
    closeSync(disk);
    expect(stderr).toBe("turnkit: standard output cannot be written: ENOSPC: no space left on device\n");
    expect(status).toBe(1);
  },
  PROCESS_TIMEOUT,
);

test(
  "a reader that has left is no failure",
  async () => {
    await using home = new Home();
    const lines = `"$0" "$1" schema print TurnItem | head -n 1; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = spawnSync("bash", ["-c", lines, process.execPath, MAIN], {
      env: home.environment(),
      encoding: "utf8",
      timeout: PROCESS_TIMEOUT / 2,
    });
    expect([stdout, stderr]).toEqual(["{\n0\n", ""]);
  },
  PROCESS_TIMEOUT,
);
