/** One writer per file: who is refused, and whose lock is taken over. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { acquireWriterLock, SessionInUseError, type WriterLock } from "./writer-lock.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "turnkit-lock-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const lockFile = () => path.join(folder, "s.jsonl.lock");
const acquire = () => acquireWriterLock(folder, "/any/where/s.jsonl");

async function goneProcess(): Promise<number> {
  const child = spawn(process.execPath, ["-e", ""], { stdio: "ignore" });
  await once(child, "close");
  return child.pid as number;
}

test("the lock of a live process holds, whoever asks", async () => {
  await writeFile(lockFile(), `${process.ppid}\n`);
  await expect(acquire()).rejects.toMatchObject({
    name: "SessionInUseError",
    pid: process.ppid,
    message: `the session file /any/where/s.jsonl is being written by process ${process.ppid}`,
  });
});

test("this process's own lock holds until it is released", async () => {
  const lock = await acquire();
  await expect(acquire()).rejects.toBeInstanceOf(SessionInUseError);
  await lock.release();
  await (await acquire()).release();
  expect(await readdir(folder)).toEqual([]);
});

test("nothing of a lock is ever half there", async () => {
  const lock = await acquire();
  expect(await readFile(lockFile(), "utf8")).toMatch(new RegExp(`^${process.pid} \\d*\\n$`));
  expect(await readdir(folder)).toEqual(["s.jsonl.lock"]);
  await lock.release();
});

test.each([
  ["a process that is gone", async () => `${await goneProcess()}\n`],
  ["nobody", async () => ""],
  ["something else", async () => "hello\n"],
  ["this process in an earlier life", async () => `${process.pid}\n`],
])("the lock of %s is taken over", async (_, text) => {
  await writeFile(lockFile(), await text());
  const lock = await acquire();
  expect(await readdir(folder)).toEqual(["s.jsonl.lock"]);
  await lock.release();
});

test.runIf(process.platform === "linux")("a number that belongs to another process by now does not hold", async () => {
  await writeFile(lockFile(), `${process.ppid} 1\n`);
  await (await acquire()).release();
});

test("of many that find a stale lock one gets it", async () => {
  const gone = await goneProcess();
  for (let round = 0; round < 10; round++) {
    await writeFile(lockFile(), `${gone}\n`);
    const attempts = await Promise.allSettled(Array.from({ length: 8 }, acquire));
    const won = attempts.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    expect(won).toHaveLength(1);
    await (won[0] as WriterLock).release();
    expect(await readdir(folder)).toEqual([]);
  }
});
