/** The genuine 0.150 resumes every session of the corpus after conversion, those before 0.34 included. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { afterAll, beforeAll, expect, test } from "vitest";
import { convertRollout, projectThread } from "../../src/rollout/index.js";
import { referenceProgram } from "../reference-schema/reference-program.js";
import { ancestorsOf, bytesOf, plainFiles, read, text, versions } from "./corpus.js";

const program = referenceProgram();
let home: string;
let server: ChildProcessWithoutNullStreams;
const waiting = new Map<number, (message: Record<string, unknown>) => void>();
let nextId = 0;

function request(method: string, params: unknown): Promise<Record<string, unknown>> {
  const id = nextId++;
  server.stdin.write(`${JSON.stringify({ id, method, params })}\n`);
  return new Promise((resolve) => waiting.set(id, resolve));
}

beforeAll(async () => {
  if ("missing" in program) throw new Error(program.missing);
  home = mkdtempSync(join(tmpdir(), "resume-converted-"));
  writeFileSync(
    join(home, "config.toml"),
    'model_provider = "mock"\nmodel = "gpt-5.4"\n[model_providers.mock]\nname = "mock"\nbase_url = "http://127.0.0.1:9/v1"\n',
  );
  server = spawn(program.file, ["app-server"], { env: { PATH: process.env.PATH, HOME: home, CODEX_HOME: home } });
  createInterface({ input: server.stdout }).on("line", (line) => {
    const message = JSON.parse(line) as Record<string, unknown>;
    if (typeof message.id === "number" && !("method" in message)) waiting.get(message.id)?.(message);
  });
  server.stderr.resume();
  await request("initialize", {
    clientInfo: { name: "conversion", version: "1.0.0" },
    capabilities: { experimentalApi: true },
  });
});

afterAll(async () => {
  if (server) {
    const exited = once(server, "exit");
    server.stdin.end();
    await exited;
  }
  await removeFolder(home);
});

/** Of these 0.150 keeps no event in legacy mode, whoever wrote it: they are in the file, and shown by our reader only. */
const notShown = new Set([
  "collabAgentToolCall",
  "commandExecution",
  "dynamicToolCall",
  "imageView",
  "sleep",
  "subAgentActivity",
]);

/** What 0.150 makes of a file that ours reads otherwise, or why it refuses one. */
const explained: Readonly<Record<string, string>> = {
  "0.39.0/proto.jsonl": "without turn ids 0.150 goes on with an aborted turn; 0.171 and ours begin another",
  "0.98.0/as-plan.jsonl": "the plan names a turn by a number that nothing else in the file has",
  "0.42.0/proto.jsonl": "without turn ids 0.150 goes on with an aborted turn; 0.171 and ours begin another",
};
const reasons: readonly RegExp[] = [
  // A sub-agent's file by itself.
  /cannot resume an unloaded multi-agent v2 sub-agent through its parent/,
  // The second file of a reverted thread, while the first is still loaded.
  /cannot resume running thread .* with stale path/,
];

/** The review's last message names a turn that has ended: there is no old event that could. */
const lateMessages = /review-1\.jsonl$/;

/** Sessions that the reference itself cannot read are all tried; of the others some, unless there is time. */
const soak = process.env.TURNKIT_SOAK === "1";
const bare = new Set(["0.8.0", "0.20.0", "0.25.0", "0.29.0"]);
const tried = (version: string) => (soak || bare.has(version) ? plainFiles(version) : plainFiles(version).slice(0, 5));

test.each(versions)(
  "%s",
  async (version) => {
    const folder = join(home, "sessions", "2026", "11", "30");
    mkdirSync(folder, { recursive: true });
    const failures: string[] = [];
    let resumed = 0;
    for (const file of tried(version)) {
      const load = ancestorsOf(version, file);
      const converted = await convertRollout(bytesOf(text(version, file)), { load, cwd: "/tmp" });
      expect(converted.fileName).not.toBeNull();
      const path = join(folder, converted.fileName as string);
      writeFileSync(path, `${converted.lines.join("\n")}\n`);
      const ours = projectThread(await read(`${converted.lines.join("\n")}\n`));
      const answer = await request("thread/resume", { threadId: ours.threadId, path });
      const { message } = (answer.error ?? {}) as { message?: string };
      if (message !== undefined) {
        if (reasons.some((reason) => reason.test(message))) resumed++;
        else failures.push(`${file}: ${message}`);
      } else {
        resumed++;
        const { thread } = answer.result as { thread: { turns: { status: string; items: { type: string }[] }[] } };
        const shown = (turns: readonly { status: string; items: readonly { type: string }[] }[]) =>
          turns.map(
            ({ status, items }) => `${status} ${items.map((item) => item.type).filter((type) => !notShown.has(type))}`,
          );
        const [a, b] = [shown(ours.turns).join(" | "), shown(thread.turns).join(" | ")];
        const known = `${version}/${file}` in explained || lateMessages.test(file);
        if (a !== b && !known) failures.push(`${file}:\n  ours  ${a}\n  theirs ${b}`);
      }
      await request("thread/unsubscribe", { threadId: ours.threadId });
    }
    expect(failures).toEqual([]);
    expect(resumed).toBe(tried(version).length);
  },
  120_000,
);
