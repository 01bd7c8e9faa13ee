/** Servers as processes of their own: how they start, refuse and end. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectExecServer } from "@turnkit/exec-server";
import { runExecServer } from "@turnkit/exec-server/server";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { afterAll, beforeAll, expect, test } from "vitest";
import { alive, Recording, request, untilDead } from "./host-cases.js";
import { bundle, SERVER_SOURCE, startProgram } from "./programs.js";
import { RawClient } from "./raw-client.js";
import { startServer } from "./servers.js";

let program: string;
const children: ChildProcess[] = [];
const folder = mkdtempSync(join(tmpdir(), "turnkit-lifecycle-"));

beforeAll(async () => {
  program = await bundle("lifecycle-server", SERVER_SOURCE);
});

afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(program, { force: true });
  await removeFolder(folder);
});

async function start(...args: string[]) {
  const started = await startProgram(program, args);
  children.push(started.child);
  return started;
}

/** What a server that does not start says; it ends by itself. */
async function refusal(...argv: string[]): Promise<{ code: number; text: string }> {
  let text = "";
  const writeError = (words: string) => {
    text += words;
  };
  const code = await runExecServer(argv, { env: process.env, writeOut: () => {}, writeError });
  return { code, text };
}

const STUBBORN = "trap '' TERM HUP INT; echo $$; while :; do sleep 1; done";

for (const signal of ["SIGTERM", "SIGKILL"] as const) {
  test(`${signal} of the server ends its children, on pipes and on terminals`, async () => {
    const { child, url } = await start();
    const client = await connectExecServer(url, { recoveryBudgetMs: 200 });
    const pids: number[] = [];
    for (const tty of [false, true]) {
      const recording = new Recording(await client.start(request(STUBBORN, { tty })));
      await recording.until(() => recording.text().includes("\n"));
      pids.push(Number(recording.text()));
    }
    for (const pid of pids) expect(await alive(pid)).toBe(true);
    child.kill(signal);
    const [code] = (await once(child, "exit")) as [number | null];
    expect(code).toBe(signal === "SIGTERM" ? 0 : null);
    for (const pid of pids) await untilDead(pid);
    await client[Symbol.asyncDispose]();
  });
}

test("a client killed with SIGKILL leaves none of its groups alive, and no session", async () => {
  await using served = await startServer(undefined, { detachedMs: 300 });
  const source = `import { connectExecServer } from "@turnkit/exec-server";
    const host = await connectExecServer(process.argv[2]);
    const script = "trap '' TERM HUP INT; sleep 1000 & echo $$ $!; wait; sleep 1000";
    for (const tty of [false, true]) {
      const argv = ["/bin/sh", "-c", script];
      const started = await host.start({ processId: String(tty), argv, cwd: "/tmp", env: { PATH: "/usr/bin:/bin" }, tty });
      started.subscribe((event) => event.type === "output" && process.stdout.write(event.bytes));
    }`;
  const clientProgram = await bundle("killed-client", source);
  const child = spawn(process.execPath, [clientProgram, served.url], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  let text = "";
  child.stdout.on("data", (data: Buffer) => {
    text += data.toString();
  });
  while (text.split("\n").length < 3) await once(child.stdout, "data");
  const pids = text.trim().split(/\s+/).map(Number);
  expect(pids).toHaveLength(4);
  for (const pid of pids) expect(await alive(pid)).toBe(true);
  child.kill("SIGKILL");
  for (const pid of pids) await untilDead(pid);
  while (served.server.sessionCount > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  rmSync(clientProgram, { force: true });
});

test("prints one line with the address and answers on it", async () => {
  const { url } = await start();
  expect(url).toMatch(/^ws:\/\/127\.0\.0\.1:\d+$/);
  const http = url.replace("ws:", "http:");
  expect((await fetch(`${http}/readyz`)).status).toBe(200);
  expect((await fetch(`${http}/healthz`)).status).toBe(404);
  expect((await fetch(`${http}/readyz`, { headers: { origin: "http://evil.example" } })).status).toBe(403);
  await expect(RawClient.connect(url, { origin: "http://evil.example" })).rejects.toThrow("403");
});

test("asks for its token where one was set", async () => {
  const file = join(folder, "token");
  writeFileSync(file, "secret\n");
  const stop = new AbortController();
  let running: Promise<number> | undefined;
  const printed = await new Promise<string>((writeOut, writeError) => {
    const io = { env: process.env, writeOut, writeError, signal: stop.signal };
    running = runExecServer(["--auth-token-file", file], io);
  });
  const url = printed.trim();
  await expect(connectExecServer(url)).rejects.toThrow("401");
  await expect(connectExecServer(url, { authToken: "wrong" })).rejects.toThrow("401");
  await using client = await connectExecServer(url, { authToken: "secret" });
  const recording = new Recording(await client.start(request("echo in")));
  await recording.done;
  expect(recording.text()).toBe("in\n");
  stop.abort();
  expect(await running).toBe(0);
});

test("refuses to listen beyond loopback without a token, and what it cannot read", async () => {
  const open = await refusal("--listen", "ws://0.0.0.0:0");
  expect(open).toEqual({ code: 1, text: expect.stringContaining("needs --auth-token-file") });
  const url = await refusal("--listen", "ws://localhost:0");
  expect(url).toEqual({
    code: 1,
    text: "Error: invalid websocket --listen URL `ws://localhost:0`; expected `ws://IP:PORT`\n",
  });
  // Once as a process, whose exit code it must become.
  const child = spawn(process.execPath, [program, "--concurrent-requests", "0"], { stdio: "ignore" });
  expect(await once(child, "exit")).toEqual([2, null]);
  expect((await refusal("--nope")).code).toBe(2);
});

test("over stdio it serves one client and ends with it, groups included", async () => {
  const child = spawn(process.execPath, [program, "--listen", "stdio"], { stdio: ["pipe", "pipe", "inherit"] });
  children.push(child);
  let text = "";
  child.stdout.on("data", (data: Buffer) => {
    text += data.toString();
  });
  const send = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
  send({ id: 1, method: "initialize", params: { clientName: "test" } });
  send({ method: "initialized" });
  const params = { processId: "p", argv: ["/bin/sh", "-c", STUBBORN], cwd: "file:///tmp", env: {}, tty: false };
  send({ id: 2, method: "process/start", params });
  while (!text.includes("process/output")) await once(child.stdout, "data");
  const chunk = /"chunk":"([^"]+)"/.exec(text)?.[1] as string;
  const pid = Number(Buffer.from(chunk, "base64").toString());
  expect(await alive(pid)).toBe(true);
  child.stdin.end();
  const [code] = (await once(child, "exit")) as [number | null];
  expect(code).toBe(0);
  await untilDead(pid);
});
