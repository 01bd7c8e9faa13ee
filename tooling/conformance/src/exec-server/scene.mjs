// @ts-check
// What a scenario acts on: servers, connections, an empty folder, and the record of everything.
import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { Connection } from "./connection.mjs";
import { Normalizer } from "./normalizer.mjs";
import { Server } from "./server.mjs";

/** @typedef {import("./server.mjs").ServerOptions} ServerOptions */
/** @typedef {{ server?: Server, url?: string, socket?: import("ws").ClientOptions, params?: unknown }} ConnectOptions */

export class Scene {
  /** @type {import("./connection.mjs").Entry[]} */
  entries = [];
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), "conformance-")));
  /** Recordings hold the length of this path: 33 characters under /tmp. */
  #home = realpathSync(mkdtempSync(path.join(tmpdir(), "conformance-exec-home-")));
  /** @type {Server[]} */
  #servers = [];
  /** @type {Server | undefined} */
  #latest;
  #normalizer = new Normalizer([
    [this.folder, "<TMP>"],
    [this.#home, "<HOME>"],
    [process.cwd(), "<CWD>"],
  ]);

  /** @param {readonly string[]} command starts the server; `--listen URL` is added */
  constructor(command) {
    this.command = command;
    mkdirSync(this.#home, { recursive: true });
  }

  /** A server that is not started yet. @param {ServerOptions} options */
  newServer(options = {}) {
    const env = { CODEX_HOME: this.#home, TURNKIT_HOME: this.#home, ...options.env };
    const server = new Server(this.command, { ...options, env });
    this.#servers.push(server);
    return server;
  }

  /** @param {ServerOptions} options */
  async startServer(options = {}) {
    const server = this.newServer(options);
    await server.start();
    this.#latest = server;
    return server;
  }

  /** Connects to the server started last. @param {string} name @param {ConnectOptions} options */
  async connect(name = "A", { server, url, socket } = {}) {
    const target = server ?? this.#latest ?? (await this.startServer());
    return await Connection.overWebSocket(url ?? target.url, this.entries, name, socket);
  }

  /** Connects and initializes; that is not recorded. @param {string} name @param {ConnectOptions} options */
  async initialized(name = "A", options = {}) {
    const connection = await this.connect(name, options);
    connection.quiet = true;
    connection.initialized = await connection.initialize(options.params);
    connection.quiet = false;
    connection.sessionId = connection.initialized.result?.sessionId;
    return connection;
  }

  /** Puts an observation into the record. Labels that begin with ~ are for reading and not compared. @param {string} label @param {unknown} value */
  note(label, value) {
    this.entries.push({ connection: "#", direction: "#", at: performance.now(), message: { [label]: value } });
  }

  /** Numbers the ids of a message that was not recorded. @param {unknown} message */
  remember(message) {
    this.#normalizer.value(message);
  }

  /** @param {string} text */
  normalized(text) {
    return this.#normalizer.text(text);
  }

  lines() {
    return this.#normalizer.lines(this.entries);
  }

  async end() {
    for (const server of this.#servers) await server.stop();
    for (const folder of [this.folder, this.#home]) await removeFolder(folder);
  }
}
