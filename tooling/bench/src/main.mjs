#!/usr/bin/env node
// @ts-check
// Runs a bench: a module in benches/ that exports `title` and `run({ rounds })` and gives back rows.
import { readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { asJson, missed, table } from "./report.mjs";

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), "benches");
const names = readdirSync(folder)
  .filter((file) => file.endsWith(".mjs"))
  .map((file) => path.basename(file, ".mjs"))
  .sort();

const usage = `usage: npm run bench -- NAME [--rounds N] [--json FILE] [--check]

  NAME       ${names.join(", ")}
  --rounds   how often each piece of work is done (default: the bench's own)
  --check    exit code 1 when a bound is missed
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string" },
    json: { type: "string" },
    check: { type: "boolean", default: false },
  },
});
const [name = ""] = positionals;
if (!names.includes(name)) {
  process.stderr.write(usage);
  process.exit(2);
}
delete process.env.NODE_EXTRA_CA_CERTS;
/** @type {{ title: string, run: (options: { rounds: number | undefined }) => Promise<import("./report.mjs").Row[]> }} */
const bench = await import(pathToFileURL(path.join(folder, `${name}.mjs`)).href);
process.stdout.write(`${bench.title}\n\n`);
const rows = await bench.run({ rounds: values.rounds === undefined ? undefined : Number(values.rounds) });
process.stdout.write(`${table(rows)}\n`);
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(asJson(name, rows), null, 1)}\n`);
if (values.check && missed(rows).length > 0) process.exitCode = 1;
