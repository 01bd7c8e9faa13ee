#!/usr/bin/env node
// Brings the workspace from a fresh clone to a running command: pnpm of the pinned version, installed
// packages, built packages, then the task. Has no dependencies; works offline once the caches are warm.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
const [task = "help", ...rest] = process.argv.slice(2);
const verbose = process.env.TURNKIT_BOOTSTRAP_VERBOSE === "1";

function fail(message) {
  process.stderr.write(`turnkit: ${message}\n`);
  process.exit(1);
}

function checkNode() {
  const wanted = /(\d+)\.(\d+)\.(\d+)/.exec(manifest.engines.node).slice(1).map(Number);
  const have = process.versions.node.split(".").map(Number);
  const older = wanted.findIndex((part, i) => part !== have[i]);
  if (older >= 0 && have[older] < wanted[older])
    fail(`Node ${manifest.engines.node} is needed; this is Node ${process.versions.node}.`);
}

/** Runs a program; its output is shown only when it fails (or with TURNKIT_BOOTSTRAP_VERBOSE=1). */
function quietly(what, command, args) {
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: verbose ? "inherit" : ["ignore", "pipe", "pipe"],
    maxBuffer: 1 << 28,
  });
  if (result.error) fail(`${what} could not be started: ${result.error.message}`);
  if (result.status === 0) return;
  process.stderr.write(`${result.stdout ?? ""}${result.stderr ?? ""}`);
  fail(`${what} failed (exit code ${result.status ?? result.signal}).`);
}

/** Ends this process with the exit code of the program. */
function become(command, args, environment = {}) {
  const result = spawnSync(command, args, { cwd: root, stdio: "inherit", env: { ...process.env, ...environment } });
  if (result.error) fail(`${command} could not be started: ${result.error.message}`);
  process.exit(result.status ?? 1);
}

function ensurePnpm() {
  const version = /^pnpm@([\w.-]+)/.exec(manifest.packageManager)?.[1];
  if (!version) fail("package.json: packageManager must be pnpm@<version>.");
  const folder = path.join(root, ".tools", `pnpm-${version}`);
  const stamp = path.join(folder, "complete");
  if (!existsSync(stamp)) {
    mkdirSync(folder, { recursive: true });
    process.stderr.write(`turnkit: fetching pnpm ${version} …\n`);
    quietly("Fetching pnpm", "npm", [
      "install",
      "--prefix",
      folder,
      "--no-save",
      "--no-package-lock",
      "--prefer-offline",
      "--no-audit",
      "--no-fund",
      `pnpm@${version}`,
    ]);
    writeFileSync(stamp, "");
  }
  const bins = [path.join(folder, "node_modules", ".bin"), path.join(root, "node_modules", ".bin")];
  process.env.PATH = [...bins, process.env.PATH].join(path.delimiter);
  process.env.TURBO_TELEMETRY_DISABLED = "1";
  process.env.DO_NOT_TRACK = "1";
  const headers = path.resolve(process.execPath, "../..");
  if (existsSync(path.join(headers, "include/node/node.h"))) process.env.npm_config_nodedir ??= headers;
}

function prepare() {
  checkNode();
  ensurePnpm();
  if (!existsSync(path.join(root, "node_modules"))) process.stderr.write("turnkit: installing packages …\n");
  quietly("Installing packages", "pnpm", ["install", "--frozen-lockfile", "--prefer-offline"]);
  quietly("Building", "turbo", ["run", "build", "--output-logs=errors-only"]);
}

/** The task's own arguments, without the `--` that npm leaves in place in some versions. */
const passed = rest[0] === "--" ? rest.slice(1) : rest;
const program = path.join(root, "apps/cli/dist/main.js");

const tasks = {
  async start() {
    process.argv = [process.execPath, program, ...passed];
    process.env.TURNKIT_START = "1";
    await import(pathToFileURL(program).href);
  },
  build() {},
  test: () => become("vitest", ["run", ...passed]),
  soak: () => become("vitest", ["run", ...passed], { TURNKIT_SOAK: "1" }),
  async peers() {
    const { installPeers } = await import("./peers.mjs");
    let peers = {};
    try {
      peers = installPeers(root);
    } catch (error) {
      fail(error.message);
    }
    become("vitest", ["run", ...passed], { TURNKIT_PEERS: "1", ...peers });
  },
  format: () => become("biome", ["check", "--write", ...(passed.length > 0 ? passed : ["."])]),
  check: () => become(process.execPath, ["tooling/checks/src/main.mjs", ...passed]),
  conformance: () => become(process.execPath, ["tooling/conformance/src/main.mjs", ...passed]),
  bench: () => become(process.execPath, ["tooling/bench/src/main.mjs", ...passed]),
  mutation: () => become(process.execPath, ["tooling/mutation/src/main.mjs", ...passed]),
};

if (!Object.hasOwn(tasks, task)) fail(`unknown task "${task}"; tasks: ${Object.keys(tasks).join(", ")}.`);
prepare();
await tasks[task]();
