/**
 * Starts processes through a small second process once this one has grown.
 * Platform fact: Node forks to start a child, and a fork copies the page tables: the larger the parent, the longer it
 * stands still. Owns the helper's life and the talk with it; descriptors are handed over as paths below /proc.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { coveringStdio } from "./inherited-descriptors.js";
import { osErrorText, SpawnError } from "./os-error.js";

/** Resident bytes of this process from which on the helper is worth its own memory. */
const WORTH_BYTES = 110 * 1024 * 1024;

export interface HelperRequest {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly arg0: string | undefined;
  /** Path and open flags of stdin, stdout and stderr. */
  readonly files: readonly (readonly [path: string, flags: number])[];
}

export interface HelperChild {
  readonly pid: number;
  /** Called once with the exit status; also when the helper is lost, with that of a killed process. */
  onExit(listener: (status: number) => void): void;
}

/** Runs in a process of its own, without anything of this package: it must stay small. */
const SOURCE = `
const { spawn } = require("node:child_process");
const { openSync, closeSync } = require("node:fs");
const { signals } = require("node:os").constants;
let rest = "";
const say = (message) => process.stdout.write(JSON.stringify(message) + "\\n");
function start({ id, program, args, cwd, env, arg0, files }) {
  const fds = [];
  const failed = (error) => say({ id, error: { code: error.code, message: error.message } });
  try {
    for (const [path, flags] of files) fds.push(openSync(path, flags));
    const options = { cwd, env: Object.assign(Object.create(null), env), detached: true, stdio: fds };
    const child = spawn(program, args, arg0 === undefined ? options : { ...options, argv0: arg0 });
    if (child.pid === undefined) return void child.once("error", failed);
    child.once("exit", (code, signal) => say({ id, exit: signal ? 128 + (signals[signal] ?? 0) : code }));
    say({ id, pid: child.pid });
  } catch (error) {
    failed(error);
  } finally {
    for (const fd of fds) closeSync(fd);
  }
}
process.stdin.setEncoding("utf8").on("data", (text) => {
  const lines = (rest + text).split("\\n");
  rest = lines.pop();
  for (const line of lines) start(JSON.parse(line));
});
process.stdin.on("end", () => process.exit());
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
`;

interface Reply {
  readonly id: number;
  readonly pid?: number;
  readonly exit?: number;
  readonly error?: { code?: string; message: string };
}

/** How long one look at the memory counts, in milliseconds: looking costs more than a short process leaves room for. */
const LOOK_MS = 500;

/** The threshold is a setting for tests alone. */
let worthBytes = WORTH_BYTES;
let lookedAt = Number.NEGATIVE_INFINITY;
let worth = false;

export function setHelperThreshold(bytes: number | undefined): void {
  worthBytes = bytes ?? WORTH_BYTES;
  lookedAt = Number.NEGATIVE_INFINITY;
}

/** Whether the next process should be started by the helper. Linux only: it opens descriptors by path. */
export function helperIsWorth(): boolean {
  if (process.platform !== "linux") return false;
  const now = performance.now();
  if (now - lookedAt >= LOOK_MS) {
    lookedAt = now;
    worth = process.memoryUsage.rss() > worthBytes;
  }
  return worth;
}

class SpawnHelper {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #replies = new Map<number, (reply: Reply) => void>();
  readonly #running = new Set<number>();
  #nextId = 1;
  #rest = "";
  lost = false;

  constructor() {
    const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...env } = process.env;
    const stdio = ["pipe", "pipe", "ignore", ...coveringStdio()] as const;
    const child = spawn(process.execPath, ["-e", SOURCE], { env, detached: true, cwd: "/", stdio: [...stdio] });
    this.#process = child as ChildProcessWithoutNullStreams;
    child.on("error", () => this.#end());
    child.once("exit", () => this.#end());
    this.#process.stdin.on("error", () => {});
    this.#process.stdout.setEncoding("utf8").on("data", (text: string) => this.#heard(text));
    child.unref();
    for (const stream of [this.#process.stdin, this.#process.stdout]) (stream as unknown as { unref(): void }).unref();
  }

  start(request: HelperRequest): Promise<HelperChild> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      let status: number | undefined;
      let listener: ((status: number) => void) | undefined;
      const release = this.#keepAlive();
      this.#replies.set(id, ({ pid, exit, error }) => {
        if (error) {
          this.#replies.delete(id);
          release();
          reject(new SpawnError(osErrorText(Object.assign(new Error(error.message), { code: error.code }))));
        } else if (exit !== undefined) {
          this.#replies.delete(id);
          this.#running.delete(id);
          release();
          status = exit;
          listener?.(exit);
        } else if (pid !== undefined) {
          this.#running.add(id);
          const onExit = (listen: (status: number) => void) => {
            listener = listen;
            if (status !== undefined) listen(status);
          };
          resolve({ pid, onExit });
        }
      });
      this.#process.stdin.write(`${JSON.stringify({ id, ...request })}\n`);
    });
  }

  /** Like a child of its own, a process that runs keeps this process alive. */
  #keepAlive(): () => void {
    const stdout = this.#process.stdout as unknown as { ref(): void; unref(): void };
    if (this.#replies.size === 0) stdout.ref();
    return () => {
      if (this.#replies.size === 0) stdout.unref();
    };
  }

  #heard(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      const reply = JSON.parse(line) as Reply;
      this.#replies.get(reply.id)?.(reply);
    }
  }

  #end(): void {
    if (this.lost) return;
    this.lost = true;
    const message = "the helper that starts processes has ended";
    for (const [id, hear] of [...this.#replies]) {
      if (this.#running.has(id)) hear({ id, exit: 137 });
      else hear({ id, error: { message } });
    }
  }
}

let helper: SpawnHelper | undefined;

/** @throws {SpawnError} with the operating system's words */
export function startThroughHelper(request: HelperRequest): Promise<HelperChild> {
  if (!helper || helper.lost) helper = new SpawnHelper();
  return helper.start(request);
}
