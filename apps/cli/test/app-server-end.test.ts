/**
 * How a real app-server ends: with its client, with its parent, by a signal. Whatever the way, its commands end with it,
 * and what a session file holds can be resumed.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { functionCall, message, type ScriptedResponse, startScriptedModel } from "@turnkit/core/scripted-model";
import { describe, expect, it } from "vitest";
import { Home, MAIN, PROCESS_TIMEOUT } from "./support/cli.js";
import { type Message, RawWebSocket } from "./support/raw-websocket.js";
import { configure, processesWith, serveApp } from "./support/served-app.js";

const soak = process.env.TURNKIT_SOAK === "1";
const patience = { timeout: 30_000, interval: 20 };
let count = 0;
/** A number of seconds that no other process sleeps. */
const unusual = () => `86${process.pid % 1000}.${++count}`;

/** Asks, runs a command for a long time, or says something; as the words of the turn want. */
function answering(seconds: string) {
  return (body: unknown): ScriptedResponse => {
    const { input } = body as { input: { type: string }[] };
    const last = input.at(-1);
    const asked = JSON.stringify(last);
    if (last?.type === "function_call_output") return { items: [message("done")] };
    if (asked.includes("wait")) {
      // One process of the group ignores what a person would send.
      const cmd = `(trap '' TERM INT HUP; sleep ${seconds}) & sleep ${seconds}`;
      return { items: [functionCall("exec_command", { cmd, yield_time_ms: 30_000 }, "call_wait")] };
    }
    if (asked.includes("ask")) {
      const options = [{ label: "a", description: "" }];
      const questions = [{ id: "q", header: "H", question: "?", options }];
      return { items: [functionCall("request_user_input", { questions }, "call_ask")] };
    }
    return { items: [message("said")] };
  };
}

const text = (words: string) => [{ type: "text", text: words }];
const hello = { id: "hello", method: "initialize", params: { clientInfo: { name: "end", version: "1" } } };

/** The only session file; empty before there is one. */
function sessionFile(home: Home): string {
  const sessions = path.join(home.path, "sessions");
  if (!existsSync(sessions)) return "";
  const file = readdirSync(sessions, { recursive: true, encoding: "utf8" }).find((name) => name.endsWith(".jsonl"));
  return file === undefined ? "" : readFileSync(path.join(sessions, file), "utf8");
}

/** The types of its lines; each must be whole. */
function recorded(home: Home): string[] {
  return sessionFile(home)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
    .map(({ type, payload }) => payload?.type ?? type);
}

/** Reads JSON lines; `until` looks at all that came. */
class Lines {
  readonly seen: Message[] = [];
  #rest = "";

  constructor(readonly child: ChildProcess) {
    child.stdout?.setEncoding("utf8").on("data", (more: string) => {
      const lines = (this.#rest + more).split("\n");
      this.#rest = lines.pop() as string;
      this.seen.push(...lines.map((line) => JSON.parse(line)));
    });
  }

  send(...messages: Message[]): void {
    this.child.stdin?.write(messages.map((each) => `${JSON.stringify(each)}\n`).join(""));
  }

  async until(accepts: (message: Message) => boolean): Promise<Message> {
    await expect.poll(() => this.seen.some(accepts), patience).toBe(true);
    return this.seen.find(accepts);
  }

  /** Starts a thread and a turn, and waits until the turn is where its words lead. */
  async turn(cwd: string, words: string): Promise<void> {
    this.send(hello, { id: "thread", method: "thread/start", params: { cwd } });
    const { result } = await this.until(({ id }) => id === "thread");
    const threadId = result.thread.id;
    this.send({ id: "turn", method: "turn/start", params: { threadId, input: text(words) } });
    await this.until(({ method, params }) =>
      words === "ask" ? method === "item/tool/requestUserInput" : params?.item?.type === "commandExecution",
    );
  }
}

function stdioServer(home: Home): ChildProcess {
  return spawn(process.execPath, [MAIN, "app-server"], {
    env: home.environment(),
    cwd: home.path,
    stdio: ["pipe", "pipe", "ignore"],
  });
}

const ended = (child: ChildProcess) => once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;

describe("over stdio", () => {
  it("the end of the input is the end; what was asked before it is answered", {
    timeout: PROCESS_TIMEOUT,
  }, async () => {
    await using home = new Home();
    await using model = await startScriptedModel();
    configure(home, model.url);
    const child = stdioServer(home);
    const lines = new Lines(child);
    const over = Promise.all([ended(child), once(child, "close")]);
    const asked = ["thread/loaded/list", "model/list", "thread/start", "foo/bar"].map((method) => ({
      id: method,
      method,
      params: {},
    }));
    lines.send(hello, ...asked.slice(0, -1));
    // The last line has no line feed.
    child.stdin?.end(JSON.stringify(asked.at(-1)));
    const [[code, signal]] = await over;
    expect([code, signal]).toEqual([0, null]);
    const replied = lines.seen.filter(({ method }) => method === undefined).map(({ id }) => id);
    expect(replied.sort()).toEqual([hello.id, ...asked.map(({ id }) => id)].sort());
  });

  it.each(["wait", "ask"])(
    "the end of the input ends a turn that would %s",
    { timeout: PROCESS_TIMEOUT },
    async (words) => {
      await using home = new Home();
      const seconds = unusual();
      await using model = await startScriptedModel({ fallback: answering(seconds) });
      configure(home, model.url, 'approval_policy = "never"');
      const child = stdioServer(home);
      const lines = new Lines(child);
      await lines.turn(home.path, words);
      if (words === "wait")
        await expect.poll(() => processesWith(`sleep ${seconds}`).length, patience).toBeGreaterThan(1);
      const over = ended(child);
      child.stdin?.end();
      expect(await over).toEqual([0, null]);
      expect(processesWith(`sleep ${seconds}`)).toEqual([]);
      expect(recorded(home).slice(-1)).toEqual(["turn_aborted"]);
      expect(recorded(home)).toContain("function_call_output");
    },
  );

  it("a parent that is killed takes the server and its commands along", { timeout: PROCESS_TIMEOUT }, async () => {
    await using home = new Home();
    const seconds = unusual();
    await using model = await startScriptedModel({ fallback: answering(seconds) });
    configure(home, model.url, 'approval_policy = "never"');
    const script = `
      const child = require("node:child_process").spawn(process.execPath, [${JSON.stringify(MAIN)}, "app-server"], {
        stdio: ["pipe", "pipe", "ignore"],
      });
      process.stdin.pipe(child.stdin, { end: false });
      child.stdout.pipe(process.stdout);
      process.stdout.write(JSON.stringify({ pid: child.pid }) + "\\n");`;
    const parent = spawn(process.execPath, ["-e", script], {
      env: home.environment(),
      cwd: home.path,
      stdio: ["pipe", "pipe", "ignore"],
    });
    const lines = new Lines(parent);
    const { pid } = await lines.until((got) => got.pid !== undefined);
    await lines.turn(home.path, "wait");
    await expect.poll(() => processesWith(`sleep ${seconds}`).length, patience).toBeGreaterThan(1);
    parent.kill("SIGKILL");
    const alive = () => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    await expect.poll(alive, patience).toBe(false);
    await expect.poll(() => processesWith(`sleep ${seconds}`), patience).toEqual([]);
    expect(recorded(home).slice(-1)).toEqual(["turn_aborted"]);
  });

  it.each(soak ? (["SIGTERM", "SIGINT", "SIGKILL"] as const) : (["SIGKILL"] as const))(
    "%s ends it at once, and its commands",
    {
      timeout: PROCESS_TIMEOUT,
    },
    async (signal) => {
      await using home = new Home();
      const seconds = unusual();
      await using model = await startScriptedModel({ fallback: answering(seconds) });
      configure(home, model.url, 'approval_policy = "never"');
      const child = stdioServer(home);
      await new Lines(child).turn(home.path, "wait");
      await expect.poll(() => processesWith(`sleep ${seconds}`).length, patience).toBeGreaterThan(1);
      // It is written while the command starts, and may take longer than that.
      await expect.poll(() => sessionFile(home), patience).toContain("function_call");
      const over = ended(child);
      child.kill(signal);
      expect(await over).toEqual([null, signal]);
      await expect.poll(() => processesWith(`sleep ${seconds}`), patience).toEqual([]);
      expect(recorded(home)).toContain("user_message");
    },
  );
});

describe("a listening server", () => {
  async function serving(words: string | null) {
    const home = new Home();
    const seconds = unusual();
    const model = await startScriptedModel({ fallback: answering(seconds) });
    configure(home, model.url, 'approval_policy = "never"');
    const server = await serveApp(home);
    const client = await RawWebSocket.open(server.address);
    await client.hello();
    const { result } = await client.request("thread/start", { cwd: home.path });
    const threadId: string = result.thread.id;
    if (words !== null) {
      await client.request("turn/start", { threadId, input: text(words) });
      await client.until(({ method, params }) =>
        words === "ask" ? method === "item/tool/requestUserInput" : params?.item?.type === "commandExecution",
      );
    }
    return {
      home,
      seconds,
      server,
      client,
      threadId,
      async [Symbol.asyncDispose]() {
        await server[Symbol.asyncDispose]();
        await model.close();
        await home[Symbol.asyncDispose]();
      },
    };
  }

  it.each(soak ? (["SIGTERM", "SIGINT", "SIGHUP"] as const) : (["SIGTERM"] as const))(
    "ends with %s when nothing runs, and says so to its clients",
    {
      timeout: PROCESS_TIMEOUT,
    },
    async (signal) => {
      await using setup = await serving(null);
      const over = ended(setup.server.process);
      setup.server.process.kill(signal);
      expect(await over).toEqual([0, null]);
      await setup.client.closed;
      expect(setup.client.closeCode).toBe(1001);
    },
  );

  it("lets a turn end first, serving everybody meanwhile", { timeout: PROCESS_TIMEOUT }, async () => {
    await using setup = await serving("ask");
    const { server, client, threadId } = setup;
    const over = ended(server.process);
    server.process.kill("SIGTERM");
    await expect.poll(server.said, patience).toContain("waiting for 1 running turn");
    const late = await RawWebSocket.open(server.address);
    await late.hello();
    await late.request("thread/resume", { threadId });
    const question = await late.until(({ method }) => method === "item/tool/requestUserInput");
    late.send({ id: question.id, result: { answers: {} } });
    expect(await over).toEqual([0, null]);
    await Promise.all([client.closed, late.closed]);
    for (const each of [client, late]) expect(each.seen.at(-1)?.method).toMatch(/^(?:turn\/completed|thread\/status)/);
    expect(client.seen.find(({ method }) => method === "turn/completed").params.turn.status).toBe("completed");
    expect(recorded(setup.home).slice(-1)).toEqual(["task_complete"]);
  });

  it("ends turns and commands at the second signal", { timeout: PROCESS_TIMEOUT }, async () => {
    await using setup = await serving("wait");
    const { server, client, seconds } = setup;
    await expect.poll(() => processesWith(`sleep ${seconds}`).length, patience).toBeGreaterThan(1);
    const over = ended(server.process);
    server.process.kill("SIGTERM");
    await expect.poll(server.said, patience).toContain("waiting for 1 running turn");
    server.process.kill("SIGTERM");
    expect(await over).toEqual([0, null]);
    await client.closed;
    expect(client.seen.find(({ method }) => method === "turn/completed")?.params.turn.status).toBe("interrupted");
    await expect.poll(() => processesWith(`sleep ${seconds}`), patience).toEqual([]);
    expect(recorded(setup.home).slice(-1)).toEqual(["turn_aborted"]);
  });
});
