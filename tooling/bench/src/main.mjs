#!/usr/bin/env node
// @ts-check
// Runs a bench: a module in benches/ that exports `title` and `run({ rounds })` and gives back rows.
import { readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { genuine } from "./programs.mjs";
import { asJson, line, missed, table } from "./report.mjs";

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), "benches");
const names = readdirSync(folder)
  .filter((file) => file.endsWith(".mjs"))
  .map((file) => path.basename(file, ".mjs"))
  .sort();

const usage = `usage: npm run bench -- NAME [--rounds N] [--json FILE] [--check]

  NAME       ${names.join(", ")}
  --rounds   how often each piece of work is done (default: the bench's own)
  --check    exit code 1 when a bound is missed, or when there is no genuine program to compare with

Rows are reported as they are measured; a bench that is interrupted prints those it has. The genuine program is
TURNKIT_PEER_CODEX or one below .cache/peers.
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
/** @type {import("./report.mjs").Row[]} */
const rows = [];
const done = (/** @type {import("./report.mjs").Row[]} */ ...measured) => {
  rows.push(...measured);
  for (const row of measured) process.stderr.write(`${line(row)}\n`);
};
const print = () => {
  process.stdout.write(`${table(rows)}\n`);
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(asJson(name, rows), null, 1)}\n`);
};
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"]))
  process.once(signal, () => {
    print();
    process.exit(1);
  });

/** @type {{ title: string, run: (options: { rounds: number | undefined, done: typeof done }) => Promise<void> }} */
const bench = await import(pathToFileURL(path.join(folder, `${name}.mjs`)).href);
process.stdout.write(`${bench.title}\n\n`);
const alone = name !== "protocol" && genuine() === undefined;
if (alone) process.stderr.write("no genuine program: set TURNKIT_PEER_CODEX to compare with it\n");
await bench.run({ rounds: values.rounds === undefined ? undefined : Number(values.rounds), done });
print();
if (values.check && (alone || missed(rows).length > 0)) process.exitCode = 1;
