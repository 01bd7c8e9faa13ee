/** No terminal's master reaches another process: neither those that hosts start nor those that serve the hosts. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { Recording, request, run } from "./host-cases.js";

/** The descriptor of the listing itself is gone by the time it is looked at. */
const LIST = 'for f in /proc/$$/fd/*; do readlink "$f" || :; done';

function open(pid: string): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((name) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${name}`)];
    } catch {
      return [];
    }
  });
}

function children(): string[] {
  return readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim().split(" ");
}

for (const [how, threshold] of [
  ["this process", Number.POSITIVE_INFINITY],
  ["the helper", 0],
] as const) {
  test(`when ${how} starts processes, a terminal first`, async () => {
    // The processes that serve the hosts start with the first one of a host: each round has its own.
    vi.resetModules();
    const { LocalHost } = await import("@turnkit/exec-server/local-host");
    const { setHelperThreshold } = await import("../src/process/spawn-helper.js");
    setHelperThreshold(threshold);
    await using host = new LocalHost();
    const terminal = () => host.start(request("echo up; exec sleep 60", { tty: true }));
    const first = new Recording(await terminal());
    const [second, pipe] = await Promise.all([terminal(), run(host, LIST)]);
    for (const recording of [first, new Recording(second)]) {
      await recording.until(() => recording.text().includes("up"));
    }
    const later = await run(host, LIST, { tty: true });
    for (const recording of [pipe, later]) {
      expect(recording.exitCode).toBe(0);
      expect(recording.text()).not.toMatch(/ptmx|socket:|anon_inode/);
    }
    expect(open("self").filter((link) => link.endsWith("ptmx"))).toHaveLength(2);
    const others = children();
    expect(others.length).toBeGreaterThanOrEqual(2);
    for (const child of others) expect(open(child).filter((link) => link.endsWith("ptmx"))).toEqual([]);
  });
}
