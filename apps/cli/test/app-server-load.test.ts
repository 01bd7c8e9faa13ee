/**
 * Many threads and clients on a real app-server: a process of its own, WebSockets on loopback, a scripted model over HTTP.
 * Every notification of a thread arrives once and in its order, and memory does not grow.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { message, type ScriptedResponse, startScriptedModel } from "@turnkit/core/scripted-model";
import { connectWebSocket } from "@turnkit/rpc/websocket";
import { expect, it } from "vitest";
import { Home, MAIN, PROCESS_TIMEOUT } from "./support/cli.js";
import { story } from "./support/turn-story.js";

const soak = process.env.TURNKIT_SOAK === "1";
const load = soak ? { threads: 200, clients: 20, seconds: 120 } : { threads: 20, clients: 5, seconds: 2 };
const turnsPerSecond = 50;

// biome-ignore lint/suspicious/noExplicitAny: messages of any method
type Message = any;

/** Echoes the last words. */
function answer(body: unknown): ScriptedResponse {
  const { input } = body as { input: { content?: { text?: string }[] }[] };
  return { items: [message(`echo ${input.at(-1)?.content?.[0]?.text ?? ""}`)] };
}

class Client {
  readonly #pending = new Map<number, (reply: Message) => void>();
  #nextId = 1;

  private constructor(
    readonly transport: Awaited<ReturnType<typeof connectWebSocket>>,
    readonly heard: (message: Message) => void,
  ) {
    transport.onMessage((text) => {
      const got: Message = JSON.parse(text);
      if (got.method !== undefined) this.heard(got);
      else this.#pending.get(got.id)?.(got);
    });
  }

  static async open(address: string, heard: (message: Message) => void): Promise<Client> {
    const client = new Client(await connectWebSocket(address), heard);
    await client.request("initialize", {
      clientInfo: { name: "load", version: "1" },
      capabilities: { experimentalApi: true },
    });
    return client;
  }

  request(method: string, params: unknown): Promise<Message> {
    const id = this.#nextId++;
    const reply = new Promise<Message>((resolve, reject) =>
      this.#pending.set(id, (got) => {
        this.#pending.delete(id);
        if (got.error) reject(new Error(`${method}: ${JSON.stringify(got.error)}`));
        else resolve(got.result);
      }),
    );
    this.transport.send(JSON.stringify({ id, method, params }));
    return reply;
  }

  turn(threadId: string, text: string): Promise<Message> {
    return this.request("turn/start", { threadId, input: [{ type: "text", text }] });
  }
}

async function serve(home: Home, modelUrl: string): Promise<{ address: string; process: ChildProcess }> {
  home.write(
    "config.toml",
    `model = "gpt-5.4"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
[model_providers.scripted]
name = "scripted"
base_url = "${modelUrl}"
`,
  );
  const child = spawn(process.execPath, [MAIN, "app-server", "--listen", "ws://127.0.0.1:0"], {
    env: home.environment(),
    cwd: home.path,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  for await (const text of child.stderr.setEncoding("utf8")) {
    said += text;
    const address = /ws:\/\/127\.0\.0\.1:[1-9]\d*/.exec(said)?.[0];
    if (address) return { address, process: child };
  }
  throw new Error(`the server ended: ${said}`);
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill();
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}

const residentMegabytes = (pid: number | undefined): number =>
  process.platform === "linux"
    ? Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024
    : 0;

/** Told when a thread is opened, whenever that is. */
const aside = new Set(["thread/settings/updated", "thread/started", "warning"]);

class WatchedThread {
  turns = 0;
  running: ((turn: Message) => void) | null = null;
  readonly wrong: string[] = [];
  #told: string[] = [];
  #text = "";

  constructor(
    readonly client: Client,
    readonly id: string,
  ) {}

  run(): Promise<void> {
    this.turns += 1;
    const words = `${this.id} turn ${this.turns}`;
    return new Promise((resolve, reject) => {
      this.running = () => {
        if (this.#text !== `echo ${words}`) this.wrong.push(`${words} was answered with ${this.#text}`);
        if (JSON.stringify(this.#told) !== JSON.stringify(story)) this.wrong.push(`${words}: ${this.#told.join(", ")}`);
        this.running = null;
        this.#told = [];
        this.#text = "";
        resolve();
      };
      this.client.turn(this.id, words).catch(reject);
    });
  }

  hear({ method, params }: Message): void {
    const what = params.item?.type ?? (method === "thread/status/changed" ? params.status.type : "");
    const step = `${method} ${what}`.trim();
    if (step === "item/agentMessage/delta") this.#text += params.delta;
    // How a message is cut into deltas is free.
    if (step !== "item/agentMessage/delta" || this.#told.at(-1) !== step) this.#told.push(step);
    if (this.running === null) this.wrong.push(`${this.id}: ${step} outside of a turn`);
    else if (method === "turn/completed") this.running(params.turn);
  }
}

it(`${load.threads} threads, ${load.clients} clients, up to ${turnsPerSecond} turns a second for ${load.seconds} s`, {
  timeout: PROCESS_TIMEOUT + 4000 * load.seconds,
}, async () => {
  await using home = new Home();
  await using model = await startScriptedModel({ fallback: answer });
  const server = await serve(home, model.url);
  try {
    const threads = new Map<string, WatchedThread>();
    const heard = (clientIndex: number) => (got: Message) => {
      const thread = threads.get(got.params?.threadId);
      // A status is told to every client; only its owner's copy is followed.
      if (thread && clients[clientIndex] === thread.client && !aside.has(got.method)) thread.hear(got);
    };
    const clients = await Promise.all(
      Array.from({ length: load.clients }, (_, index) => Client.open(server.address, heard(index))),
    );
    for (let index = 0; index < load.threads; index += 1) {
      const client = clients[index % load.clients] as Client;
      const { thread } = await client.request("thread/start", { cwd: home.path });
      threads.set(thread.id, new WatchedThread(client, thread.id));
    }
    const all = [...threads.values()];
    await Promise.all(all.map((thread) => thread.run()));
    const before = residentMegabytes(server.process.pid);
    const started = performance.now();
    const under = new Set<Promise<void>>();
    let begun = 0;
    for (let next = 0; performance.now() - started < load.seconds * 1000; next += 1) {
      const thread = all[next % all.length] as WatchedThread;
      const due = started + (begun * 1000) / turnsPerSecond;
      if (performance.now() < due) await new Promise((resolve) => setTimeout(resolve, due - performance.now()));
      if (thread.running !== null) {
        await Promise.race(under);
        continue;
      }
      begun += 1;
      const turn = thread.run().finally(() => under.delete(turn));
      under.add(turn);
    }
    await Promise.all(under);
    const seconds = (performance.now() - started) / 1000;
    const growth = residentMegabytes(server.process.pid) - before;
    if (soak) process.stderr.write(`load: ${(begun / seconds).toFixed(1)} turns/s, grew by ${growth.toFixed(0)} MB\n`);
    expect(all.flatMap(({ wrong }) => wrong)).toEqual([]);
    expect(all.reduce((sum, { turns }) => sum + turns, 0)).toBe(begun + load.threads);
    expect(model.calls).toHaveLength(begun + load.threads);
    expect(growth).toBeLessThan(150);
    await Promise.all(clients.map(({ transport }) => transport.close()));
  } finally {
    await stop(server.process);
  }
});
