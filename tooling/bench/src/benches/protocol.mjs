// @ts-check
// The protocol package beside others that validate, beside bare Node, and beside parsing alone.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { collectRollout, projectThread } from "@turnkit/protocol/rollout";
import { interleave } from "../measure.mjs";
import { runToEnd } from "../programs.mjs";
import { ourUserInput, typeboxUserInput, userInputs, zodUserInput } from "../user-input-validators.mjs";

export const title = "protocol: validate, import, read session files";

const corpus = fileURLToPath(new URL("../../../../packages/protocol/fixtures/rollouts", import.meta.url));
const validationsPerSample = 200_000;
const leastValidations = 5;
const longestImport = 20;

/** @typedef {import("../report.mjs").Row} Row */

/** @param {{ rounds: number | undefined, done: (...rows: Row[]) => void }} options @returns {Promise<void>} */
export async function run({ rounds = 15, done }) {
  done(...(await validation(rounds)));
  done(...(await coldImport(rounds)));
  done(...(await projection(Math.min(rounds, 9))));
}

/** Millions of valid UserInputs a second. @param {number} rounds @returns {Promise<Row[]>} */
async function validation(rounds) {
  const { ours, zod, typebox } = await interleave(rounds, {
    ours: () => millionsPerSecond(ourUserInput),
    zod: () => millionsPerSecond(zodUserInput),
    typebox: () => millionsPerSecond(typeboxUserInput),
  });
  return [
    {
      work: "validate UserInput",
      unit: "M/s",
      samples: { ours, zod, typebox, limit: [leastValidations] },
      bound: { of: "limit", least: 1 },
    },
  ];
}

/** @param {(value: unknown) => boolean} accepts */
function millionsPerSecond(accepts) {
  const start = performance.now();
  for (let i = 0; i < validationsPerSample; i++)
    if (!accepts(userInputs[i % userInputs.length])) throw new Error("a valid value was refused");
  return validationsPerSample / 1000 / (performance.now() - start);
}

/** What loading an entry adds to a start of Node. @param {number} rounds @returns {Promise<Row[]>} */
async function coldImport(rounds) {
  const load = (/** @type {string} */ name) =>
    runToEnd([
      process.execPath,
      "--input-type=module",
      "--eval",
      `import ${JSON.stringify(import.meta.resolve(name))}`,
    ]);
  const { floor, main, validate } = await interleave(rounds, {
    floor: () => runToEnd([process.execPath, "--input-type=module", "--eval", ""]),
    main: () => load("@turnkit/protocol"),
    validate: () => load("@turnkit/protocol/validate"),
  });
  const over = (/** @type {number[]} */ samples) => samples.map((value, i) => value - (floor[i] ?? 0));
  return [
    {
      work: "import the main entry, over bare Node",
      unit: "ms",
      samples: { ours: over(main), limit: [longestImport] },
      bound: { of: "limit", most: 1 },
    },
    { work: "import all validators, over bare Node", unit: "ms", samples: { ours: over(validate) } },
  ];
}

/** Every session file of the corpus to its thread, beside JSON.parse of each line. @param {number} rounds @returns {Promise<Row[]>} */
async function projection(rounds) {
  const files = readdirSync(corpus)
    .filter((name) => name.endsWith(".json.br"))
    .flatMap((name) => {
      const bundle = JSON.parse(brotliDecompressSync(readFileSync(path.join(corpus, name))).toString());
      return Object.entries(bundle).flatMap(([file, content]) => (file.endsWith(".jsonl") ? [String(content)] : []));
    });
  const bytes = files.map((text) => new TextEncoder().encode(text));
  const lines = files.flatMap((text) => text.split("\n").filter((line) => line !== ""));
  const megabytes = bytes.reduce((sum, { length }) => sum + length, 0) / 1e6;
  // Rounds before the counted ones let both sides be compiled: what is measured is reading many files.
  const samples = await interleave(
    rounds,
    {
      ours: async () => {
        for (const content of bytes) projectThread(await collectRollout(once(content)));
      },
      parse: () => {
        for (const line of lines) JSON.parse(line);
      },
    },
    { warmUp: 5 },
  );
  return [
    {
      work: `project ${files.length} session files (${megabytes.toFixed(1)} MB)`,
      unit: "ms",
      samples,
      bound: { of: "parse", most: 3 },
    },
  ];
}

/** @param {Uint8Array} bytes */
async function* once(bytes) {
  yield bytes;
}
