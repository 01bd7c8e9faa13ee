/**
 * kill -9 at any moment, most often inside a write: every turn that was reported complete is in the file, once; the
 * file loads; no half line is taken for data; and the next program goes on with it.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readThread } from "../src/rollout/index.js";

const soak = process.env.TURNKIT_SOAK === "1";
const KILLS = soak ? 200 : 8;
/** Programs that are killed one after the other over the same file. */
const KILLS_PER_FILE = 4;

let folder: string;
let program: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "turnkit-crash-"));
  program = path.join(folder, "writer.mjs");
  await build({
    entryPoints: [path.join(import.meta.dirname, "crash-writer.ts")],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["@turnkit/source", "node", "import", "default"],
    external: ["sharp", "node-pty"],
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    logLevel: "error",
  });
});

afterAll(() => removeFolder(folder));

interface Run {
  readonly file: string;
  readonly done: readonly { readonly name: string; readonly turnId: string }[];
  readonly insideWrite: boolean;
}

/** One in four is killed at no particular moment; of the others half in a slow write, half in one torn by errors. */
const MANNERS = ["plain", "delayed", "torn", "delayed", "torn", "plain", "torn", "delayed"] as const;

async function runAndKill(round: number, home: string, file: string): Promise<Run> {
  const manner = MANNERS[round % MANNERS.length] as string;
  const turns = 1 + (round % 4);
  const share = ((round * 37) % 100) / 100;
  const args = [home, file, manner, `r${round}`, turns, (round * 3) % 4, share].map(String);
  const child: ChildProcess = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout?.setEncoding("utf8");
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on("data", (text: string) => {
      output += text;
      const moment = manner === "plain" ? output.split("\ndone ").length > turns : output.includes("\ninside\n");
      if (moment) resolve();
    });
    child.once("exit", () => reject(new Error(`the writer ended: ${output}`)));
  });
  if (manner === "plain") await new Promise((resolve) => setTimeout(resolve, (round * 7) % 13));
  const closed = once(child, "close");
  child.kill("SIGKILL");
  await closed;
  // What was said after the last newline was not said.
  const lines = output.split("\n").slice(0, -1);
  return {
    file: lines[0]?.replace(/^path /, "") ?? "",
    done: lines.flatMap((line) => {
      const [, name, turnId] = /^done (\S+) (\S+)$/.exec(line) ?? [];
      return name && turnId ? [{ name, turnId }] : [];
    }),
    insideWrite: manner !== "plain",
  };
}

/** Lines as they are, without any reader of ours. */
function wholeAndHalf(text: string): { whole: number; half: number } {
  let [whole, half] = [0, 0];
  for (const line of text.split("\n").filter((each) => each !== ""))
    try {
      JSON.parse(line);
      whole += 1;
    } catch {
      half += 1;
    }
  return { whole, half };
}

test(
  `${KILLS} kills`,
  async () => {
    let insideWrites = 0;
    let halfLines = 0;
    let completed = 0;
    for (let chain = 0; chain < KILLS / KILLS_PER_FILE; chain++) {
      const home = path.join(folder, `home-${chain}`);
      const done: Run["done"][number][] = [];
      let file = "";
      for (let kill = 0; kill < KILLS_PER_FILE; kill++) {
        const run = await runAndKill(chain * KILLS_PER_FILE + kill, home, file);
        if (file !== "") expect(run.file).toBe(file);
        file = run.file;
        done.push(...run.done);
        if (run.insideWrite) insideWrites += 1;
        const { whole, half } = wholeAndHalf(await readFile(file, "utf8"));
        const stored = await readThread(file);
        expect(stored.records.filter((record) => record.kind === "line")).toHaveLength(whole);
        expect(stored.losses).toHaveLength(half);
        const complete = stored.records.flatMap((record) =>
          record.kind === "line" && record.value.type === "event_msg" && record.value.payload.type === "task_complete"
            ? [record.value.payload.turn_id]
            : [],
        );
        expect(new Set(complete).size).toBe(complete.length);
        expect(done.filter(({ turnId }) => !complete.includes(turnId))).toEqual([]);
        const texts = stored.history.items.flatMap((item) =>
          item.type === "message" ? item.content.flatMap((part) => ("text" in part ? [part.text] : [])) : [],
        );
        for (const { name } of done)
          for (const text of [`question ${name}`, `answer ${name}`])
            expect([text, texts.filter((each) => each === text).length]).toEqual([text, 1]);
      }
      halfLines += wholeAndHalf(await readFile(file, "utf8")).half;
      completed += done.length;
    }
    expect(insideWrites).toBeGreaterThanOrEqual(KILLS / 2);
    expect(halfLines).toBeGreaterThan(insideWrites / 2);
    if (soak)
      process.stdout.write(
        `${KILLS} kills, ${insideWrites} inside a write, ${halfLines} half lines, ${completed} complete turns, all kept\n`,
      );
  },
  soak ? 1_800_000 : 120_000,
);
