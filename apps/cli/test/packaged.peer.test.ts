/**
 * The command as people get it: packed, and installed into an empty folder by the package managers they use, with install
 * scripts and without. Needs the registry, so it runs with the peer suites.
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MAIN } from "./support/cli.js";

const packageFolder = path.dirname(path.dirname(MAIN));
const root = path.resolve(packageFolder, "../..");
const { packageManager } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
  packageManager: string;
};
const pnpm = path.join(root, ".tools", packageManager.replace("@", "-"), "node_modules/.bin/pnpm");
const BUN = "bun@1.3.14";
const PATIENCE = 300_000;

interface Finished {
  readonly code: number;
  readonly output: string;
}

/** A home of its own: the answer must not depend on who runs the tests. */
function run(folder: string, command: string, ...args: string[]): Promise<Finished> {
  const home = path.join(folder, "home");
  mkdirSync(home, { recursive: true });
  const { OPENAI_API_KEY: _, ...kept } = process.env;
  const env = { ...kept, HOME: home, TURNKIT_HOME: path.join(home, ".turnkit"), NO_COLOR: "1", CI: "1" };
  return new Promise((resolve) => {
    const child = execFile(command, args, { cwd: folder, env, maxBuffer: 1 << 26 }, (error, stdout, stderr) =>
      resolve({ code: error ? (typeof error.code === "number" ? error.code : -1) : 0, output: stdout + stderr }),
    );
    child.stdin?.end();
  });
}

async function succeed(folder: string, command: string, ...args: string[]): Promise<void> {
  const { code, output } = await run(folder, command, ...args);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}:\n${output}`);
}

let base: string;
let tarball: string;
beforeAll(async () => {
  base = mkdtempSync(path.join(tmpdir(), "turnkit-packaged-"));
  await succeed(base, pnpm, "--dir", packageFolder, "pack", "--pack-destination", base);
  tarball = path.join(base, readdirSync(base).find((name) => name.endsWith(".tgz")) ?? "nothing was packed");
}, PATIENCE);
afterAll(() => removeFolder(base));

function emptyProject(name: string): string {
  const folder = path.join(base, name);
  mkdirSync(folder);
  writeFileSync(path.join(folder, "package.json"), '{"private":true}');
  return folder;
}

const npmFlags = ["--no-audit", "--no-fund", "--prefer-offline"];
const INSTALLS: Readonly<Record<string, (folder: string) => Promise<void>>> = {
  npm: (folder) => succeed(folder, "npm", "install", ...npmFlags, tarball),
  "npm without scripts": (folder) => succeed(folder, "npm", "install", "--ignore-scripts", ...npmFlags, tarball),
  pnpm: (folder) => succeed(folder, pnpm, "add", "--allow-build=node-pty", "--prefer-offline", tarball),
  "pnpm without scripts": (folder) => succeed(folder, pnpm, "add", "--ignore-scripts", "--prefer-offline", tarball),
  bun: async (folder) => {
    const tools = path.join(folder, "tools");
    await succeed(folder, "npm", "install", "--prefix", tools, "--no-save", ...npmFlags, BUN);
    const bun = path.join(tools, "node_modules/.bin/bun");
    await succeed(folder, bun, "add", tarball);
  },
};

describe("installed from its tarball", { timeout: PATIENCE }, () => {
  it.each(Object.entries(INSTALLS))("with %s it is healthy, and the demo runs", async (name, install) => {
    const folder = emptyProject(name.replaceAll(" ", "-"));
    await install(folder);
    const turnkit = path.join(folder, "node_modules/.bin/turnkit");
    const doctor = await run(folder, turnkit, "doctor", "--json");
    expect(doctor.code, doctor.output).toBe(0);
    const { findings } = JSON.parse(doctor.output) as { findings: { name: string; status: string }[] };
    expect(findings.filter(({ status }) => status === "problem")).toEqual([]);
    expect(findings.find((finding) => finding.name === "processes")).toMatchObject({ status: "ok" });
    const demo = await run(folder, turnkit, "demo");
    expect(demo.code, demo.output).toBe(0);
    expect(demo.output).toMatch(/rollout-.*\.jsonl/);
  });
});
