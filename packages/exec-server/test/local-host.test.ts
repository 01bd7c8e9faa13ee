import { readdir, readlink } from "node:fs/promises";
import { LocalHost } from "@turnkit/exec-server/local-host";
import { afterAll, beforeAll, expect, test } from "vitest";
import { setHelperThreshold } from "../src/process/spawn-helper.js";
import { describeHost, Recording, request, run, untilDead } from "./host-cases.js";

// However large this process is: another suite has the helper start everything.
beforeAll(() => setHelperThreshold(Number.POSITIVE_INFINITY));
afterAll(() => setHelperThreshold(undefined));

describeHost("the in-process host", async () => {
  const host = new LocalHost();
  return { host, genuine: false, rounds: 6, close: () => host[Symbol.asyncDispose]() };
});

async function descriptors(): Promise<string[]> {
  const names = await readdir("/proc/self/fd");
  const links = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => "")));
  return links.filter((link) => /ptmx|pts\//.test(link));
}

test("disposal ends every group and leaves no terminal open", async () => {
  const host = new LocalHost();
  const processes = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      host.start(request("sleep 60 & echo $$ $!; wait", { tty: index % 2 === 0 })),
    ),
  );
  const recordings = processes.map((process) => new Recording(process));
  for (const recording of recordings) await recording.until(() => recording.text().includes("\n"));
  await host[Symbol.asyncDispose]();
  for (const recording of recordings) {
    expect(recording.exitCode).toBe(137);
    for (const pid of recording.text().trim().split(/\s+/)) await untilDead(Number(pid));
  }
  expect(await descriptors()).toEqual([]);
  await expect(host.start(request("true"))).rejects.toThrow("the process host is closed");
});

test("resizes a terminal", async () => {
  await using host = new LocalHost();
  const process = await host.start(
    request("trap 'stty size; exit' WINCH; echo ready; while :; do sleep 0.1; done", { tty: true }),
  );
  const recording = new Recording(process);
  await recording.until(() => recording.text().includes("ready"));
  expect(await process.resize?.(50, 132)).toBe(true);
  await recording.done;
  expect(recording.text()).toContain("50 132");
  expect(await process.resize?.(10, 10)).toBe(false);
});

test("a start that was given up before it began starts nothing", async () => {
  await using host = new LocalHost();
  const signal = AbortSignal.abort(new Error("given up"));
  await expect(host.start(request("true"), { signal })).rejects.toThrow("given up");
});

test("a reader that closed its stdin swallows later writes", async () => {
  await using host = new LocalHost();
  const process = await host.start(request("exec 0<&-; echo shut; exec sleep 60", { pipeStdin: true }));
  const recording = new Recording(process);
  await recording.until(() => recording.text() === "shut\n");
  expect(await process.write(Buffer.from("lost"))).toBe("accepted");
  expect(await process.write(Buffer.from("lost"))).toBe("accepted");
  expect(await process.terminate()).toBe(true);
  await recording.done;
  expect(recording.exitCode).toBe(137);
});

test("a megabyte written to a terminal arrives whole", async () => {
  await using host = new LocalHost();
  const process = await host.start(request("stty raw -echo; echo ready; head -c 1000000 | sha256sum", { tty: true }));
  const recording = new Recording(process);
  await recording.until(() => recording.text().includes("ready"));
  for (let at = 0; at < 1_000_000; at += 50_000) await process.write(Buffer.alloc(50_000, "0123456789"));
  await recording.done;
  const { createHash } = await import("node:crypto");
  const expected = createHash("sha256").update(Buffer.alloc(1_000_000, "0123456789")).digest("hex");
  expect(recording.text()).toContain(expected);
});

test("an exact hundred megabytes pass through a terminal", async () => {
  const size = globalThis.process.env.TURNKIT_SOAK === "1" ? 100_000_000 : 4_000_000;
  await using host = new LocalHost();
  const process = await host.start(request(`stty -opost; head -c ${size} /dev/zero`, { tty: true }));
  let total = 0;
  await new Promise<void>((resolve) => {
    process.subscribe((event) => {
      if (event.type === "output") total += event.bytes.byteLength;
      if (event.type === "closed") resolve();
    });
  });
  expect(total).toBe(size);
});

test("many short runs leave no descriptor behind", async () => {
  await using host = new LocalHost();
  await run(host, "true");
  const count = async () => (await readdir("/proc/self/fd")).length;
  const before = await count();
  for (let round = 0; round < 30; round++)
    await run(host, "true", { tty: round % 2 === 0, pipeStdin: round % 3 === 0 });
  // The stock of pipes moves by at most one batch.
  expect((await count()) - before).toBeLessThanOrEqual(40);
});

test.runIf(process.platform === "linux")("a pipe serves again only when nobody has kept a way to it", async () => {
  await using host = new LocalHost();
  const name = "readlink /proc/$$/fd/1";
  const kept = await run(host, `${name}; exec 3</dev/stdout; sleep 60 <&3 >/dev/null 2>&1 & echo $!`);
  const [pipe, pid] = kept.text().trim().split("\n");
  const later: string[] = [];
  for (let round = 0; round < 40; round++) later.push((await run(host, name)).text().trim());
  process.kill(Number(pid), "SIGKILL");
  expect(pipe).toContain("turnkit-pipes");
  expect(later).not.toContain(pipe);
  expect(new Set(later).size).toBeLessThan(8);
});
