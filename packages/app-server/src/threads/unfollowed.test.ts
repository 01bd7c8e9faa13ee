import { expect, it } from "vitest";
import type { LoadedThread } from "./loaded-thread.js";
import { UnfollowedThreads } from "./unfollowed.js";

function setup(afterMs = 1) {
  const unloaded: unknown[] = [];
  const threads = new UnfollowedThreads({ afterMs, unload: (thread) => unloaded.push(thread) });
  const facts = { subscribers: new Set<unknown>(), status: { type: "idle" }, terminals: [] as unknown[] };
  const thread = {
    subscribers: facts.subscribers,
    get status() {
      looks += 1;
      return facts.status;
    },
    session: { backgroundTerminals: () => facts.terminals },
  } as unknown as LoadedThread;
  let looks = 0;
  return { threads, unloaded, facts, thread, looks: () => looks };
}

it("unloads a thread that was never followed, as when its client left before it was opened", async () => {
  const { threads, unloaded, thread } = setup();
  threads.watch(thread);
  await expect.poll(() => unloaded).toEqual([thread]);
});

it.each(["turn", "terminal"])("looks again after a while where a %s still runs", async (what) => {
  const { threads, unloaded, facts, thread, looks } = setup();
  if (what === "turn") facts.status = { type: "active" };
  else facts.terminals = ["sleep"];
  threads.watch(thread);
  await expect.poll(looks).toBeGreaterThan(2);
  expect(unloaded).toEqual([]);
  facts.status = { type: "idle" };
  facts.terminals = [];
  await expect.poll(() => unloaded).toEqual([thread]);
});

it("lets a thread be that somebody follows, and one that is watched anew start anew", async () => {
  const { threads, unloaded, facts, thread } = setup();
  const other = setup(0);
  facts.subscribers.add("client");
  threads.watch(thread);
  other.threads.watch(other.thread);
  await expect.poll(() => other.unloaded).toHaveLength(1);
  expect(unloaded).toEqual([]);
  facts.subscribers.clear();
  threads.watch(thread);
  threads.watch(thread);
  threads.close();
  other.threads.watch(other.thread);
  await expect.poll(() => other.unloaded).toHaveLength(2);
  expect(unloaded).toEqual([]);
});
