// @ts-check
// An exec-server that is measured, and the smallest client that can do it. The client's own work is the same for every
// server, and it keeps nothing of what it received.
import { spawn } from "node:child_process";
import WebSocket from "ws";
import { childEnvironment, residentMegabytes } from "./programs.mjs";

/** @typedef {{ id?: unknown, method?: string, params?: any, result?: any, error?: any }} Message */

export class MeasuredExecServer {
  /** @type {import("node:child_process").ChildProcess} */
  #child;
  /** @type {WebSocket | undefined} */
  #socket;
  /** @type {Map<unknown, (message: Message) => void>} */
  #pending = new Map();
  #nextId = 1;
  /** Called with every notification. @type {(message: Message) => void} */
  onNotification = () => {};

  /** @param {import("node:child_process").ChildProcess} child @param {WebSocket | undefined} socket */
  constructor(child, socket) {
    this.#child = child;
    this.#socket = socket;
  }

  /** @param {readonly string[]} command @param {"ws" | "stdio"} transport @param {string} home */
  static async start([program = "", ...args], transport, home) {
    const child = spawn(program, [...args, "--listen", transport === "ws" ? "ws://127.0.0.1:0" : "stdio"], {
      env: childEnvironment({ CODEX_HOME: home, TURNKIT_HOME: home }),
      stdio: ["pipe", "pipe", "ignore"],
    });
    const server = new MeasuredExecServer(child, transport === "ws" ? await connect(child) : undefined);
    if (server.#socket) server.#socket.on("message", (data) => server.#receive(data.toString()));
    else {
      let rest = "";
      child.stdout?.setEncoding("utf8").on("data", (text) => {
        const lines = (rest + text).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) server.#receive(line);
      });
    }
    await server.request("initialize", { clientName: "bench" });
    server.#send({ method: "initialized", params: {} });
    return server;
  }

  get pid() {
    return this.#child.pid;
  }

  get residentMegabytes() {
    return residentMegabytes(this.#child.pid);
  }

  /** @param {string} method @param {unknown} params @returns {Promise<any>} */
  request(method, params) {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, ({ result, error }) => {
        if (error) reject(new Error(`${method}: ${error.message}`));
        else resolve(result);
      });
      this.#send({ id, method, params });
    });
  }

  /** @param {string} processId @param {readonly string[]} argv @param {object} [more] */
  startProcess(processId, argv, more) {
    const env = { PATH: "/usr/bin:/bin" };
    return this.request("process/start", { processId, argv, cwd: "file:///tmp", env, tty: false, ...more });
  }

  async stop() {
    this.#socket?.terminate();
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill("SIGKILL");
    await ended;
  }

  /** @param {object} message */
  #send(message) {
    const text = JSON.stringify(message);
    if (this.#socket) this.#socket.send(text);
    else this.#child.stdin?.write(`${text}\n`);
  }

  /** @param {string} text */
  #receive(text) {
    /** @type {Message} */
    const message = JSON.parse(text);
    if (message.method !== undefined) return this.onNotification(message);
    this.#pending.get(message.id)?.(message);
    this.#pending.delete(message.id);
  }
}

/** @param {import("node:child_process").ChildProcess} child @returns {Promise<WebSocket>} */
async function connect(child) {
  const url = await new Promise((resolve, reject) => {
    child.stdout?.once("data", (line) => resolve(line.toString().trim()));
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
  const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: 0 });
  // @ts-expect-error the socket below is not in the types
  socket.once("open", () => socket._socket.setNoDelay(true));
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  return socket;
}
