/** While a person is asked something anywhere, the waits of running commands do not end; the commands go on. */
import { FakeProcessHost, ManualClock } from "@turnkit/tools/testing";
import { expect, test } from "vitest";
import { start, types } from "../../test/session-rig.js";
import { items, say, toolCall } from "../testing/index.js";

const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

async function running(yieldMs: number) {
  const host = new FakeProcessHost();
  const clock = new ManualClock();
  const rig = await start(
    [items(toolCall("exec_command", { cmd: "serve", yield_time_ms: yieldMs }, "run")), say("ok")],
    {
      processHost: host,
      clock,
      exec: { shell: { name: "bash", path: "/bin/bash" } },
    },
  );
  await rig.say("go");
  while (host.processes.length === 0) await tick();
  await clock.advance(150);
  while (!types(rig.events).includes("exec_command_begin")) await tick();
  return { ...rig, host, clock };
}

test("a wait of 1 s while two holders overlap for 3 s ends after 4 s, and the process lives on", async () => {
  const { session, host, clock, model, next } = await running(1_000);
  await clock.advance(500);
  expect(session.incrementElicitation()).toBe(1);
  await clock.advance(1_000);
  expect(session.incrementElicitation()).toBe(2);
  host.processes[0]!.print("meanwhile\n");
  await clock.advance(1_000);
  // The first holder lets go; the second one still holds.
  expect(session.decrementElicitation()).toBe(1);
  await clock.advance(1_000);
  expect(session.decrementElicitation()).toBe(0);
  await clock.advance(499);
  await tick();
  expect(model.requests).toHaveLength(1);
  await clock.advance(1);
  await next("task_complete");
  expect(model.outputOf("run")).toMatch(
    /^Chunk ID: \w{6}\nWall time: 4\.0000 seconds\nProcess running with session ID \d+\nOriginal token count: 3\nOutput:\nmeanwhile\n$/,
  );
  expect(session.backgroundTerminals()).toMatchObject([{ itemId: "run", command: "serve" }]);
  expect(host.processes[0]!.terminations).toBe(0);
  await session.shutdown();
});

test("a process that ends while a person is asked is reported when the question is over", async () => {
  const { session, host, clock, model, next } = await running(1_000);
  session.incrementElicitation();
  host.processes[0]!.exit(3);
  await clock.advance(60_000);
  expect(model.requests).toHaveLength(1);
  session.decrementElicitation();
  await clock.advance(0);
  await next("task_complete");
  expect(model.outputOf("run")).toContain("Process exited with code 3");
  await session.shutdown();
});
