/**
 * Clients of a real app-server that break rules, one after the other. Beside each, one client on the same thread and one
 * on another thread go on working: they hear everything, once and in order.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import {
  customToolCall,
  functionCall,
  message,
  type ScriptedModel,
  type ScriptedResponse,
  startScriptedModel,
} from "@turnkit/core/scripted-model";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Home, PROCESS_TIMEOUT } from "./support/cli.js";
import { frame, type Message, RawWebSocket } from "./support/raw-websocket.js";
import { configure, type ServedApp, serveApp } from "./support/served-app.js";
import { story } from "./support/turn-story.js";

const ROW_TIMEOUT = 40_000;
const soak = process.env.TURNKIT_SOAK === "1";

const questions = [{ id: "q", header: "H", question: "?", options: [{ label: "a", description: "" }] }];
const patch = "*** Begin Patch\n*** Add File: made.txt\n+made\n*** End Patch\n";

function answer(body: unknown): ScriptedResponse {
  const { input } = body as { input: { type: string; output?: unknown }[] };
  const last = input.at(-1);
  const asked = JSON.stringify(last);
  const id = `call_${input.length}`;
  if (last?.type.endsWith("_output")) return { items: [message(`got ${JSON.stringify(last.output)}`)] };
  if (asked.includes("ask")) return { items: [functionCall("request_user_input", { questions }, id)] };
  if (asked.includes("command")) return { items: [functionCall("exec_command", { cmd: "rm -rf ./nothing" }, id)] };
  if (asked.includes("patch")) return { items: [customToolCall("apply_patch", patch, id)] };
  return { items: [message("one two")] };
}

const text = (words: string) => [{ type: "text", text: words }];
const call = (id: unknown, method = "thread/loaded/list", params: unknown = {}) => ({ id, method, params });

/** A client that keeps to the rules. */
class Innocent {
  #from = 0;

  private constructor(
    readonly client: RawWebSocket,
    readonly threadId: string,
  ) {}

  static async onNewThread(address: string, params: object): Promise<Innocent> {
    const client = await RawWebSocket.open(address);
    await client.hello();
    const { result } = await client.request("thread/start", params);
    await client.until(({ method }) => method === "thread/started");
    return new Innocent(client, result.thread.id);
  }

  told(): Message[] {
    return this.client.seen.slice(this.#from).filter(({ params }) => params?.threadId === this.threadId);
  }

  ended(count: number): Promise<Message> {
    return this.client.until(() => this.told().filter(({ method }) => method === "turn/completed").length === count);
  }

  /** Everything that one turn tells, and nothing else. */
  async works(): Promise<void> {
    this.#from = this.client.seen.length;
    await this.client.request("turn/start", { threadId: this.threadId, input: text("say") });
    await this.ended(1);
    const steps = this.told().map(({ method, params }) => {
      const what = params.item?.type ?? params.error?.message ?? params.status?.type ?? "";
      return `${method} ${what}`.trim();
    });
    const once = steps.filter((step, at) => step !== "item/agentMessage/delta" || steps[at - 1] !== step);
    expect(once).toEqual(story);
    this.#from = this.client.seen.length;
  }
}

let home: Home;
let model: ScriptedModel;
let server: ServedApp;
let same: Innocent;
let other: Innocent;

beforeAll(async () => {
  home = new Home();
  model = await startScriptedModel({ fallback: answer });
  configure(home, model.url, 'approval_policy = "on-request"');
  server = await serveApp(home);
  same = await Innocent.onNewThread(server.address, { cwd: home.path });
  other = await Innocent.onNewThread(server.address, { cwd: home.path });
}, PROCESS_TIMEOUT);

afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await model?.close();
  await home?.[Symbol.asyncDispose]();
});

/** A client that has said hello and follows the thread of `same`. */
async function hostile(): Promise<RawWebSocket> {
  const client = await RawWebSocket.open(server.address);
  await client.hello();
  await client.request("thread/resume", { threadId: same.threadId });
  return client;
}

/** Begins a turn and waits until the server asks for something. */
async function asked(client: RawWebSocket, words: string): Promise<Message> {
  // Patches are asked about where nothing may be written.
  const sandboxPolicy = { type: words === "patch" ? "readOnly" : "dangerFullAccess" };
  await client.request("turn/start", { threadId: same.threadId, input: text(words), sandboxPolicy });
  return client.until(({ id, method }) => id !== undefined && method !== undefined);
}

const stillServed = async (client: RawWebSocket) => {
  expect((await client.request("thread/loaded/list", {}))?.result.data).toContain(same.threadId);
};
const repliesTo = (client: RawWebSocket, id: unknown) =>
  client.seen.filter((got) => got.id === id && got.method === undefined);

interface Row {
  readonly name: string;
  readonly does: (client: RawWebSocket) => Promise<void>;
}

const lives = (name: string, bytes: () => Uint8Array): Row => ({
  name,
  does: async (client) => {
    const before = client.seen.length;
    client.write(bytes());
    await stillServed(client);
    const since = client.seen.slice(before).filter(({ method }) => method === undefined);
    expect(since).toHaveLength(1);
  },
});
const json = (value: unknown) => () => frame(JSON.stringify(value));
const ends = (name: string, bytes: Uint8Array, code: number): Row => ({
  name,
  does: async (client) => {
    client.write(bytes);
    await client.closed;
    expect(client.closeCode).toBe(code);
  },
});

/** A head that announces 65 MiB; nothing of it needs to come. */
const giant = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 4, 0x10, 0, 0, 0, 0, 0, 0]);

const kinds = [
  ["ask", "item/tool/requestUserInput", /answers.{0,4}:\{\}/],
  ["command", "item/commandExecution/requestApproval", /approval request failed/],
  ["patch", "item/fileChange/requestApproval", /./],
] as const;
const wrongReplies: [string, object][] = [
  ["text", { result: "nope" }],
  ["null", { result: null }],
  ["an empty object", { result: {} }],
  ["lists", { result: { answers: [], decision: [] } }],
  ["an unknown decision", { result: { answers: { q: "a" }, decision: "bogus" } }],
  ["an error", { error: { code: -1, message: "no" } }],
  ["a turn's transition", { error: { code: -1, message: "no", data: { reason: "turnTransition" } } }],
];

const rows: Row[] = [
  lives("a list of requests", json([call(1), call(2)])),
  lives("bytes that are not UTF-8", () => frame(Buffer.from([0x22, 0xff, 0xfe, 0x22]))),
  lives("a binary frame", () => frame(JSON.stringify(call(1)), 2)),
  lives("half a JSON text", () => frame('{"id":1,"method":"thread/loa')),
  ...[null, 1.5, true, {}, [1]].map((id) => lives(`the id ${JSON.stringify(id)}`, json(call(id)))),
  lives("an id beyond 64 bits", () => frame('{"id":18446744073709551616,"method":"thread/loaded/list","params":{}}')),
  lives("answers to nothing", () =>
    Buffer.concat(
      [
        { id: 999, result: {} },
        { id: "x", error: { code: 1, message: "m" } },
      ].map((each) => json(each)()),
    ),
  ),
  lives("a frame in pieces", () => {
    const whole = frame(JSON.stringify({ method: "initialized" }));
    return Buffer.concat([whole.subarray(0, 5), whole.subarray(5)]);
  }),
  ends("a giant frame", giant, 1009),
  ends("a frame without a mask", Buffer.from([0x81, 0x02, 0x7b, 0x7d]), 1002),
  ends("a reserved opcode", Buffer.from([0x83, 0x80, 0, 0, 0, 0]), 1002),
  {
    name: "a wrong jsonrpc member",
    does: async (client) => {
      for (const jsonrpc of ["1.0", 5, null]) client.send({ ...call(`j${jsonrpc}`), jsonrpc });
      await client.until(({ id }) => id === "jnull");
      expect(["j1.0", "j5", "jnull"].map((id) => repliesTo(client, id).length)).toEqual([1, 1, 1]);
    },
  },
  {
    name: "one id for several requests in flight",
    does: async (client) => {
      for (let count = 0; count < 5; count += 1) client.send(call("same"));
      await client.until(() => repliesTo(client, "same").length === 5);
      await stillServed(client);
      expect(repliesTo(client, "same")).toHaveLength(5);
    },
  },
  {
    name: "half a frame and then nothing",
    does: async (client) => {
      client.write(frame(JSON.stringify(call(1))).subarray(0, 9));
      await same.works();
      client.cut("destroy", {});
    },
  },
  {
    name: "a half-closed connection behind a turn's start",
    does: async (client) => {
      client.send(call("t", "turn/start", { threadId: same.threadId, input: text("say") }));
      client.socket.end();
      await client.closed;
      await same.ended(1);
    },
  },
  {
    name: "a flood without reading",
    does: async (client) => {
      const count = soak ? 50_000 : 1_500;
      client.socket.pause();
      for (let at = 0; at < count; at += 1) client.send(call(at));
      await other.works();
      client.socket.resume();
      const replies = () => client.seen.filter(({ id, method }) => typeof id === "number" && method === undefined);
      await client.until(({ id }) => id === count - 1);
      await client.until(() => replies().length === count);
      expect(new Set(replies().map(({ id }) => id)).size).toBe(count);
      const refused = replies().filter(({ error }) => error !== undefined);
      expect(new Set(refused.map(({ error }) => error.code))).toEqual(new Set(refused.length > 0 ? [-32001] : []));
    },
  },
  {
    name: "a flood of large replies that nobody reads",
    does: async (client) => {
      const file = path.join(home.path, "large.txt");
      writeFileSync(file, "x".repeat(soak ? 768 * 1024 : 64 * 1024));
      const resident = () =>
        Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.process.pid}/status`, "utf8"))?.[1]) / 1024;
      const before = resident();
      const count = soak ? 1_000 : 300;
      client.socket.pause();
      for (let at = 0; at < count; at += 1) client.send(call(at, "fs/readFile", { path: file }));
      await other.works();
      await same.works();
      // All replies together have a gigabyte in soak; at most 128 of them are made ahead of the reader.
      if (process.platform === "linux") expect(resident() - before).toBeLessThan(soak ? 400 : 150);
      client.cut("destroy", {});
      await client.closed;
    },
  },
  ...kinds.flatMap(([words, method, output]) =>
    wrongReplies.map(([what, reply]) => ({
      name: `${what} as the answer to ${method}`,
      does: async (client: RawWebSocket) => {
        const question = await asked(client, words);
        expect(question.method).toBe(method);
        client.send({ id: question.id, ...reply });
        await same.ended(1);
        const last = same.told().findLast((got) => got.method === "turn/completed").params.turn;
        expect(last.status).toBe("completed");
        expect(last.items[0].text).toMatch(output);
      },
    })),
  ),
  {
    name: "two answers to one question, and one under another id's spelling",
    does: async (client) => {
      const question = await asked(client, "ask");
      const reply = (id: unknown, words: string) => ({ id, result: { answers: { q: { answers: [words] } } } });
      client.send(reply(String(question.id), "spelled"));
      client.send(reply(question.id, "first"));
      client.send(reply(question.id, "second"));
      await same.ended(1);
      const last = same.told().findLast((got) => got.method === "turn/completed").params.turn;
      expect(last.items[0].text).toContain("first");
      await stillServed(client);
    },
  },
];

describe("beside a hostile client two others go on", () => {
  it.each(rows)("$name", { timeout: ROW_TIMEOUT }, async ({ does }) => {
    await Promise.all([same.works(), other.works()]);
    const client = await hostile();
    await does(client);
    client.cut("destroy", {});
    await client.closed;
    await Promise.all([same.works(), other.works()]);
  });

  it("over a Unix socket as well", { timeout: ROW_TIMEOUT }, async () => {
    const address = `unix://${path.join(home.path, "control.sock")}`;
    await using unix = await serveApp(home, [], address);
    const [bad, good] = [await RawWebSocket.open(unix.address), await RawWebSocket.open(unix.address)];
    await good.hello();
    await bad.hello();
    bad.write(frame(Buffer.from([0xff])));
    bad.write(frame(JSON.stringify([call(1)])));
    bad.send(call("t", "thread/start", { cwd: home.path }));
    bad.socket.end();
    await bad.closed;
    // What came before the end was accepted, and everybody hears of it.
    await good.until(({ method }) => method === "thread/started");
    expect((await good.request("thread/loaded/list", {})).result.data).toHaveLength(1);
  });
});
