import { setTimeout as sleep } from "node:timers/promises";
import { isAlive, processParams } from "../parameters.mjs";

export async function run(scene) {
  // slow: ~70 s
  const first = await scene.initialized("A");
  const sessionId = first.sessionId;
  scene.remember(first.initialized);
  await first.request("process/start", processParams("p", "echo $$; exec sleep 300"));
  await first.waitFor((message) => message.method === "process/output");
  const pid = Number(first.output("p"));
  first.quiet = true;
  first.cut();
  const t0 = performance.now();
  let died = null;
  const second = await scene.connect("B");
  second.quiet = true;
  // poll the process, do not resume
  while (performance.now() - t0 < 45000) {
    if (isAlive(pid) !== true) {
      died = (performance.now() - t0) / 1000;
      break;
    }
    await sleep(100);
  }
  scene.note("process of a detached session dies after seconds (rounded)", died === null ? null : Math.round(died));
  second.quiet = false;
  await second.request("initialize", { clientName: "b", resumeSessionId: sessionId });
  // resume at 25 s keeps it alive, and restarts the clock
  const third = await scene.initialized("C");
  const secondSessionId = third.sessionId;
  scene.remember(third.initialized);
  await third.request("process/start", processParams("q", "echo $$; exec sleep 300"));
  await third.waitFor((message) => message.method === "process/output");
  const pid2 = Number(third.output("q"));
  third.cut();
  await sleep(25000);
  const fourth = await scene.connect("D");
  await fourth.request("initialize", { clientName: "d", resumeSessionId: secondSessionId });
  await sleep(8000);
  scene.note("alive 33 s after the first drop, re-attached", isAlive(pid2));
  fourth.cut();
  await sleep(20000);
  const fifth = await scene.connect("E");
  await fifth.request("initialize", { clientName: "d", resumeSessionId: secondSessionId });
  scene.note("alive", isAlive(pid2));
  scene.remember(fifth.messages[0]);
}
