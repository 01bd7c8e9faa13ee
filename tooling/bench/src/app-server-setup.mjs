// @ts-check
// An app-server for measuring: its own home, an instant model, a client over stdio.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { functionCall, message, startScriptedModel } from "@turnkit/core/scripted-model";
import { Client } from "@turnkit/tooling-conformance/app-server/client";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { childEnvironment } from "./programs.mjs";

const question = {
  id: "color",
  header: "Color",
  question: "Which color?",
  options: [
    { label: "Red", description: "warm" },
    { label: "Blue", description: "cold" },
  ],
};

/** Answers at once: asks or runs a command when the user says so, calls what is given as JSON, and closes with a text. */
export async function startInstantModel() {
  let calls = 0;
  return await startScriptedModel({
    fallback: (body) => {
      const last = /** @type {any} */ (body).input.at(-1);
      const text = last.type === "message" ? (last.content[0]?.text ?? "") : "";
      if (text === "ask")
        return { items: [functionCall("request_user_input", { questions: [question] }, `q${calls++}`)] };
      if (text === "run") return { items: [functionCall("exec_command", { cmd: "true" }, `c${calls++}`)] };
      if (text.startsWith("call "))
        return { items: [functionCall("exec_command", JSON.parse(text.slice("call ".length)), `x${calls++}`)] };
      return { items: [message("done")] };
    },
  });
}

/** A started and initialized app-server. */
export class MeasuredServer {
  /** @param {Client} client @param {string} folder */
  constructor(client, folder) {
    this.client = client;
    this.folder = folder;
    client.on("item/tool/requestUserInput", () => ({ answers: { color: { answers: ["Red"] } } }));
  }

  /** @param {readonly string[]} command @param {string} modelUrl @param {string} [more] lines for the configuration's head */
  static async start([program = "", ...args], modelUrl, more = "") {
    const folder = mkdtempSync(path.join(tmpdir(), "bench-app-"));
    const [home, cwd] = [path.join(folder, "home"), path.join(folder, "work")];
    for (const each of [home, cwd]) mkdirSync(each);
    writeFileSync(path.join(home, "config.toml"), `${more}${configFor(modelUrl, cwd)}`);
    const env = childEnvironment({ HOME: folder, CODEX_HOME: home, TURNKIT_HOME: home, RUST_LOG: "error" });
    const child = spawn(program, args, { cwd, env, stdio: "pipe" });
    const server = new MeasuredServer(new Client(child, { cwd, record: () => {} }), folder);
    await server.client.init();
    return server;
  }

  get pid() {
    return this.client.child.pid;
  }

  /** The milliseconds from asking for a turn to its end. @param {string} threadId @param {string} text */
  async turn(threadId, text) {
    const { client } = this;
    const start = performance.now();
    const input = [{ type: "text", text, text_elements: [] }];
    const isEnd = (/** @type {any} */ { method, params }) =>
      method === "turn/completed" && params.threadId === threadId;
    const what = `the end of a turn "${text}" of ${client.child.spawnargs.join(" ")}`;
    const [{ params }] = await Promise.all([
      client.waitFor(isEnd, { what, ms: 120_000 }),
      client.ok("turn/start", { threadId, input }),
    ]);
    if (params.turn.status !== "completed") throw new Error(`the turn ended as ${params.turn.status}`);
    // Kept messages would grow the measuring process.
    client.seen.length = 0;
    return performance.now() - start;
  }

  async stop() {
    await this.client.stop();
    await removeFolder(this.folder);
  }
}

/** What ours and the genuine program read alike. @param {string} modelUrl @param {string} cwd */
export function configFor(modelUrl, cwd) {
  return `model = "gpt-5.4"
model_provider = "mock"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.mock]
name = "mock"
base_url = "${modelUrl}"
wire_api = "responses"
[features]
plugins = false
apps = false
default_mode_request_user_input = true
[projects."${cwd}"]
trust_level = "trusted"
`;
}
