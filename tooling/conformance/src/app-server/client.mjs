// @ts-check
// A client of an app-server over stdio: newline-delimited JSON in both directions.
// Owns ids, waiting and the record of what went over the wire; knows no scenario.
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

/** @typedef {{ id?: any, method?: string, params?: any, result?: any, error?: any, [key: string]: any }} Message */
/** @typedef {{ reject: (error: Error) => void, resolve: (message: Message) => void }} Pending */

const probe = { name: "probe", title: "Probe", version: "0.0.1" };
/** How long a finished turn is given to send what comes after its end. */
const settleMs = 150;

export class Client {
  /** Every message the server sent, in order. @type {Message[]} */
  seen = [];
  /** Set once the process has ended. @type {{ code: number | null, signal: string | null } | null} */
  exited = null;
  #nextId = 1;
  /** @type {Map<number, Pending>} */
  #pending = new Map();
  /** @type {Set<(message: Message) => void>} */
  #waiters = new Set();
  /** @type {Map<string, (message: Message) => any>} */
  #handlers = new Map();

  /**
   * @param {import("node:child_process").ChildProcessWithoutNullStreams} child
   * @param {any} scene its record and folder; of bench, no more than that
   */
  constructor(child, scene) {
    this.child = child;
    this.scene = scene;
    eachLine(child.stdout, (line) => this.#receive(line));
    eachLine(child.stderr, (line) => scene.record("stderr", line));
    child.stdin.on("error", () => {});
    child.on("error", (error) => this.#end(error));
    child.on("exit", (code, signal) => {
      this.exited = { code, signal };
      this.#end(new Error(`the server ended (${signal ?? `exit code ${code}`})`));
    });
  }

  /** @param {string} line */
  #receive(line) {
    if (line.trim() === "") return;
    /** @type {Message} */
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      this.scene.record("server", { unparseable: line });
      return;
    }
    this.scene.record("server", message);
    this.seen.push(message);
    if (message.method === undefined) this.#settle(message);
    else if (message.id !== undefined) void this.#serve(message);
    for (const waiter of [...this.#waiters]) waiter(message);
  }

  /** @param {Message} message */
  #settle(message) {
    this.#pending.get(message.id)?.resolve(message);
    this.#pending.delete(message.id);
  }

  /** @param {Message} message */
  async #serve(message) {
    const result = await this.#handlers.get(message.method ?? "")?.(message);
    if (result !== undefined) this.send({ id: message.id, result });
  }

  /** @param {Error} error */
  #end(error) {
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }

  /** @param {Message} message */
  send(message) {
    this.scene.record("client", message);
    this.child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  /** @param {string} text */
  sendRaw(text) {
    this.scene.record("client raw", text);
    this.child.stdin.write(text);
  }

  /** Resolves with the whole answer, result or error. @param {string} method @param {any} [params] @returns {Promise<Message>} */
  request(method, params, timeoutMs = 30_000) {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const late = () => reject(new Error(`no answer to ${method} within ${timeoutMs} ms`));
      const timer = setTimeout(() => this.#pending.delete(id) && late(), timeoutMs);
      this.#pending.set(id, {
        resolve: (message) => {
          clearTimeout(timer);
          resolve(message);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      });
      this.send({ id, method, ...(params === undefined ? {} : { params }) });
    });
  }

  /** The result; an error answer is thrown. @param {string} method @param {any} [params] */
  async ok(method, params) {
    const { result, error } = await this.request(method, params);
    if (error) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  }

  /** @param {string} method @param {any} [params] */
  notify(method, params) {
    this.send({ method, ...(params === undefined ? {} : { params }) });
  }

  /** Answers every request of the server for this method; undefined leaves it open. @param {string} method @param {(message: Message) => any} handler */
  on(method, handler) {
    this.#handlers.set(method, handler);
  }

  /** A place in `seen` to wait from. */
  mark() {
    return this.seen.length;
  }

  /**
   * The first message from `from` on (default: from now) that is wanted.
   * @param {string | ((message: Message) => boolean)} wanted a method, or a test
   * @returns {Promise<Message>}
   */
  waitFor(wanted, { from = this.seen.length, ms = 20_000, what = String(wanted) } = {}) {
    const test = typeof wanted === "string" ? (/** @type {Message} */ message) => message.method === wanted : wanted;
    const found = this.seen.slice(from).find(test);
    if (found) return Promise.resolve(found);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => finish(() => reject(new Error(`${what} did not come within ${ms} ms`))), ms);
      const finish = (/** @type {() => void} */ settle) => {
        clearTimeout(timer);
        this.#waiters.delete(waiter);
        settle();
      };
      const waiter = (/** @type {Message} */ message) => {
        if (test(message)) finish(() => resolve(message));
      };
      this.#waiters.add(waiter);
    });
  }

  /** @param {any} params */
  async init(params = { clientInfo: probe, capabilities: { experimentalApi: true } }) {
    const answer = await this.request("initialize", params);
    this.notify("initialized");
    return answer;
  }

  /** Starts a thread; its id. */
  async thread(params = {}) {
    const { thread } = await this.ok("thread/start", { cwd: this.scene.cwd, ...params });
    return thread.id;
  }

  /**
   * Starts a turn and waits for its end, unless starting is refused.
   * @param {string} threadId @param {string | any[]} input
   */
  async turn(threadId, input, params = {}, timeoutMs = 60_000) {
    const from = this.mark();
    const items = typeof input === "string" ? [{ type: "text", text: input, text_elements: [] }] : input;
    const start = await this.request("turn/start", { threadId, input: items, ...params });
    if (start.error) return { start, turnId: undefined };
    const turnId = start.result.turn.id;
    await this.waitFor((message) => message.method === "turn/completed" && message.params.turn.id === turnId, {
      from,
      ms: timeoutMs,
      what: "turn/completed",
    });
    await sleep(settleMs);
    return { start, turnId };
  }

  /** Ends the server by closing its input; one that does not end is killed. */
  async stop() {
    if (this.exited) return;
    this.child.stdin.end();
    for (const [signal, ms] of /** @type {const} */ ([
      ["SIGTERM", 3000],
      ["SIGKILL", 500],
    ])) {
      const abort = new AbortController();
      const ended = once(this.child, "exit", { signal: abort.signal }).catch(() => {});
      await Promise.race([ended, sleep(ms, undefined, { ref: false })]);
      abort.abort();
      if (this.exited) return;
      this.scene.record("note", `the server did not end by itself; ${signal}`);
      this.child.kill(signal);
    }
  }
}

/** @param {import("node:stream").Readable} stream @param {(line: string) => void} listener */
function eachLine(stream, listener) {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (/** @type {string} */ text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) listener(line);
  });
}
