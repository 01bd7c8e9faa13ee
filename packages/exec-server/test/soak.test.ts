/** What must not grow: descriptors, terminals, zombies and memory of a server that works. */
import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { connectExecServer } from "@turnkit/exec-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Recording, request, run } from "./host-cases.js";
import { bundle, SERVER_SOURCE, startProgram } from "./programs.js";
import { RawClient, starting } from "./raw-client.js";
import { untilAtRest } from "./standstill.js";

const SOAK = process.env.TURNKIT_SOAK === "1";
const COMMANDS = SOAK ? 5_000 : 80;
/**
 * Commands before the first look: until then the server still compiles what it uses, and its nursery, its stock of pipes
 * and the threads' arenas come to be. The rest, 24 of 25 commands in the soak, must not make it grow.
 */
const WARM = SOAK ? 200 : 16;
const AT_ONCE = 16;
const LIVE = SOAK ? 300 : 40;
const FLOODS = SOAK ? 64 : 16;

let program: string;
let server: { child: ChildProcess; url: string };
let own: { child: ChildProcess; url: string } | undefined;

beforeAll(async () => {
  program = await bundle("soak-server", SERVER_SOURCE);
  server = await startProgram(program, ["--concurrent-requests", "16"]);
});

afterAll(() => {
  for (const each of [server, own]) each?.child.kill("SIGTERM");
  rmSync(program, { force: true });
});

const pid = () => server.child.pid as number;

function residentBytes(of = pid()): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${of}/status`, "utf8"))?.[1]) * 1024;
}

function descriptors(): string[] {
  return readdirSync(`/proc/${pid()}/fd`).flatMap((name) => {
    try {
      return [readlinkSync(`/proc/${pid()}/fd/${name}`)];
    } catch {
      return [];
    }
  });
}

function childStates(): string[] {
  const children = readFileSync(`/proc/${pid()}/task/${pid()}/children`, "utf8").trim().split(" ").filter(Boolean);
  return children.flatMap((child) => {
    try {
      return [/^\d+ \(.*\) (\S)/s.exec(readFileSync(`/proc/${child}/stat`, "utf8"))?.[1] as string];
    } catch {
      return [];
    }
  });
}

test(`${COMMANDS} commands, ${AT_ONCE} at a time, leave nothing behind`, async () => {
  await using host = await connectExecServer(server.url);
  let next = 0;
  const workUntil = async (end: number) => {
    while (next < end) {
      const index = next++;
      const recording = await run(host, `echo ${index}; exit ${index % 7}`, { tty: index % 2 === 0 });
      expect(recording.text().trim()).toBe(String(index));
      expect(recording.exitCode).toBe(index % 7);
    }
  };
  const allUntil = (end: number) => Promise.all(Array.from({ length: AT_ONCE }, () => workUntil(end)));
  await allUntil(WARM);
  const before = { memory: residentBytes(), descriptors: descriptors().length };
  let most = 0;
  while (next < COMMANDS) {
    await allUntil(Math.min(next + 500, COMMANDS));
    most = Math.max(most, residentBytes() - before.memory);
  }
  console.info(`${COMMANDS - WARM} commands: resident memory grew by at most ${(most / 2 ** 20).toFixed(1)} MiB`);
  const after = descriptors();
  expect(after.filter((link) => /ptmx|pts\//.test(link))).toEqual([]);
  // The stock of pipes moves by at most a batch.
  expect(after.length - before.descriptors).toBeLessThanOrEqual(40);
  expect(childStates().filter((state) => state === "Z")).toEqual([]);
  expect(most).toBeLessThan(20 * 1024 * 1024);
});

test(`${LIVE} processes live at once`, async () => {
  await using host = await connectExecServer(server.url);
  const recordings: Recording[] = [];
  for (let index = 0; index < LIVE; index++) {
    recordings.push(new Recording(await host.start(request("echo up; exec sleep 1000", { tty: index % 10 === 0 }))));
  }
  for (const recording of recordings) await recording.until(() => recording.text().includes("up"));
});

test(`${FLOODS} floods of output with a reader that stands still hold memory in bounds`, async () => {
  // One request at a time: a terminate then comes after its start, however long that takes.
  const flooded = await startProgram(program);
  own = flooded;
  const resident = () => residentBytes(flooded.child.pid);
  await using client = await RawClient.ready(flooded.url);
  client.transport.pause();
  const before = resident();
  for (let index = 0; index < FLOODS; index++) {
    const id = `flood-${index}`;
    client.send({ id, method: "process/start", params: starting(id, ["yes"], { tty: index % 4 === 0 }) });
  }
  let most = 0;
  await untilAtRest(flooded.child.pid as number, "yes", FLOODS, () => {
    most = Math.max(most, resident() - before);
  });
  console.info(`${FLOODS} floods: resident memory grew by ${(most / 2 ** 20).toFixed(1)} MiB`);
  expect(most).toBeLessThan(64 * 1024 * 1024);
  for (let index = 0; index < FLOODS; index++) {
    client.send({ id: `end-${index}`, method: "process/terminate", params: { processId: `flood-${index}` } });
  }
  client.transport.resume();
  for (let index = 0; index < FLOODS; index++) await client.waitForEvent("process/closed", `flood-${index}`);
});
