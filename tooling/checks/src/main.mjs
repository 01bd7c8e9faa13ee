#!/usr/bin/env node
// @ts-check
// The checks of the repository itself. One line per check; the reasons follow a check that fails.
import { spawn } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { checkFileSizes } from "./file-sizes.mjs";
import { checkForbiddenText } from "./forbidden-text.mjs";
import { checkLayering } from "./layering.mjs";
import { checkPublishedPackages } from "./published-packages.mjs";
import { repositoryFiles } from "./repository-files.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../..");
const longestReason = 200;

/** A program that says by its exit code whether all is well. @param {string} command @param {string[]} args @returns {Promise<string[]>} */
function program(command, ...args) {
  return new Promise((resolve) => {
    let output = "";
    const child = spawn(command, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.on("data", (text) => (output += text));
    child.stderr.on("data", (text) => (output += text));
    child.on("error", (error) => resolve([`${command} could not be started: ${error.message}`]));
    child.on("close", (code) => resolve(code === 0 ? [] : output.trim().split("\n")));
  });
}

/** Forbidden imports; also that the files were seen at all. */
async function layering() {
  const { modules, violations } = await checkLayering(root);
  const sources = repositoryFiles(root).filter((file) => /^(packages|apps)\/[^/]+\/src\/.*\.ts$/.test(file)).length;
  return modules < sources ? [`only ${modules} of ${sources} source files were read`, ...violations] : violations;
}

/** Compiles every package, two at a time. */
async function types() {
  const projects = repositoryFiles(root).filter((file) =>
    /^(packages|apps|tooling)\/[^/]+\/tsconfig\.json$/.test(file),
  );
  /** @type {string[]} */
  const reasons = [];
  const worker = async () => {
    for (let project = projects.pop(); project !== undefined; project = projects.pop())
      reasons.push(...(await program("tsc", "--pretty", "false", "-p", project)));
  };
  await Promise.all([worker(), worker()]);
  return reasons;
}

/** @type {readonly [string, () => string[] | Promise<string[]>][]} */
const checks = [
  ["format and lint", () => program("biome", "check", "--diagnostic-level=error", "--reporter=summary", ".")],
  ["file sizes", () => checkFileSizes(root)],
  ["forbidden text", () => checkForbiddenText(root)],
  ["layering", layering],
  ["types", types],
  ["unused files and dependencies", () => program("knip", "--config", "tooling/checks/knip.json", "--no-progress")],
  ["published packages", () => checkPublishedPackages(root)],
];

let failed = 0;
for (const [name, check] of checks) {
  const start = performance.now();
  const reasons = await Promise.resolve(check()).catch((/** @type {Error} */ error) => [error.message]);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  process.stdout.write(`${reasons.length === 0 ? "ok  " : "FAIL"} ${name} (${seconds} s)\n`);
  for (const reason of reasons) process.stdout.write(`     ${reason.slice(0, longestReason)}\n`);
  if (reasons.length > 0) failed += 1;
}
process.stdout.write(`${checks.length - failed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
