#!/usr/bin/env node
// @ts-check
// Runs scenarios against a server and holds what it did against the recordings of the reference.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { appServerSuite } from "./app-server/suite.mjs";
import { parseCommandLine, usage } from "./command-line.mjs";
import { execServerSuite } from "./exec-server/suite.mjs";
import { ExpectedDifferences } from "./expected-differences.mjs";
import { printSummary, printVerdict } from "./report.mjs";
import { select } from "./select.mjs";
import { judge } from "./verdict.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, "../../..");
const outputFolder = path.resolve(here, "../out");

/** @param {ReturnType<typeof parseCommandLine>} options @param {import("./suite.mjs").Suite} suite */
function chosenScenarios(options, suite) {
  const all = suite.scenarios();
  if (options.globs.length === 0 && !options.all) {
    const claimed = JSON.parse(readFileSync(path.resolve(here, "../claimed.json"), "utf8"));
    return select(all, claimed[suite.name]);
  }
  const chosen = options.all ? all : select(all, options.globs);
  return chosen.filter((name) => options.slow || options.globs.includes(name) || !suite.slow.has(name));
}

/** @param {ReturnType<typeof parseCommandLine>} options @param {import("./suite.mjs").Suite} suite */
async function runSuite(options, suite) {
  const scenarios = chosenScenarios(options, suite);
  const program = options.bin?.split(" ") ?? [process.execPath, path.join(root, "apps/cli/dist/main.js")];
  const expected = ExpectedDifferences.read(path.resolve(here, `../expected/${suite.name}.json`));
  const command = [...program, ...suite.arguments];
  const act = (/** @type {string} */ scenario) => {
    const output = (/** @type {string} */ file, /** @type {string} */ text) => {
      const folder = path.join(outputFolder, suite.name, scenario);
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, file), text);
    };
    return suite.run(scenario, { command, output });
  };
  // What is slow only waits for its time to pass: all of it together, and before what keeps this process busy.
  const slow = new Map(scenarios.filter((scenario) => suite.slow.has(scenario)).map((name) => [name, act(name)]));
  await Promise.all(slow.values());
  const verdicts = [];
  for (const scenario of scenarios.filter((name) => !slow.has(name)).concat([...slow.keys()])) {
    const { failure, differences } = await (slow.get(scenario) ?? act(scenario));
    const verdict = judge(suite.name, scenario, differences, expected, failure);
    printVerdict(verdict, options.verbose);
    verdicts.push(verdict);
  }
  return { verdicts, unused: expected.unused(scenarios, suite.scenarios()) };
}

async function main() {
  const options = parseCommandLine(process.argv.slice(2));
  if (options.help) return void process.stdout.write(usage);
  const suites = [appServerSuite, execServerSuite].filter(({ name }) => (options.suite ?? name) === name);
  if (options.list) {
    for (const { name, scenarios, slow } of suites)
      for (const scenario of scenarios())
        process.stdout.write(`${name} ${scenario}${slow.has(scenario) ? " (slow)" : ""}\n`);
    return;
  }
  // Costs every Node start of a server about 0.1 s where it is set.
  delete process.env.NODE_EXTRA_CA_CERTS;
  const results = [];
  for (const suite of suites) results.push(await runSuite(options, suite));
  const verdicts = results.flatMap((result) => result.verdicts);
  if (options.json !== undefined) writeFileSync(options.json, JSON.stringify(verdicts, null, 1));
  const failed = printSummary(
    verdicts,
    results.flatMap(({ unused }) => unused),
  );
  process.exitCode = failed === 0 ? 0 : 1;
}

try {
  await main();
} catch (error) {
  process.stderr.write(`conformance: ${/** @type {Error} */ (error).message}\n`);
  process.exitCode = 2;
}
