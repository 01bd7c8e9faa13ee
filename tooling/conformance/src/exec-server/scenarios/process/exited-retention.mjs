import { setTimeout as sleep } from "node:timers/promises";
import { b64, processParams } from "../parameters.mjs";

export async function run(scene) {
  // slow: ~35 s
  const client = await scene.initialized("A");
  await client.request("process/start", processParams("p", "echo x"));
  await client.waitForClosed("p");
  const t0 = performance.now();
  client.quiet = true;
  let gone = null;
  while (performance.now() - t0 < 45000) {
    const r = await client.request("process/read", { processId: "p" });
    if (r.error) {
      gone = r.error;
      break;
    }
    await sleep(200);
  }
  scene.note("process/read of an exited process fails after seconds (rounded)", [
    Math.round((performance.now() - t0) / 1000),
    gone,
  ]);
  client.quiet = false;
  await client.request("process/write", { processId: "p", chunk: b64("x"), writeId: "1" });
  await client.request("process/terminate", { processId: "p" });
  await client.request("process/signal", { processId: "p", signal: "interrupt" });
  await client.request("process/start", processParams("p", ["true"]));
  await client.waitForClosed("p");
  scene.note("server pings seen", client.pings || 0);
}
