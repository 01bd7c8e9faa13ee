#!/usr/bin/env node
// @ts-check
// The checks of the repository itself. One line per check; the reasons follow a check that fails.
import path from "node:path";
import { fileURLToPath } from "node:url";
import { checkDependencyList } from "./dependency-list.mjs";
import { checkFileSizes } from "./file-sizes.mjs";
import { checkForbiddenText } from "./forbidden-text.mjs";
import { checkLayering } from "./layering.mjs";
import { runProgram } from "./program.mjs";
import { checkPublishedPackages } from "./published-packages.mjs";
import { repositoryFiles } from "./repository-files.mjs";
import { checkTypes } from "./types.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../..");
const longestReason = 200;

/** A program whose output is the reasons. @param {string} command @param {string[]} args @returns {Promise<string[]>} */
async function program(command, ...args) {
  const { ok, lines } = await runProgram(root, command, args);
  return ok ? [] : lines;
}

/** Forbidden imports; also that the files were seen at all. */
async function layering() {
  const { modules, violations } = await checkLayering(root);
  const sources = repositoryFiles(root).filter((file) => /^(packages|apps)\/[^/]+\/src\/.*\.ts$/.test(file)).length;
  return modules < sources ? [`only ${modules} of ${sources} source files were read`, ...violations] : violations;
}

/** Long ones first: two run at a time. @type {readonly [string, () => string[] | Promise<string[]>][]} */
const checks = [
  ["types", () => checkTypes(root)],
  ["layering", layering],
  ["unused files and dependencies", () => program("knip", "--config", "tooling/checks/knip.json", "--no-progress")],
  ["format and lint", () => program("biome", "check", "--diagnostic-level=error", "--reporter=summary", ".")],
  ["published packages", () => checkPublishedPackages(root)],
  ["reasons for dependencies", () => checkDependencyList(root)],
  ["file sizes", () => checkFileSizes(root)],
  ["forbidden text", () => checkForbiddenText(root)],
];

const begin = performance.now();
const waiting = [...checks];
let failed = 0;
async function worker() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [name, check] = next;
    const start = performance.now();
    const reasons = await Promise.resolve()
      .then(check)
      .catch((/** @type {Error} */ error) => [error.message]);
    process.stdout.write(`${reasons.length === 0 ? "ok  " : "FAIL"} ${name} (${secondsSince(start)} s)\n`);
    for (const reason of reasons) process.stdout.write(`     ${reason.slice(0, longestReason)}\n`);
    if (reasons.length > 0) failed += 1;
  }
}

/** @param {number} start */
function secondsSince(start) {
  return ((performance.now() - start) / 1000).toFixed(1);
}

await Promise.all([worker(), worker()]);
process.stdout.write(`${secondsSince(begin)} s\n${checks.length - failed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
