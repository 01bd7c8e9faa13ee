// @ts-check
// One task without an interface, beside other agents' commands, each with an instant model on loopback.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { installRival } from "../../../bootstrap/rivals.mjs";
import { configFor, startInstantModel } from "../app-server-setup.mjs";
import { interleave } from "../measure.mjs";
import { peakOf, timeOf } from "../one-task.mjs";
import { childEnvironment, genuine, ours } from "../programs.mjs";
import { startRivalEndpoint } from "../rival-endpoint.mjs";

export const title = "exec of one turn of text, beside other agents";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../../..");
const prompt = "hello";
const memoryRounds = 3;
/** They take seconds each; a few rounds show that. */
const rivalRounds = 3;

/** @typedef {import("../one-task.mjs").OneTask} OneTask */

/** @param {{ rounds: number | undefined, done: (...rows: import("../report.mjs").Row[]) => void }} options */
export async function run({ rounds = 15, done }) {
  const folder = mkdtempSync(path.join(tmpdir(), "turnkit-bench-"));
  const model = await startInstantModel();
  const endpoint = await startRivalEndpoint();
  try {
    const close = closeTasks(folder, model.url);
    const rivals = await usable(rivalTasks(folder, endpoint.url));
    const times = await interleave(rounds, timed(close, timeOf));
    const slow = await interleave(Math.min(rounds, rivalRounds), timed(rivals, timeOf), { warmUp: 0 });
    const peaks = await interleave(memoryRounds, timed({ ...close, ...rivals }, peakOf), { warmUp: 0 });
    done(
      { work: "wall", unit: "ms", samples: { ...times, ...slow }, bound: { of: "codex", most: 0.8 } },
      { work: "peak memory with children", unit: "MB", samples: peaks, bound: { of: "codex", most: 1 } },
    );
  } finally {
    await model.close();
    await endpoint.close();
    await removeFolder(folder);
  }
}

/** @param {Readonly<Record<string, OneTask>>} tasks @param {(task: OneTask) => Promise<number>} measure @returns {Record<string, () => Promise<number>>} */
function timed(tasks, measure) {
  return Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, () => measure(task)]));
}

/** Ours and the genuine program: the same configuration, the same model. @param {string} folder @param {string} modelUrl */
function closeTasks(folder, modelUrl) {
  const { home, cwd } = places(folder, "close");
  writeFileSync(path.join(home, "config.toml"), configFor(modelUrl, cwd));
  const env = childEnvironment({ HOME: home, CODEX_HOME: home, TURNKIT_HOME: home, RUST_LOG: "error" });
  /** @type {Record<string, OneTask>} */
  const tasks = { ours: { command: ours("exec", prompt), env, cwd } };
  const peer = genuine("exec", "--skip-git-repo-check", prompt);
  if (peer) tasks.codex = { command: peer, env, cwd };
  return tasks;
}

/** How each of the others is pointed at the endpoint. @param {string} folder @param {string} url @returns {Record<"pi" | "gemini" | "opencode", (program: string) => OneTask>} */
function rivalTasks(folder, url) {
  return {
    pi(program) {
      const { home, cwd } = places(folder, "pi");
      const local = { baseUrl: `${url}/v1`, api: "openai-completions", apiKey: "k", models: [{ id: "m" }] };
      writeJson(path.join(home, "models.json"), { providers: { local } });
      const env = childEnvironment({ HOME: home, PI_CODING_AGENT_DIR: home, PI_OFFLINE: "1" });
      return { command: [process.execPath, program, "-p", "--provider", "local", "--model", "m", prompt], env, cwd };
    },
    gemini(program) {
      const { home, cwd } = places(folder, "gemini");
      writeJson(path.join(home, ".gemini/settings.json"), {
        security: { auth: { selectedType: "gemini-api-key" } },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false },
      });
      const env = childEnvironment({ HOME: home, GEMINI_API_KEY: "k", GOOGLE_GEMINI_BASE_URL: url });
      const args = ["--skip-trust", "-m", "gemini-2.5-flash", "-p", prompt];
      return { command: [process.execPath, program, ...args], env, cwd };
    },
    opencode(program) {
      const { home, cwd } = places(folder, "opencode");
      writeJson(path.join(home, ".config/opencode/opencode.json"), {
        autoupdate: false,
        share: "disabled",
        provider: {
          local: {
            npm: "@ai-sdk/openai-compatible",
            name: "local",
            options: { baseURL: `${url}/v1`, apiKey: "k" },
            models: { m: { name: "m" } },
          },
        },
        model: "local/m",
        small_model: "local/m",
      });
      const quiet = { OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_AUTOUPDATE: "1" };
      const env = childEnvironment({ HOME: home, XDG_CONFIG_HOME: path.join(home, ".config"), ...quiet });
      return { command: [program, "run", prompt], env, cwd };
    },
  };
}

/** Those that can be had and that answer; their first run, which sets their homes up, is not measured. @param {ReturnType<typeof rivalTasks>} tasks */
async function usable(tasks) {
  /** @type {Record<string, OneTask>} */
  const found = {};
  for (const name of /** @type {const} */ (["pi", "gemini", "opencode"])) {
    try {
      const task = tasks[name](installRival(root, name));
      await timeOf(task);
      found[name] = task;
    } catch (error) {
      process.stderr.write(`${name} is left out: ${error instanceof Error ? error.message : error}\n`);
    }
  }
  return found;
}

/** @param {string} folder @param {string} name */
function places(folder, name) {
  const [home, cwd] = [path.join(folder, name, "home"), path.join(folder, name, "work")];
  for (const each of [home, cwd]) mkdirSync(each, { recursive: true });
  return { home, cwd };
}

/** @param {string} file @param {unknown} value */
function writeJson(file, value) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value));
}
