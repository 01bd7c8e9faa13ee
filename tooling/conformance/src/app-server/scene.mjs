// @ts-check
// What a scenario acts on: an empty home and folder, a scripted model, clients, and the record of everything.
// Owns setting up and clearing away; what happens is the scenario's business.
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startScriptedModel } from "@turnkit/core/scripted-model";
import { Client } from "./client.mjs";
import { ModelItems } from "./model-items.mjs";

/** @typedef {{ direction: string, message: any }} Entry */
/** @typedef {{ top?: string, features?: Record<string, boolean>, tables?: string, base?: boolean }} Config */

const basicSettings = `model = "gpt-5.4"
model_provider = "mock"
approval_policy = "never"
sandbox_mode = "danger-full-access"
`;

export class Scene extends ModelItems {
  /** @type {Entry[]} */
  entries = [];
  /** @type {Client[]} */
  #clients = [];

  /** @param {{ command: readonly string[], folder: string }} options the command that starts the server; an empty folder */
  static async open({ command, folder }) {
    const scene = new Scene(command, folder);
    scene.model = await startScriptedModel({
      fallback: () => scene.say(`mock fallback ${scene.model.requests.length}`),
      onEvent: (event) => scene.record("model", event.kind),
    });
    return scene;
  }

  /** @param {readonly string[]} command @param {string} folder */
  constructor(command, folder) {
    super();
    this.command = command;
    this.home = path.join(folder, "home");
    this.cwd = path.join(folder, "work");
    this.userHome = path.join(folder, "user");
    /** For files of the scenario that the server must not find. */
    this.out = path.join(folder, "out");
    this.sleep = sleep;
    /** Set by open() before anyone sees the scene. @type {import("@turnkit/core/scripted-model").ScriptedModel} */
    this.model = /** @type {any} */ (undefined);
    for (const each of [this.home, this.cwd, this.userHome, this.out]) mkdirSync(each, { recursive: true });
  }

  /** @param {string} direction @param {unknown} message */
  record(direction, message) {
    this.entries.push({ direction, message });
  }

  /** Marks a place in the transcript. @param {string} text */
  note(text) {
    this.record("note", text);
  }

  /** @param {Config} config */
  writeConfig({ top = "", features = {}, tables = "", base = true } = {}) {
    const flags = Object.entries({ plugins: false, apps: false, ...features });
    writeFileSync(
      path.join(this.home, "config.toml"),
      `${base ? basicSettings : ""}check_for_update_on_startup = false
${top}
[analytics]
enabled = false
[model_providers.mock]
name = "mock"
base_url = "${this.model.url}"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
[features]
${flags.map(([name, on]) => `${name} = ${on}`).join("\n")}
[projects."${this.cwd}"]
trust_level = "trusted"
${tables}
`,
    );
  }

  /** Starts a server. `config: false` keeps the file that is there. @param {{ config?: Config | false }} options */
  async start({ config = {} } = {}) {
    if (config !== false) this.writeConfig(config);
    const [program = "", ...args] = this.command;
    const child = spawn(program, args, {
      cwd: this.cwd,
      stdio: "pipe",
      env: {
        PATH: process.env.PATH,
        HOME: this.userHome,
        SHELL: "/bin/bash",
        LANG: "C.UTF-8",
        USER: "root",
        CODEX_HOME: this.home,
        TURNKIT_HOME: this.home,
        // Nothing may leave the machine.
        HTTPS_PROXY: "http://127.0.0.1:9",
        HTTP_PROXY: "http://127.0.0.1:9",
        NO_PROXY: "127.0.0.1,localhost",
        RUST_LOG: "warn",
      },
    });
    const client = new Client(child, this);
    this.#clients.push(client);
    return client;
  }

  /** The output of a tool call that the model was first shown. @param {string} callId */
  outputOf(callId) {
    for (const { body } of this.model.calls)
      for (const item of /** @type {any} */ (body).input ?? [])
        if (item.type === "function_call_output" && item.call_id === callId) return item.output;
    return undefined;
  }

  /** The lines of every rollout file, by file name. */
  rollouts() {
    const files = ["sessions", "archived_sessions"].flatMap((name) => filesBelow(path.join(this.home, name)));
    return files
      .filter((file) => file.endsWith(".jsonl"))
      .sort((a, b) => (path.basename(a) < path.basename(b) ? -1 : 1))
      .flatMap((file) => readFileSync(file, "utf8").split("\n"))
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  }

  async stopServers() {
    for (const client of this.#clients) await client.stop();
    await this.model.close();
  }
}

/** @param {string} folder @returns {string[]} */
function filesBelow(folder) {
  /** @type {import("node:fs").Dirent[]} */
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  } catch {
    return [];
  }
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}
