// @ts-check
// Runs named test files again and again, in a process group of its own that is ended, and begun anew, when one run
// takes too long.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

/** @typedef {"passed" | "failed" | "time is up"} Verdict */

const worker = fileURLToPath(new URL("test-worker.mjs", import.meta.url));
/** A process that is not ready by then never will be. */
const START_LIMIT_MS = 120_000;

export class TestRunner {
  /** @type {import("node:child_process").ChildProcess | undefined} */
  #child;

  /** @param {{ root: string, project: string, files: readonly string[] }} options */
  constructor(options) {
    this.options = options;
  }

  /**
   * @param {readonly string[]} changed the files that are not as they were in the last run @param {number} limitMs
   * @returns {Promise<{ verdict: Verdict, errors: readonly string[], milliseconds: number }>}
   */
  async run(changed, limitMs) {
    const child = this.#child ?? (await this.#start());
    const begin = performance.now();
    const answer = this.#next(child, limitMs);
    child.send({ changed });
    const message = await answer;
    const milliseconds = performance.now() - begin;
    if (message === undefined) {
      this.end();
      return { verdict: "time is up", errors: [], milliseconds };
    }
    return { verdict: message.passed ? "passed" : "failed", errors: message.errors, milliseconds };
  }

  async #start() {
    const { root, project, files } = this.options;
    const env = { ...process.env, NO_COLOR: "1", CI: "1" };
    const child = fork(worker, [root, project, ...files], {
      cwd: root,
      detached: true,
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      env,
    });
    this.#child = child;
    if ((await this.#next(child, START_LIMIT_MS)) === undefined) throw new Error("the test process did not start");
    return child;
  }

  /**
   * The next message; undefined: there was none in time, or the process ended.
   * @param {import("node:child_process").ChildProcess} child @param {number} limitMs
   * @returns {Promise<any>}
   */
  #next(child, limitMs) {
    return new Promise((resolve) => {
      const done = (/** @type {unknown} */ message) => {
        clearTimeout(timer);
        child.off("message", done);
        child.off("exit", ended);
        resolve(message);
      };
      const ended = () => done(undefined);
      const timer = setTimeout(ended, limitMs);
      child.on("message", done);
      child.on("exit", ended);
    });
  }

  /** Ends the process and everything it started. */
  end() {
    const pid = this.#child?.pid;
    this.#child = undefined;
    if (pid === undefined) return;
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // Nobody of the group is left.
    }
  }
}
