/**
 * Clients of a real app-server that vanish at any moment: every turn ends all the same, and what the server asked
 * resolves, or waits for the next client of its thread. `TURNKIT_SEED` repeats a run.
 */
import { functionCall, message, type ScriptedResponse, startScriptedModel } from "@turnkit/core/scripted-model";
import { expect, it } from "vitest";
import { Home, PROCESS_TIMEOUT } from "./support/cli.js";
import { type Cut, type Message, RawWebSocket } from "./support/raw-websocket.js";
import { configure, serveApp } from "./support/served-app.js";

const soak = process.env.TURNKIT_SOAK === "1";
const kills = soak ? 2_000 : 40;
const lanes = 6;
const turnsPerThread = 25;
const seed = Number(process.env.TURNKIT_SEED ?? 20_260_701);
/** Longest silence that is still believed to be a slow machine. */
const PATIENCE_MS = 60_000;

/** Mulberry32: the same numbers for the same seed everywhere. */
function randomFrom(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const kinds = ["say", "say slowly", "ask", "ask twice", "approve", "run"] as const;
const questions = [{ id: "q", header: "H", question: "?", options: [{ label: "a" }, { label: "b" }] }].map(
  (question) => ({ ...question, options: question.options.map((option) => ({ ...option, description: "" })) }),
);

/** Does what the last words ask for; a result of a tool ends the turn. */
function answer(body: unknown): ScriptedResponse {
  const { input } = body as { input: { type: string; call_id?: string }[] };
  const last = input.at(-1);
  const text = JSON.stringify(last);
  const id = `call_${input.length}`;
  if (last?.type === "function_call_output") {
    if (last.call_id?.startsWith("twice")) return { items: [functionCall("request_user_input", { questions }, id)] };
    return { items: [message("done")] };
  }
  if (text.includes("ask twice")) {
    return { items: [functionCall("request_user_input", { questions }, `twice_${input.length}`)] };
  }
  if (text.includes("ask")) return { items: [functionCall("request_user_input", { questions }, id)] };
  if (text.includes("approve")) return { items: [functionCall("exec_command", { cmd: "rm -rf ./nothing" }, id)] };
  if (text.includes("run")) return { items: [functionCall("exec_command", { cmd: "echo ran", login: false }, id)] };
  return { items: [message("one two three")], ...(text.includes("slowly") && { gapMs: 4 }) };
}

function replyTo({ id, method }: Message): Message {
  return method === "item/tool/requestUserInput"
    ? { id, result: { answers: { q: { answers: ["a"] } } } }
    : { id, result: { decision: "accept" } };
}

const isRequest = ({ id, method }: Message) => id !== undefined && method !== undefined;

async function within<T>(work: Promise<T>, what: () => string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`seed ${seed}: ${what()}`)), PATIENCE_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Follows a thread; knows which of its turns run. */
class Follower {
  readonly running = new Set<string>();
  readonly ended: string[] = [];
  /** Requests that came with the resume, or later. */
  asked = 0;
  status: Message = null;

  private constructor(
    readonly client: RawWebSocket,
    readonly threadId: string,
    readonly answers: boolean,
  ) {}

  static async of(address: string, threadId: string, options: { readonly answers: boolean }): Promise<Follower> {
    const client = await RawWebSocket.open(address);
    const follower = new Follower(client, threadId, options.answers);
    client.onMessage = (got) => follower.#hear(got);
    await client.hello();
    const { error } = await client.request("thread/resume", { threadId, excludeTurns: true });
    if (error) throw new Error(`thread/resume: ${JSON.stringify(error)}`);
    return follower;
  }

  #hear(got: Message): void {
    // At once: what follows in the same packet is heard before whoever waits for the reply goes on.
    if (got.result?.thread?.id === this.threadId) this.status = got.result.thread.status;
    if (got.params?.threadId !== this.threadId) return;
    if (isRequest(got)) {
      this.asked += 1;
      if (this.answers) this.client.send(replyTo(got));
    } else if (got.method === "thread/status/changed") this.status = got.params.status;
    else if (got.method === "turn/started") this.running.add(got.params.turn.id);
    else if (got.method === "turn/completed") {
      this.running.delete(got.params.turn.id);
      this.ended.push(got.params.turn.id);
    }
  }

  /** Resolves when no turn of the thread runs. */
  async idle(): Promise<void> {
    while (this.running.size > 0 || this.status?.type === "active") {
      const { length } = this.client.seen;
      await this.client.until(() => this.client.seen.length > length);
      if (this.client.over) throw new Error(`seed ${seed}: the server dropped a well-behaved client`);
    }
  }

  describe(): string {
    const last = this.client.seen.slice(-12).map((got) => JSON.stringify(got).slice(0, 160));
    return `thread ${this.threadId} is ${JSON.stringify(this.status)}, runs ${[...this.running]}; last heard:\n${last.join("\n")}`;
  }
}

/** One thread and those who come and go; its numbers do not depend on other lanes. */
class Lane {
  threadId = "";
  readonly accepted = new Map<string, string[]>();
  watcher: Follower | null = null;
  killed = 0;
  replayed = 0;
  answeredByVictims = 0;
  readonly #random: () => number;

  constructor(
    readonly address: string,
    readonly cwd: string,
    readonly index: number,
  ) {
    this.#random = randomFrom(seed + index);
  }

  #pick<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.#random() * choices.length)] as T;
  }

  async #newThread(): Promise<void> {
    this.watcher?.client.cut("end", {});
    const client = await RawWebSocket.open(this.address);
    await client.hello();
    const { result } = await client.request("thread/start", { cwd: this.cwd });
    this.threadId = result.thread.id;
    this.accepted.set(this.threadId, []);
    // Lanes are alone, watched by a client that never answers, or by one that always does.
    this.watcher =
      this.index % 3 === 0 ? null : await Follower.of(this.address, this.threadId, { answers: this.index % 3 === 1 });
    client.cut("end", {});
  }

  /** A client that is cut off after some messages, whatever it is doing then. */
  async #victim(): Promise<void> {
    const cut = this.#pick<Cut>(["end", "reset", "destroy", "withinFrame"]);
    const kind = this.#pick(kinds);
    const answers = this.#random() < 0.5;
    const interrupts = this.#random() < 0.2;
    let left = Math.floor(this.#random() * 24);
    const client = await RawWebSocket.open(this.address);
    const turn = { id: "turn", method: "turn/start", params: { threadId: this.threadId, input: text(kind) } };
    const die = (last: Message) => {
      client.onMessage = () => {};
      client.cut(cut, last);
    };
    client.onMessage = (got) => {
      const { threadId } = this;
      if (got.id === "turn" && got.result) this.accepted.get(threadId)?.push(got.result.turn.id);
      left -= 1;
      const ours = got.params?.threadId === threadId;
      if (isRequest(got) && ours && answers) {
        client.send(replyTo(got));
        this.answeredByVictims += 1;
      }
      if (left < 0 || (ours && got.method === "turn/completed")) die(turn);
      else if (isRequest(got) && ours && !answers) die(replyTo(got));
      else if (interrupts && got.method === "turn/started" && ours) {
        client.send({ id: "stop", method: "turn/interrupt", params: { threadId, turnId: got.params.turn.id } });
      }
    };
    client.send({
      id: "hello",
      method: "initialize",
      params: { clientInfo: { name: "victim", version: "1" }, capabilities: { experimentalApi: true } },
    });
    client.send({ id: "resume", method: "thread/resume", params: { threadId: this.threadId, excludeTurns: true } });
    client.send(turn);
    await within(client.closed, () => `lane ${this.index}: a victim of ${kind} waits; it saw ${story(client)}`);
    this.killed += 1;
  }

  async round(): Promise<void> {
    if (this.killed % turnsPerThread === 0) await this.#newThread();
    await this.#victim();
    await this.settle();
  }

  /** Whoever comes next finds what is still asked, answers it, and the turn ends. */
  async settle(): Promise<void> {
    const medic = await Follower.of(this.address, this.threadId, { answers: true });
    await within(medic.idle(), () => `lane ${this.index}, kill ${this.killed}: ${medic.describe()}`);
    this.replayed += medic.asked;
    medic.client.cut("end", {});
    await medic.client.closed;
  }
}

const text = (words: string) => [{ type: "text", text: words }];
const story = (client: RawWebSocket) => client.seen.map(({ id, method }) => method ?? id).join(" ");

it(`${kills} clients are cut off at random moments; every turn ends and no question is lost`, {
  timeout: PROCESS_TIMEOUT + kills * 1000,
}, async () => {
  await using home = new Home();
  await using model = await startScriptedModel({ fallback: answer });
  configure(home, model.url, 'approval_policy = "on-request"');
  await using server = await serveApp(home);
  const all = Array.from({ length: lanes }, (_, index) => new Lane(server.address, home.path, index));
  await Promise.all(
    all.map(async (lane) => {
      for (let round = lane.index; round < kills; round += lanes) await lane.round();
    }),
  );
  // What a victim sent last may have begun after its medic had left.
  await Promise.all(all.map((lane) => lane.settle()));
  const reader = await RawWebSocket.open(server.address);
  await reader.hello();
  let turns = 0;
  for (const lane of all) {
    for (const [threadId, accepted] of lane.accepted) {
      if (accepted.length === 0) continue;
      const { result } = await reader.request("thread/read", { threadId, includeTurns: true });
      const stored: { id: string; status: string }[] = result.thread.turns;
      turns += stored.length;
      expect(stored.filter(({ status }) => status === "inProgress")).toEqual([]);
      expect(stored.map(({ id }) => id)).toEqual(expect.arrayContaining([...new Set(accepted)]));
    }
    const { watcher } = lane;
    if (watcher) {
      expect([...watcher.running]).toEqual([]);
      expect(new Set(watcher.ended).size).toBe(watcher.ended.length);
    }
  }
  const sum = (of: (lane: Lane) => number) => all.reduce((total, lane) => total + of(lane), 0);
  const figures = { kills: sum(({ killed }) => killed), turns, replayed: sum(({ replayed }) => replayed) };
  if (soak) process.stderr.write(`chaos, seed ${seed}: ${JSON.stringify(figures)}\n`);
  expect(figures.kills).toBe(kills);
  expect(figures.replayed).toBeGreaterThan(0);
  expect(sum(({ answeredByVictims }) => answeredByVictims)).toBeGreaterThan(0);
  expect(model.errors).toEqual([]);
  // It ends by itself when it is asked to: nothing runs any more.
  const exit = new Promise((resolve) => server.process.once("exit", (code) => resolve(code)));
  server.process.kill("SIGTERM");
  expect(await within(exit, () => `the server waits for turns: ${server.said().slice(-400)}`)).toBe(0);
});
