// @ts-check
// What an image costs before the model is asked: reading, decoding, shrinking, encoding, labels. From the request for a
// turn to the model's request, each turn on a thread of its own; the genuine program gets the same files in turns.
import { mkdtempSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { message, startScriptedModel } from "@turnkit/core/scripted-model";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { MeasuredServer } from "../app-server-setup.mjs";
import { interleave } from "../measure.mjs";
import { genuine, ours } from "../programs.mjs";

export const title = "images: from turn/start to the model's request";

/** The image library is core's. @type {(drawing: Buffer) => any} */
const sharp = createRequire(fileURLToPath(new URL("../../../../packages/core/package.json", import.meta.url)))("sharp");

/** @typedef {{ word: string, width: number, height: number, format: "jpeg" | "png" }} Kind */
/** @type {readonly Kind[]} */
const kinds = [
  { word: "a photograph, JPEG of 12 megapixels", width: 4000, height: 3000, format: "jpeg" },
  { word: "a screenshot, PNG of 1920 by 1080", width: 1920, height: 1080, format: "png" },
  { word: "a screenshot that is shrunk, PNG of 3840 by 2160", width: 3840, height: 2160, format: "png" },
];

/** @param {{ rounds: number | undefined, done: (...rows: import("../report.mjs").Row[]) => void }} options */
export async function run({ rounds = 8, done }) {
  const folder = mkdtempSync(path.join(tmpdir(), "bench-images-"));
  let asked = 0;
  const model = await startScriptedModel({
    fallback: () => {
      asked = performance.now();
      return { items: [message("done")] };
    },
  });
  /** @param {MeasuredServer} server @param {readonly object[]} input */
  const untilAsked = async ({ client }, input) => {
    const threadId = await client.thread();
    const start = performance.now();
    const [{ params }] = await Promise.all([
      client.waitFor(({ method, params }) => method === "turn/completed" && params.threadId === threadId, {
        ms: 120_000,
      }),
      client.ok("turn/start", { threadId, input }),
    ]);
    if (params.turn.status !== "completed") throw new Error(`the turn ended as ${params.turn.status}`);
    client.seen.length = 0;
    return asked - start;
  };
  const words = [{ type: "text", text: "What is this?", text_elements: [] }];
  const withImage = (/** @type {string} */ file) => [...words, { type: "localImage", path: file }];
  const programs = { ours: ours("app-server"), ...(genuine() && { genuine: genuine("app-server") ?? [] }) };
  /** @type {Record<string, MeasuredServer>} */
  const servers = {};
  const fresh = (/** @type {readonly string[]} */ program) => MeasuredServer.start(program, model.url);
  /** The same for each program, in turns. @param {(name: string) => (round: number) => Promise<number>} work */
  const each = (/** @type {(name: string) => (round: number) => Promise<number>} */ work) =>
    interleave(rounds, Object.fromEntries(Object.keys(programs).map((name) => [name, work(name)])));
  try {
    for (const [name, program] of Object.entries(programs)) servers[name] = await fresh(program);
    const server = (/** @type {string} */ name) => /** @type {MeasuredServer} */ (servers[name]);
    done({ work: "words alone", unit: "ms", samples: await each((name) => () => untilAsked(server(name), words)) });
    for (const [at, kind] of kinds.entries()) {
      const files = await drawn(kind, folder, rounds + 1, at);
      const file = (/** @type {number} */ round) => files[round + 1] ?? "";
      const times = await each((name) => (round) => untilAsked(server(name), withImage(file(round))));
      done({ work: kind.word, unit: "ms", samples: times });
      const again = await each((name) => (round) => untilAsked(server(name), withImage(file(round))));
      done({ work: `${kind.word}: again`, unit: "ms", samples: again });
      if (at > 0) continue;
      // Loading the library is part of it.
      const first = await each((name) => async (round) => {
        const cold = await fresh(/** @type {Record<string, readonly string[]>} */ (programs)[name] ?? []);
        try {
          await untilAsked(cold, words);
          return await untilAsked(cold, withImage(file(round)));
        } finally {
          await cold.stop();
        }
      });
      done({ work: `${kind.word}: the first of a process`, unit: "ms", samples: first });
    }
  } finally {
    for (const server of Object.values(servers)) await server.stop();
    await model.close();
    await removeFolder(folder);
  }
}

/** Pictures that differ, so that none is known already. @param {Kind} kind @param {string} folder @param {number} count @param {number} seed */
async function drawn({ width, height, format }, folder, count, seed) {
  const files = [];
  for (let number = 0; number < count; number++) {
    const shapes = Array.from({ length: 300 }, (_, at) => {
      const [x, y] = [(at * 7919 + number * 104729) % width, (at * 6151 + seed * 3571) % height];
      const color = `rgb(${(at * 37) % 256},${(at * 91 + number) % 256},${(at * 53) % 256})`;
      return at % 3 === 0
        ? `<circle cx="${x}" cy="${y}" r="${20 + (at % 90)}" fill="${color}"/>`
        : `<rect x="${x}" y="${y}" width="${40 + at}" height="14" fill="${color}"/>`;
    });
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#f4f4f0"/>${shapes.join("")}</svg>`;
    const file = path.join(folder, `${seed}-${number}.${format}`);
    await sharp(Buffer.from(drawing)).flatten().toFormat(format).toFile(file);
    files.push(file);
  }
  return files;
}
