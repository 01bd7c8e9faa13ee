import { setTimeout as sleep } from "node:timers/promises";
import { processParams } from "../parameters.mjs";

export async function run(scene) {
  // slow: ~45 s
  const client = await scene.initialized("A");
  await client.request("process/start", processParams("p", "sleep 42 & echo x; exit 4"));
  await client.waitForExited("p");
  const t0 = performance.now();
  await sleep(28000);
  await client.request("process/read", { processId: "p" });
  await sleep(4000);
  await client.request("process/read", { processId: "p" });
  const r = await client.waitForClosed("p", 14000);
  scene.note("closed notification", r.params ?? r);
  await client.request("process/read", { processId: "p" });
  scene.note("seconds", Math.round((performance.now() - t0) / 1000));
}
