/** A headless Chromium, spoken to over its debugging pipe: pages of this machine, as a person with it would see them. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Readable, Writable } from "node:stream";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { PROCESS_TIMEOUT } from "./cli.js";

/** The command's name; undefined: there is none here. */
export const chromium = ["chromium", "chromium-browser", "google-chrome"].find(
  (name) => spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0,
);

export interface View {
  readonly scheme: "light" | "dark";
  readonly width: number;
  readonly height: number;
}

type Event = { readonly method: string; readonly params: Record<string, unknown> };
type Reply = { readonly id?: number; readonly result?: unknown; readonly error?: { readonly message: string } };

export class Browser implements AsyncDisposable {
  readonly #pending = new Map<number, (reply: Reply) => void>();
  readonly #folder: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #nextId = 1;
  #session: string | undefined;
  /** Everything the page did that the protocol tells. */
  events: Event[] = [];

  private constructor(program: string) {
    this.#folder = mkdtempSync(path.join(tmpdir(), "turnkit-browser-"));
    const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"];
    const quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync"];
    this.#child = spawn(
      program,
      [...flags, ...quiet, "--remote-debugging-pipe", `--user-data-dir=${this.#folder}`, "about:blank"],
      {
        stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
        env: { ...process.env, HOME: this.#folder },
        // A group of its own: its children end with it.
        detached: true,
      },
    );
    this.#ended = new Promise((resolve) => this.#child.once("exit", () => resolve()));
    let rest = "";
    (this.#child.stdio[4] as Readable).setEncoding("utf8").on("data", (text: string) => {
      const messages = (rest + text).split("\0");
      rest = messages.pop() ?? "";
      for (const message of messages) this.#receive(JSON.parse(message) as Reply & Event);
    });
    (this.#child.stdio[3] as Writable).on("error", () => {});
  }

  static async open(program: string): Promise<Browser> {
    const browser = new Browser(program);
    const { targetInfos } = await browser.#call<{ targetInfos: { targetId: string; type: string }[] }>(
      "Target.getTargets",
    );
    const targetId =
      targetInfos.find(({ type }) => type === "page")?.targetId ??
      (await browser.#call<{ targetId: string }>("Target.createTarget", { url: "about:blank" })).targetId;
    const attached = await browser.#call<{ sessionId: string }>("Target.attachToTarget", { targetId, flatten: true });
    browser.#session = attached.sessionId;
    for (const domain of ["Page", "Runtime", "Network", "Log"]) await browser.#call(`${domain}.enable`);
    return browser;
  }

  /** Opens a page and waits until everything of it is loaded. */
  async show(url: string, { scheme, width, height }: View): Promise<void> {
    const features = [{ name: "prefers-color-scheme", value: scheme }];
    await this.#call("Emulation.setEmulatedMedia", { features });
    await this.#call("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
    this.events = [];
    await this.#call("Page.navigate", { url });
    const end = performance.now() + PROCESS_TIMEOUT / 2;
    while (!this.events.some(({ method }) => method === "Page.loadEventFired")) {
      if (performance.now() > end) throw new Error(`${url} was never loaded`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** What an expression is worth in the page; JSON values. */
  async evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.#call<{ result: { value: T }; exceptionDetails?: unknown }>(
      "Runtime.evaluate",
      { expression, returnByValue: true, awaitPromise: true },
    );
    if (exceptionDetails) throw new Error(`the page: ${JSON.stringify(exceptionDetails)}`);
    return result.value;
  }

  /** The whole page as a PNG. */
  async picture(): Promise<Buffer> {
    const { data } = await this.#call<{ data: string }>("Page.captureScreenshot", { captureBeyondViewport: true });
    return Buffer.from(data, "base64");
  }

  #call<T>(method: string, params: object = {}): Promise<T> {
    const id = this.#nextId++;
    const sessionId = /^(?:Browser|Target)\./.test(method) ? undefined : this.#session;
    (this.#child.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => {
      this.#pending.set(id, ({ result, error }) =>
        error ? reject(new Error(`${method}: ${error.message}`)) : resolve(result as T),
      );
      void this.#ended.then(() => reject(new Error(`${method}: the browser has ended`)));
    });
  }

  #receive(message: Reply & Event): void {
    if (message.id === undefined) this.events.push(message);
    else this.#pending.get(message.id)?.(message);
  }

  /** Asks it to end; what is left of its processes after that, or after ten seconds, is killed. */
  async [Symbol.asyncDispose](): Promise<void> {
    const late = setTimeout(() => this.#kill(), 10_000);
    await this.#call("Browser.close").catch(() => {});
    await this.#ended;
    clearTimeout(late);
    this.#kill();
    await removeFolder(this.#folder);
  }

  #kill(): void {
    try {
      if (this.#child.pid !== undefined) process.kill(-this.#child.pid, "SIGKILL");
    } catch {
      // All of them have ended.
    }
  }
}
