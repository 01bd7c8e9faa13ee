// @ts-check
// A program in a pseudo-terminal of 24 × 80, which our exec-server provides: what it draws can be waited for, keys can
// be typed, and it can be looked at as a process.
import { readFileSync } from "node:fs";
import { MeasuredExecServer } from "./exec-server-setup.mjs";
import { childEnvironment, ours, programsBelow } from "./programs.mjs";

const patienceMs = 60_000;

export class TerminalHost {
  #nextId = 0;
  /** @type {Map<string, (message: import("./exec-server-setup.mjs").Message) => void>} */
  #listeners = new Map();

  /** @param {MeasuredExecServer} server */
  constructor(server) {
    this.server = server;
    server.onNotification = (message) => this.#listeners.get(message.params?.processId)?.(message);
  }

  /** @param {string} home */
  static async start(home) {
    return new TerminalHost(await MeasuredExecServer.start(ours("exec-server"), "stdio", home));
  }

  /** @param {readonly string[]} argv @param {{ cwd: string, env?: Record<string, string> }} options */
  async run(argv, { cwd, env = {} }) {
    const processId = `terminal-${this.#nextId++}`;
    const program = new TerminalProgram(this.server, processId);
    this.#listeners.set(processId, (message) => program.receive(message));
    const before = new Set(programsBelow(this.server.pid));
    await this.server.request("process/start", {
      processId,
      argv,
      cwd: `file://${cwd}`,
      env: childEnvironment({ TERM: "xterm-256color", ...env }),
      tty: true,
    });
    program.find = () =>
      programsBelow(this.server.pid).find((pid) => !before.has(pid) && commandOf(pid).includes(argv[1] ?? ""));
    return program;
  }

  stop() {
    return this.server.stop();
  }
}

class TerminalProgram {
  #drawn = "";
  #closed = false;
  #writes = 0;
  /** @type {(() => void) | undefined} */
  #changed;
  /** @type {() => number | undefined} */
  find = () => undefined;

  /** @param {MeasuredExecServer} server @param {string} processId */
  constructor(server, processId) {
    this.server = server;
    this.processId = processId;
  }

  /** Of a program that has drawn something: before, what it was started by may still be in its place. */
  get pid() {
    const pid = this.find();
    if (pid === undefined) throw new Error("the program is not there");
    return pid;
  }

  /** @param {import("./exec-server-setup.mjs").Message} message */
  receive({ method, params }) {
    if (method === "process/output") this.#drawn += Buffer.from(params.chunk, "base64").toString("utf8");
    if (method === "process/closed") this.#closed = true;
    this.#changed?.();
  }

  /** What has been drawn up to here is no longer looked at. */
  forget() {
    this.#drawn = "";
  }

  /** @param {string} keys */
  type(keys) {
    const chunk = Buffer.from(keys).toString("base64");
    return this.server.request("process/write", { processId: this.processId, chunk, writeId: `w${this.#writes++}` });
  }

  /** Resolves when the text has been drawn since the last `forget`. @param {string} text */
  draws(text) {
    return this.#until(() => this.#drawn.includes(text), `drew ${JSON.stringify(text)}`);
  }

  ended() {
    return this.#until(() => this.#closed, "ended");
  }

  async terminate() {
    await this.server.request("process/terminate", { processId: this.processId });
    await this.ended();
  }

  /** @param {() => boolean} holds @param {string} what @returns {Promise<void>} */
  #until(holds, what) {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`the program never ${what}; it drew:\n${this.#drawn.slice(-2000)}`)),
        patienceMs,
      );
      this.#changed = () => {
        if (!holds() && !this.#closed) return;
        clearTimeout(timer);
        this.#changed = undefined;
        if (holds()) resolve();
        else reject(new Error(`the program ended and never ${what}; it drew:\n${this.#drawn.slice(-2000)}`));
      };
      this.#changed();
    });
  }
}

/** @param {number} pid */
function commandOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
