/** Every write reaches its process once and in order, and every output its reader, however connections are cut. */
import type { ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectExecServer } from "@turnkit/exec-server";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CuttingProxy } from "./cutting-proxy.js";
import { ENV, Recording, request, untilDead } from "./host-cases.js";
import { bundle, SERVER_SOURCE, startProgram } from "./programs.js";
import { startServer } from "./servers.js";

const WRITES = process.env.TURNKIT_SOAK === "1" ? 10_000 : 300;

/** A cut is often noticed at the client first; the server then still holds the session for a moment. */
const OPTIONS = { recoveryRetryMs: 10 };

let program: string;
let url: string;
const children: ChildProcess[] = [];

async function start() {
  const started = await startProgram(program);
  children.push(started.child);
  return started;
}

beforeAll(async () => {
  program = await bundle("exactly-once-server", SERVER_SOURCE);
  url = (await start()).url;
});

afterAll(() => {
  for (const child of children) child.kill("SIGTERM");
  rmSync(program, { force: true });
});

/** A small generator with a seed, so that a failing run can be repeated. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

test(`${WRITES} writes under cuts before, between and after`, async () => {
  const folder = mkdtempSync(join(tmpdir(), "turnkit-once-"));
  await using proxy = await CuttingProxy.before(url);
  await using client = await connectExecServer(proxy.url, OPTIONS);
  const file = join(folder, "seen");
  // The process keeps what it read and says it again.
  const writer = await client.start(request(["tee", file], { pipeStdin: true, env: ENV }));
  const recording = new Recording(writer);
  const bystander = await client.start(request(["sleep", "1000"]));
  const next = random(20_261_130);
  const seen = () => readFileSync(file, "utf8");
  const windows = { none: 0, before: 0, afterSend: 0, afterDelivery: 0, replay: 0 };
  let expected = "";
  for (let index = 0; index < WRITES; index++) {
    const line = `${index}:${"x".repeat(Math.floor(next() * 40))}\n`;
    expected += line;
    const bytes = Buffer.from(line);
    const dice = next();
    if (dice < 0.55) {
      windows.none++;
      expect(await writer.write(bytes)).toBe("accepted");
    } else if (dice < 0.65) {
      windows.before++;
      proxy.cut();
      expect(await writer.write(bytes)).toBe("accepted");
    } else if (dice < 0.78) {
      windows.afterSend++;
      const forwarded = proxy.holdReplies();
      const written = writer.write(bytes);
      await forwarded;
      proxy.cut();
      expect(await written).toBe("accepted");
    } else if (dice < 0.9) {
      windows.afterDelivery++;
      const forwarded = proxy.holdReplies();
      const written = writer.write(bytes);
      await forwarded;
      const size = Buffer.byteLength(expected);
      while (readFileSync(file).length < size) await new Promise((resolve) => setTimeout(resolve, 1));
      proxy.cut();
      expect(await written).toBe("accepted");
    } else {
      windows.replay++;
      proxy.cutNextAfter(1 + Math.floor(next() * 3));
      proxy.cut();
      expect(await writer.write(bytes)).toBe("accepted");
    }
  }
  await recording.until(() => recording.bytes().length >= Buffer.byteLength(expected));
  expect(seen() === expected).toBe(true);
  expect(recording.text() === expected).toBe(true);
  const seqs = recording.events.map((event) => ("seq" in event ? event.seq : -1));
  expect(seqs.every((seq, index) => seq === index + 1)).toBe(true);
  expect(proxy.cuts).toBeGreaterThan(WRITES / 4);
  expect(windows.afterSend + windows.afterDelivery).toBeGreaterThan(WRITES / 10);
  expect(await bystander.terminate()).toBe(true);
  await removeFolder(folder);
});

test("a start whose connection is lost is undone and reported", async () => {
  await using proxy = await CuttingProxy.before(url);
  await using client = await connectExecServer(proxy.url);
  const folder = mkdtempSync(join(tmpdir(), "turnkit-start-"));
  const file = join(folder, "pid");
  const forwarded = proxy.holdReplies();
  const started = client.start(request(`echo $$ > ${file}; exec sleep 1000`));
  started.catch(() => {});
  await forwarded;
  const pid = () => {
    try {
      return Number(readFileSync(file, "utf8"));
    } catch {
      return 0;
    }
  };
  while (pid() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  proxy.cut();
  await expect(started).rejects.toThrow("the connection was lost while process");
  await untilDead(pid());
  // The session goes on.
  const after = new Recording(await client.start(request("echo fine")));
  await after.done;
  expect(after.text()).toBe("fine\n");
  await removeFolder(folder);
});

test("a process whose output was forgotten meanwhile fails and ends; the others go on", async () => {
  const folder = mkdtempSync(join(tmpdir(), "turnkit-gap-"));
  const [go, done] = [join(folder, "go"), join(folder, "done")];
  await using proxy = await CuttingProxy.before(url);
  await using client = await connectExecServer(proxy.url, OPTIONS);
  const flood = `echo $$; until [ -e ${go} ]; do sleep 0.05; done; head -c 3000000 /dev/zero; : > ${done}; sleep 1000`;
  const lossy = new Recording(await client.start(request(flood)));
  const echo = await client.start(request(["cat"], { pipeStdin: true, env: ENV }));
  const kept = new Recording(echo);
  await lossy.until(() => lossy.text().includes("\n"));
  const pid = Number(lossy.text());
  proxy.bar();
  const written = echo.write(Buffer.from("meanwhile\n"));
  writeFileSync(go, "");
  while (!existsSync(done)) await new Promise((resolve) => setTimeout(resolve, 5));
  proxy.unbar();
  expect((await lossy.done).at(-1)).toEqual({
    type: "failed",
    message: expect.stringMatching(/^failed to recover process /),
  });
  await untilDead(pid);
  expect(await written).toBe("accepted");
  expect(await echo.write(Buffer.from("after\n"))).toBe("accepted");
  await kept.until(() => kept.text() === "meanwhile\nafter\n");
  await removeFolder(folder);
});

test("without a server to go back to every process fails with the reason, within the budget", async () => {
  const gone = await start();
  await using client = await connectExecServer(gone.url, { recoveryBudgetMs: 600 });
  const process = await client.start(request(["sleep", "1000"]));
  const recording = new Recording(process);
  gone.child.kill("SIGKILL");
  const events = await recording.done;
  expect(events.at(-1)).toEqual({
    type: "failed",
    message: expect.stringMatching(/; failed to resume exec-server session: recovery timed out after 0\.6s$/),
  });
  await expect(client.start(request("true"))).rejects.toThrow("failed to resume exec-server session");
  expect(await process.write(Buffer.from("x"))).toBe("unknownProcess");
});

test("a session that the server forgot fails at once", async () => {
  await using proxy = await CuttingProxy.before(url);
  await using client = await connectExecServer(proxy.url);
  const recording = new Recording(await client.start(request(["sleep", "1000"])));
  await using second = await startServer();
  proxy.redirect(second.url);
  proxy.cut();
  const events = await recording.done;
  expect(events.at(-1)).toEqual({
    type: "failed",
    message: expect.stringMatching(/failed to resume exec-server session: unknown session id /),
  });
});
