#!/usr/bin/env node
// @ts-check
// Changes one thing of a source file at a time, in a copy, and runs the tests that have to notice. Fails when a
// target falls below its share, when a survivor has no reason in explained.json, or when a reason has no survivor.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { apply, mutantsOf } from "./mutants.mjs";
import { targets } from "./targets.mjs";
import { TestRunner } from "./test-run.mjs";
import { workingCopy } from "./working-copy.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../..");
const SHARE = 0.85;
const usage = `usage: npm run mutation -- [TARGET …] [--list] [--limit SECONDS]

  TARGET    ${targets.map(({ name }) => name).join(", ")} (default: all)
  --list    names the changes without running anything
  --limit   longest run of one mutant's tests (default: 4 times the unchanged run, at least 20)
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: "boolean", default: false }, limit: { type: "string" } },
});
if (positionals.some((name) => !targets.some((target) => target.name === name))) {
  process.stderr.write(usage);
  process.exit(2);
}
const chosen = targets.filter(({ name }) => positionals.length === 0 || positionals.includes(name));

/** @type {readonly { file: string, line: string, change: string, reason: string }[]} */
const explained = JSON.parse(readFileSync(path.join(root, "tooling/mutation/explained.json"), "utf8"));

/** @param {import("./mutants.mjs").Mutant} mutant */
function changeOf(mutant) {
  const short = (/** @type {string} */ text) => text.replace(/\s+/g, " ").slice(0, 120);
  return `${mutant.operator}: ${short(mutant.was)} -> ${short(mutant.replacement)}`;
}

/** @param {string} text */
const print = (text) => void process.stdout.write(`${text}\n`);

/** @param {import("./targets.mjs").Target} target */
function mutantsOfTarget(target) {
  return target.sources.flatMap((file) => {
    const text = readFileSync(path.join(root, file), "utf8");
    return mutantsOf(file, text).map((mutant) => ({ file, text, mutant, change: changeOf(mutant) }));
  });
}

/** @param {import("./targets.mjs").Target} target @param {string} copy */
async function runTarget(target, copy) {
  const runner = new TestRunner({ root: copy, project: target.project, files: target.tests });
  try {
    return await judge(target, copy, runner);
  } finally {
    runner.end();
  }
}

/** @param {import("./targets.mjs").Target} target @param {string} copy @param {TestRunner} runner */
async function judge(target, copy, runner) {
  const base = await runner.run([], 300_000);
  if (base.verdict !== "passed")
    throw new Error(`the tests of ${target.name} fail unchanged (${base.verdict}):\n${base.errors.join("\n")}`);
  const begin = performance.now();
  const limit = values.limit ? Number(values.limit) * 1_000 : Math.max(20_000, 4 * base.milliseconds);
  const mutants = mutantsOfTarget(target);
  print(`${target.name}: ${mutants.length} mutants, ${(base.milliseconds / 1_000).toFixed(1)} s a run`);
  /** The file that the last mutant changed: it is as it was again. @type {string[]} */
  let restored = [];
  let killed = 0;
  let late = 0;
  let unexplained = 0;
  for (const { file, text, mutant, change } of mutants) {
    const changed = path.join(copy, file);
    writeFileSync(changed, apply(mutant, text));
    const { verdict } = await runner.run([...restored, changed], limit);
    writeFileSync(changed, text);
    restored = [changed];
    if (verdict === "time is up") late += 1;
    if (verdict !== "passed") {
      killed += 1;
      continue;
    }
    const known = explained.find(
      (each) => each.file === file && each.line === mutant.lineText && each.change === change,
    );
    if (!known) unexplained += 1;
    print(`  survived ${file}:${mutant.line} ${change}`);
    print(`           ${mutant.lineText}`);
    print(`           ${known ? known.reason : "(no reason is known)"}`);
  }
  // The file is as it was: what fails now does not fail because of a change.
  if ((await runner.run(restored, limit)).verdict !== "passed")
    throw new Error(`the tests of ${target.name} fail unchanged at the end`);
  const seconds = ((performance.now() - begin) / 1_000).toFixed(0);
  const share = mutants.length === 0 ? 1 : killed / mutants.length;
  const percent = (share * 100).toFixed(1);
  print(
    `${target.name}: ${killed} of ${mutants.length} killed (${percent} %), ${late} of them by the time limit, in ${seconds} s\n`,
  );
  return { ok: share >= SHARE && unexplained === 0, killed, total: mutants.length };
}

if (values.list) {
  for (const target of chosen)
    for (const { file, mutant, change } of mutantsOfTarget(target)) print(`${file}:${mutant.line} ${change}`);
} else {
  const copy = workingCopy(root);
  const results = [];
  try {
    for (const target of chosen) results.push(await runTarget(target, copy.root));
  } finally {
    await copy.remove();
  }
  const killed = results.reduce((sum, each) => sum + each.killed, 0);
  const total = results.reduce((sum, each) => sum + each.total, 0);
  print(`${killed} of ${total} mutants killed`);
  const failed = results.filter(({ ok }) => !ok).length;
  print(`${results.length - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
