// @ts-check
// One connection to an exec-server, over WebSocket or stdio. Owns ids, waiting and the record of both directions.
import WebSocket from "ws";

/** @typedef {{ connection: string, direction: ">" | "<" | "!" | "#", at: number, message: any }} Entry */
/** @typedef {{ id?: any, method?: string, params?: any, result?: any, error?: any, [key: string]: any }} Message */

const longestShown = 300;
/** Longer messages are not parsed. */
const hugeBytes = 5e8;

export class Connection {
  /** Everything received, in order. @type {Message[]} */
  messages = [];
  /** How it ended. @type {any} */
  ended = null;
  /** true: nothing is recorded. */
  quiet = false;
  /** The answer to `initialize`. @type {Message} */
  initialized = {};
  /** @type {WebSocket | undefined} */
  socket;
  /** @type {string | undefined} */
  sessionId;
  pings = 0;
  #nextId = 1;
  /** @type {Map<unknown, (message: Message) => void>} */
  #pending = new Map();
  /** @type {Set<{ test: (message: Message) => boolean, settle: (message: Message) => void }>} */
  #waiters = new Set();
  /** @type {(text: string) => void} */
  #send = () => {};
  /** Ends it in good order. */
  close = () => {};
  /** Drops it. */
  cut = () => {};

  /** @param {Entry[]} entries @param {string} name */
  constructor(entries, name) {
    this.entries = entries;
    this.name = name;
  }

  /** @param {string} url @param {Entry[]} entries @param {string} name @param {WebSocket.ClientOptions} [options] @returns {Promise<Connection>} */
  static overWebSocket(url, entries, name, options = {}) {
    const connection = new Connection(entries, name);
    const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: 0, ...options });
    connection.socket = socket;
    connection.#send = (text) => socket.send(text);
    connection.close = () => socket.close();
    connection.cut = () => socket.terminate();
    socket.on("message", (data, isBinary) => {
      const bytes = /** @type {Buffer} */ (data);
      const text = bytes.length > hugeBytes ? JSON.stringify({ _huge: bytes.length }) : bytes.toString();
      connection.#receive(text, isBinary);
    });
    socket.on("ping", (data) => {
      connection.pings += 1;
      connection.record("<", { _ws: "ping", data: data.toString() });
    });
    socket.on("close", (code, reason) => connection.#end({ code, reason: reason.toString() }));
    return new Promise((resolve, reject) => {
      socket.on("open", () => resolve(connection));
      socket.on("error", (error) => {
        reject(error);
        connection.#end({ error: error.message });
      });
    });
  }

  /** @param {import("./server.mjs").Server} server @param {Entry[]} entries @param {string} name */
  static overStdio({ child }, entries, name) {
    if (child === undefined) throw new Error("the server is not started");
    const connection = new Connection(entries, name);
    let rest = "";
    child.stdout.on("data", (data) => {
      const lines = (rest + data).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) connection.#receive(line, false);
    });
    child.on("exit", (code, sig) => connection.#end({ code, sig }));
    connection.#send = (text) => child.stdin.write(`${text}\n`);
    connection.close = () => child.stdin.end();
    return connection;
  }

  /** @param {Entry["direction"]} direction @param {unknown} message */
  record(direction, message) {
    if (!this.quiet) this.entries.push({ connection: this.name, direction, at: performance.now(), message });
  }

  /** @param {string} text @param {boolean} isBinary */
  #receive(text, isBinary) {
    /** @type {Message} */
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      message = { _unparsable: text };
    }
    if (isBinary) message._binaryFrame = true;
    this.record("<", message);
    this.messages.push(message);
    if (message.id !== undefined && message.method === undefined) {
      this.#pending.get(message.id)?.(message);
      this.#pending.delete(message.id);
    }
    for (const waiter of [...this.#waiters]) if (waiter.test(message)) waiter.settle(message);
  }

  /** @param {unknown} how */
  #end(how) {
    if (this.ended) return;
    this.ended = how;
    this.record("<", { _closed: how });
    for (const settle of this.#pending.values()) settle({ _closed: how });
    this.#pending.clear();
    for (const { settle } of [...this.#waiters]) settle({ _closed: how });
  }

  /** @param {string} text */
  sendRaw(text) {
    const shown = text.length > longestShown ? `${text.slice(0, 80)}…(${text.length} bytes)` : text;
    this.record(">", { _raw: shown });
    this.#send(text);
  }

  /**
   * Resolves with the whole answer, or with `_timeout` or `_closed`.
   * @param {string} method @param {unknown} [params] @param {{ id?: unknown, timeout?: number }} options
   * @returns {Promise<Message>}
   */
  request(method, params, { id = this.#nextId++, timeout = 15_000 } = {}) {
    const message = { id, method, ...(params === undefined ? {} : { params }) };
    this.record(">", message);
    if (this.ended) return Promise.resolve({ _closed: this.ended });
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#pending.delete(id);
        this.record("!", { _timeout: method, id, ms: timeout });
        resolve({ _timeout: true });
      }, timeout);
      this.#pending.set(id, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      this.#send(JSON.stringify(message));
    });
  }

  /** @param {string} method @param {unknown} [params] */
  notify(method, params) {
    const message = { method, ...(params === undefined ? {} : { params }) };
    this.record(">", message);
    this.#send(JSON.stringify(message));
  }

  /** The first message that passes, received or to come; else `_timeout` or `_closed`.
   * @param {(message: Message) => boolean} test @returns {Promise<Message>} */
  waitFor(test, timeoutMs = 10_000) {
    const found = this.messages.find(test);
    if (found) return Promise.resolve(found);
    if (this.ended) return Promise.resolve({ _closed: this.ended });
    return new Promise((resolve) => {
      const settle = (/** @type {Message} */ message) => {
        clearTimeout(timer);
        this.#waiters.delete(waiter);
        resolve(message);
      };
      const waiter = { test, settle };
      const timer = setTimeout(() => settle({ _timeout: true }), timeoutMs);
      this.#waiters.add(waiter);
    });
  }

  /** @param {string} method @param {string} processId @param {number} [timeoutMs] */
  #waitForProcess(method, processId, timeoutMs) {
    return this.waitFor((message) => message.method === method && message.params?.processId === processId, timeoutMs);
  }

  /** @param {string} processId @param {number} [timeoutMs] */
  waitForOutput(processId, timeoutMs) {
    return this.#waitForProcess("process/output", processId, timeoutMs);
  }

  /** @param {string} processId @param {number} [timeoutMs] */
  waitForExited(processId, timeoutMs) {
    return this.#waitForProcess("process/exited", processId, timeoutMs);
  }

  /** @param {string} processId @param {number} [timeoutMs] */
  waitForClosed(processId, timeoutMs) {
    return this.#waitForProcess("process/closed", processId, timeoutMs);
  }

  /** How the connection ended. */
  async waitForEnd(timeoutMs = 5000) {
    return this.ended ?? (await this.waitFor(() => false, timeoutMs));
  }

  /** @param {unknown} params */
  async initialize(params = { clientName: "drive" }) {
    const answer = await this.request("initialize", params);
    this.notify("initialized", {});
    return answer;
  }

  /** What a process wrote so far. @param {string} processId */
  output(processId) {
    const chunks = this.messages
      .filter(({ method, params }) => method === "process/output" && params.processId === processId)
      .map(({ params }) => Buffer.from(params.chunk, "base64"));
    return Buffer.concat(chunks);
  }
}
