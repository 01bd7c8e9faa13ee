// @ts-check
// An exec-server as a child process. Owns starting and ending it.
import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * @typedef {object} ServerOptions
 * @property {string | null} [listen] the address to listen on; null: none is given
 * @property {readonly string[]} [args] further arguments
 * @property {Record<string, string>} [env] further environment
 * @property {string} [cwd]
 */

export class Server {
  stdout = "";
  #stderr = "";
  /** Set once the address was printed. */
  url = "";
  /** How it ended. @type {{ code: number | null, sig: string | null } | undefined} */
  ended;

  /** @param {readonly string[]} command @param {ServerOptions} options */
  constructor(command, { listen = "ws://127.0.0.1:0", args = [], env = {}, cwd } = {}) {
    this.command = [...command, ...args, ...(listen === null ? [] : ["--listen", listen])];
    this.overStdio = listen?.startsWith("stdio") ?? false;
    this.cwd = cwd;
    this.env = {
      PATH: "/usr/local/bin:/usr/bin:/bin",
      HOME: process.env.HOME,
      USER: "root",
      SHELL: "/bin/bash",
      LANG: "C.UTF-8",
      ...env,
    };
  }

  /** @throws {Error} no address was printed */
  async start(timeoutMs = 20_000) {
    const [program = "", ...args] = this.command;
    const child = spawn(program, args, { cwd: this.cwd, env: this.env, stdio: "pipe" });
    this.child = child;
    this.end = new Promise((resolve) => {
      child.on("exit", (code, sig) => resolve((this.ended = { code, sig })));
      child.on("error", () => resolve((this.ended = { code: null, sig: null })));
    });
    child.stdin.on("error", () => {});
    child.stderr.on("data", (text) => (this.#stderr += text));
    if (this.overStdio) return;
    child.stdout.on("data", (text) => (this.stdout += text));
    const limit = performance.now() + timeoutMs;
    while (performance.now() < limit && this.ended === undefined) {
      const url = /ws:\/\/\S+/.exec(this.stdout)?.[0];
      if (url !== undefined) {
        this.url = url;
        return;
      }
      await sleep(5);
    }
    throw new Error(`the server printed no address: ${this.stdout}${this.#stderr}`);
  }

  /** What it wrote to stderr, without warnings about its surroundings and without stack traces. */
  get errorText() {
    return this.#stderr.replace(/WARNING.*\n/g, "").replace(/\nStack backtrace:\n[\s\S]*/, "");
  }

  /** @param {NodeJS.Signals} signal */
  async stop(signal = "SIGTERM") {
    if (this.ended === undefined) {
      this.child?.kill(signal);
      await Promise.race([this.end, sleep(3000, undefined, { ref: false })]);
      if (this.ended === undefined) this.child?.kill("SIGKILL");
      await this.end;
    }
    return this.ended;
  }
}
