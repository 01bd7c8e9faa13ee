/** kill -9 at any moment: every turn that was reported complete is in the file, and the file loads. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readThread } from "../src/rollout/index.js";

const soak = process.env.TURNKIT_SOAK === "1";
const KILLS = soak ? 200 : 6;

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

afterAll(() => rm(folder, { recursive: true, force: true }));

interface Run {
  readonly file: string;
  readonly done: readonly string[];
}

/** Runs until `turns` are complete and a little longer, then kills. */
async function runAndKill(round: number, turns: number, delayMs: number): Promise<Run> {
  const home = path.join(folder, `home-${round}`);
  // At least half of the kills fall into a write that is slow and torn.
  const slow = round % 4 !== 0;
  const child: ChildProcess = spawn(process.execPath, [program, home, slow ? "1" : "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout?.setEncoding("utf8");
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on("data", (text: string) => {
      output += text;
      if (output.split("\ndone ").length > turns) resolve();
    });
    child.once("exit", () => reject(new Error(`the writer ended: ${output}`)));
  });
  await new Promise((resolve) => setTimeout(resolve, delayMs));
  const closed = once(child, "close");
  child.kill("SIGKILL");
  await closed;
  const lines = output.split("\n").slice(0, -1);
  return {
    file: lines[0]?.replace(/^path /, "") ?? "",
    done: lines.filter((line) => line.startsWith("done ")).map((line) => line.slice(5)),
  };
}

test(
  `${KILLS} kills`,
  async () => {
    let torn = 0;
    for (let round = 0; round < KILLS; round++) {
      const { file, done } = await runAndKill(round, 1 + (round % 5), (round * 7) % 13);
      const text = await readFile(file, "utf8");
      if (!text.endsWith("\n")) torn += 1;
      const stored = await readThread(file);
      const complete = stored.records.flatMap((record) =>
        record.kind === "line" && record.value.type === "event_msg" && record.value.payload.type === "task_complete"
          ? [record.value.payload.turn_id]
          : [],
      );
      expect(done.filter((id) => !complete.includes(id))).toEqual([]);
      // Only the last line may be half of one, and it is not taken for data.
      expect(stored.losses.length).toBe(text.endsWith("\n") ? 0 : 1);
      const answers = stored.history.items.filter((item) => item.type === "message" && item.role === "assistant");
      expect(answers.length).toBeGreaterThanOrEqual(done.length);
    }
    // The slow writer makes sure that kills do hit writes.
    if (soak) expect(torn).toBeGreaterThan(0);
  },
  soak ? 1_800_000 : 120_000,
);
